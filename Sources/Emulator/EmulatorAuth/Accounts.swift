package import JSON

/// A service account and its keys.
package struct ServiceAccount: Sendable {
    package let email: String
    package let projectID: String
    var keys: [SigningKey]

    package init(email: String, projectID: String, keys: [SigningKey]) {
        self.email = email
        self.projectID = projectID
        self.keys = keys
    }

    /// The public parts of the account, which `ServiceAccountRequest` can parse.
    package var json: JSONValue {
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

/// A user with a browser login: the content of an `authorized_user` file.
package struct AuthorizedUser: Sendable {
    let clientID: String
    let clientSecret: SecretDigest
    let refreshToken: SecretDigest
    let scopes: [String]
    /// The emulator's project that requests with the user's tokens belong to, or nil for none.
    let projectID: String?

    package var json: JSONValue {
        var members: JSONObject = [
            "client_id": .string(clientID), "client_secret": .string(clientSecret.text),
            "refresh_token": .string(refreshToken.text),
            "scopes": .array(scopes.map { .string($0) }),
        ]
        members["project_id"] = projectID.map { .string($0) }
        return .object(members)
    }

    /// The scopes that `gcloud auth application-default login` requests (Google Cloud
    /// documentation).
    static let usualScopes = [
        "openid", AccessScope.prefix + "userinfo.email", AccessScope.cloudPlatform,
    ]
}

/// An external identity provider that a workload identity pool trusts.
package struct IdentityProvider: Sendable {
    /// The resource name, `//iam.googleapis.com/projects/…/providers/…`.
    let audience: String
    let issuer: String
    let allowedAudiences: [String]
    let keys: [SigningKey]

    package var json: JSONValue {
        [
            "audience": .string(audience), "issuer": .string(issuer),
            "allowed_audiences": .array(allowedAudiences.map { .string($0) }),
            "keys": .array(
                keys.map { ["key_id": .string($0.id), "public_key": .string($0.pem)] }
            ),
        ]
    }

    /// Returns Google's name for the subject of an issuer's token.
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
