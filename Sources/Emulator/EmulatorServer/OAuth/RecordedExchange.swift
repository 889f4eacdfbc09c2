import DeliveryModel
import JSON
import JWTKit

/// What the log holds of a request that may carry secrets, and of its answer.
///
/// Of the request stand only the fields that are known to be harmless, and what a JWT says,
/// without its signature: no key, assertion or token can be taken from the log. A token that was
/// given is named by its digest.
struct RecordedExchange: Sendable {
    var body: JSONObject
    /// Nil where the answer itself is harmless.
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
    /// Whether `record` changes nothing, as is easily seen of a request that was performed and has no
    /// query.
    func standsAsItCame(_ request: EmulatorRequest) -> Bool {
        answer.status == 200 && recorded == nil && answer.contentType == nil
            && !request.target.utf8.contains(UInt8(ascii: "?"))
    }

    /// The request as it is recorded, and the answer where that goes out otherwise.
    ///
    /// Where something stands in for the body, the query is left out, which may carry secrets as
    /// well; without it, those parameters that are secrets. Of a request that was performed the
    /// body stays as it is, whatever is in it: it is needed again.
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
    /// Performs again what a recorded request changed; false where it is none of these.
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
            // What was accepted once is accepted again: its record is a request of the same
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
