package import JSON

// The bodies of `POST /emulator/v1/auth/{accounts}`. Each type also parses its own record in the
// log, which has no secrets.

/// The registration of a service account.
package struct ServiceAccountRequest {
    package let email: String
    package let projectID: String
    /// Empty if the emulator must create a key.
    package let keys: [SigningKey]
    package let tokenURL: String?

    package init(_ json: JSONValue?) throws(InvalidArgument) {
        guard let json, json.objectValue != nil else { throw .authority("expected a JSON object") }
        if let type = json["type"], type != "service_account" {
            throw .authority("type is not service_account")
        }
        email = try json.account("client_email")
        guard email.isEmailAddress else { throw .authority("client_email is not an email address") }
        let domain = email.drop { $0 != "@" }.dropFirst()
        projectID =
            json["project_id"]?.stringValue
            ?? String(domain.prefix { $0 != "." })
        keys = try Self.keys(json)
        tokenURL = json["token_uri"]?.stringValue
    }

    private static func keys(_ json: JSONValue) throws(InvalidArgument) -> [SigningKey] {
        if let elements = json["keys"]?.arrayValue {
            var keys: [SigningKey] = []
            for element in elements { keys += try Self.keys(element) }
            return keys
        }
        let id = json["private_key_id"]?.stringValue ?? ""
        if let pem = json["private_key"]?.stringValue {
            guard let key = SigningKey(id: id, privatePEM: pem) else {
                throw .authority("private_key is not an RSA key of at least 2048 bits in PEM")
            }
            return [key]
        }
        guard let pem = json["public_key"]?.stringValue else { return [] }
        guard let key = SigningKey(id: id, publicPEM: pem) else {
            throw .authority("public_key is not an RSA key of at least 2048 bits in PEM")
        }
        return [key]
    }
}

extension AuthorizedUser {
    package init(_ json: JSONValue?) throws(InvalidArgument) {
        guard let json, json.objectValue != nil else { throw .authority("expected a JSON object") }
        clientID = try json.account("client_id")
        clientSecret = try json.secret("client_secret")
        refreshToken = try json.secret("refresh_token")
        let written = json["scopes"]?.arrayValue?.compactMap(\.stringValue)
        guard let scopes = AccessScope.list(written ?? Self.usualScopes) else {
            throw .authority("scopes is empty or contains an unknown scope")
        }
        self.scopes = scopes
        projectID = json["project_id"]?.stringValue
    }
}

extension IdentityProvider {
    package init(_ json: JSONValue?) throws(InvalidArgument) {
        guard let json, json.objectValue != nil else { throw .authority("expected a JSON object") }
        audience = try json.account("audience")
        guard Self.isAudience(audience) else {
            throw .authority(
                "audience is not //iam.googleapis.com/projects/NUMBER/locations/global/"
                    + "workloadIdentityPools/POOL/providers/PROVIDER"
            )
        }
        issuer = try json.account("issuer")
        allowedAudiences =
            json["allowed_audiences"]?.arrayValue?.compactMap(\.stringValue) ?? []
        keys = try Self.keys(json)
        guard !keys.isEmpty else { throw .authority("a public_key or jwks is required") }
    }

    private static func keys(_ json: JSONValue) throws(InvalidArgument) -> [SigningKey] {
        var keys: [SigningKey] = []
        for jwk in json["jwks"]?["keys"]?.arrayValue ?? [] {
            guard let key = SigningKey(jwk: jwk) else {
                throw .authority("a jwks entry is not an RSA key with a kid and 2048 bits or more")
            }
            keys.append(key)
        }
        let written =
            json["keys"]?.arrayValue ?? (json["public_key"]?.stringValue == nil ? [] : [json])
        for element in written {
            guard let pem = element["public_key"]?.stringValue,
                let key = SigningKey(
                    id: element["key_id"]?.stringValue ?? "",
                    publicPEM: pem
                )
            else { throw .authority("public_key is not an RSA key of at least 2048 bits in PEM") }
            keys.append(key)
        }
        return keys
    }
}

extension JSONValue {
    fileprivate func account(_ name: String) throws(InvalidArgument) -> String {
        guard let text = self[name]?.stringValue, !text.isEmpty else {
            throw .authority("\(name) is required")
        }
        return text
    }

    /// Returns the digest of a secret, or parses the digest from the log.
    fileprivate func secret(_ name: String) throws(InvalidArgument) -> SecretDigest {
        let text = try account(name)
        return SecretDigest(text: text) ?? SecretDigest(of: text)
    }
}

extension String {
    fileprivate var isEmailAddress: Bool {
        let parts = split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "/" }
    }
}

extension InvalidArgument {
    /// Creates a refusal; `explanation` must not repeat the input, which may be a secret.
    package static func authority(_ explanation: String) -> InvalidArgument {
        InvalidArgument(description: explanation + ".")
    }
}
