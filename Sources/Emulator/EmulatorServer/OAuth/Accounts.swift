import JSON

/// A service account and the keys by which it is known.
struct ServiceAccount: Sendable {
    let email: String
    let projectID: String
    var keys: [SigningKey]

    /// Its public parts: what `ServiceAccountRequest` reads again.
    var json: JSONValue {
        [
            "client_email": .string(email), "project_id": .string(projectID),
            "keys": .array(
                keys.map {
                    ["private_key_id": .string($0.id), "public_key": .string($0.pem)]
                }
            ),
        ]
    }
}

/// Somebody who logged in with a browser: what an `authorized_user` file holds.
struct AuthorizedUser: Sendable {
    let clientID: String
    let clientSecret: SecretDigest
    let refreshToken: SecretDigest
    let scopes: [String]

    var json: JSONValue {
        [
            "client_id": .string(clientID), "client_secret": .string(clientSecret.text),
            "refresh_token": .string(refreshToken.text),
            "scopes": .array(scopes.map { .string($0) }),
        ]
    }

    /// What `gcloud auth application-default login` asks for (Google Cloud documentation).
    static let usualScopes = [
        "openid", AccessScope.prefix + "userinfo.email", AccessScope.cloudPlatform,
    ]
}

/// Somebody else's issuer of identities, whom a workload identity pool trusts.
struct IdentityProvider: Sendable {
    /// Its resource name, `//iam.googleapis.com/projects/…/providers/…`.
    let audience: String
    let issuer: String
    let allowedAudiences: [String]
    let keys: [SigningKey]

    var json: JSONValue {
        [
            "audience": .string(audience), "issuer": .string(issuer),
            "allowed_audiences": .array(allowedAudiences.map { .string($0) }),
            "keys": .array(
                keys.map { ["key_id": .string($0.id), "public_key": .string($0.pem)] }
            ),
        ]
    }

    /// The name that Google gives to who is meant by a token of the issuer's.
    func principal(_ subject: String) -> String {
        let pool = audience.components(upTo: "/providers/")
        return "principal:\(pool)/subject/\(subject)"
    }

    static func isAudience(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 11 && parts[..<4] == ["", "", "iam.googleapis.com", "projects"]
            && !parts[4].isEmpty && parts[4].allSatisfy(\.isNumber)
            && parts[5...7] == ["locations", "global", "workloadIdentityPools"]
            && !parts[8].isEmpty && parts[9] == "providers" && !parts[10].isEmpty
    }
}

extension String {
    fileprivate func components(upTo end: String) -> Substring {
        firstRange(of: end).map { self[..<$0.lowerBound] } ?? self[...]
    }
}
