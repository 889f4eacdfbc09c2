package import JSON

/// The recorded form of a request that may contain secrets, and of its answer.
///
/// The request keeps only harmless fields and the claims of JWTs without signatures, so the log
/// contains no key, assertion or token. An issued token is identified by its digest.
package struct RecordedExchange: Sendable {
    package var body: JSONObject
    /// Nil if the answer itself contains no secrets.
    package var answer: JSONValue?

    package init(body: JSONObject, answer: JSONValue? = nil) {
        self.body = body
        self.answer = answer
    }

    package init(of request: AuthRequest) {
        body = [:]
        let fields = FormFields(request)
        for name in Self.harmless {
            if let value = fields[name], !Self.holdsKey(value) { body[name] = .string(value) }
        }
        for name in ["assertion", "subject_token"] {
            if let text = fields[name] {
                body[name] = SignedClaims(text)?.json ?? "<redacted>"
            }
        }
    }

    /// Returns whether a text contains a private key.
    package static func holdsKey(_ text: String) -> Bool { text.contains("PRIVATE KEY-----") }

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
