import DeliveryModel
import JSON
import JWTKit

/// The recorded form of a request that may contain secrets, and of its answer.
///
/// The request keeps only harmless fields and the claims of JWTs without signatures, so the log
/// contains no key, assertion or token. An issued token is identified by its digest.
struct RecordedExchange: Sendable {
    var body: JSONObject
    /// Nil if the answer itself contains no secrets.
    var answer: JSONValue?

    init(body: JSONObject, answer: JSONValue? = nil) {
        self.body = body
        self.answer = answer
    }

    init(of request: EmulatorRequest) {
        body = [:]
        let fields = FormFields(request)
        for name in Self.harmless {
            if let value = fields[name], !SecretMask.holdsKey(value) { body[name] = .string(value) }
        }
        for name in ["assertion", "subject_token"] {
            if let text = fields[name] {
                body[name] = SignedClaims(text)?.json ?? "<redacted>"
            }
        }
    }

    private static let harmless = [
        "grant_type", "scope", "audience", "requested_token_type", "subject_token_type",
        "client_id", "client_email", "project_id", "issuer", "lifetime", "type",
    ]
}

extension SignedClaims {
    fileprivate var json: JSONValue {
        var object: JSONObject = [:]
        object["alg"] = algorithm.map { .string($0) }
        object["kid"] = keyID.map { .string($0) }
        object["iss"] = claims.issuer.map { .string($0) }
        object["sub"] = claims.subject.map { .string($0) }
        object["scope"] = claims.scope.map { .string($0) }
        object["aud"] = .array(claims.audiences.map { .string($0) })
        object["iat"] = claims.issueTime.map { .integer($0) }
        object["exp"] = claims.expiry.map { .integer($0) }
        return .object(object)
    }
}

extension Decision {
    /// Returns whether `record` would change nothing; a cheap test for successful requests without
    /// a query.
    func standsAsItCame(_ request: EmulatorRequest) -> Bool {
        answer.status == 200 && recorded == nil && answer.contentType == nil
            && !request.target.utf8.contains(UInt8(ascii: "?"))
    }

    /// Returns the recorded form of the request, and of the answer if it differs from the one that
    /// is sent.
    ///
    /// If the body is replaced, the query is omitted, because it may contain secrets, too.
    /// Otherwise, only secret query parameters are masked. The body of a successful request stays
    /// unchanged, because a replay needs it.
    func record(of request: EmulatorRequest) -> (request: EmulatorRequest, answer: [UInt8]?) {
        let isRefused = answer.status != 200
        let target = SecretMask.target(request.target, isRefused: isRefused)
        let hidden = isRefused && recorded == nil ? SecretMask.body(of: request) : nil
        guard target != nil || hidden != nil || recorded != nil else {
            return (request, answer.contentType == nil ? nil : answer.body.compactBytes)
        }
        var stand = request
        stand.target = target ?? request.target
        if let body = recorded.map({ .object($0.body) }) ?? hidden {
            stand = EmulatorRequest(
                method: request.method,
                target: String(RequestTarget(stand.target).path),
                body: body.compactBytes
            )
        }
        let isQuoted =
            target != nil || hidden != nil
            || SecretMask.holdsKey(String(decoding: request.body, as: UTF8.self))
        let said = recorded?.answer ?? answer.body
        return (stand, (isRefused && isQuoted ? SecretMask.withoutWords(said) : said).compactBytes)
    }
}

extension Authority {
    /// Replays the changes of a recorded request; returns false if it is not a request for tokens
    /// or accounts.
    mutating func replay(
        _ logged: LoggedRequest,
        _ match: RouteMatch,
        at now: DeliveryMoment
    ) -> Bool {
        switch match {
        case .served(.oauth):
            if let token = IssuedToken(logged.request.json?["granted"]) {
                perform(.issue(token), at: now)
            }
        case .served(.authority(let place)):
            // An accepted request is accepted again, because its record is a request with the same
            // effect.
            if let decision = try? decide(logged.request, at: place),
                case .authority(let change) = decision.effect
            {
                perform(change, at: now)
            }
        default: return false
        }
        return true
    }
}
