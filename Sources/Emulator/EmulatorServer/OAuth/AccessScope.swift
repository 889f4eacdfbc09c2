/// The scopes of access tokens (Google Identity, OAuth 2.0 scopes for Google APIs).
enum AccessScope {
    static let prefix = "https://www.googleapis.com/auth/"
    static let cloudPlatform = prefix + "cloud-platform"
    /// One of them is needed to send (Firebase documentation, Authorize send requests).
    static let sending = [prefix + "firebase.messaging", cloudPlatform]
    /// One of them is needed to impersonate (IAM Service Account Credentials API reference).
    static let impersonating = [cloudPlatform, prefix + "iam"]

    /// Those that official SDKs and command-line tools ask for.
    private static let names: Set<String> = [
        "cloud-platform", "cloud-platform.read-only", "compute", "datastore",
        "devstorage.full_control", "devstorage.read_only", "devstorage.read_write", "firebase",
        "firebase.database", "firebase.messaging", "firebase.readonly", "iam",
        "identitytoolkit", "logging.write", "monitoring", "monitoring.write", "pubsub",
        "service.management.readonly", "servicecontrol", "sqlservice.login", "trace.append",
        "userinfo.email", "userinfo.profile",
    ]
    private static let short: Set<String> = ["openid", "email", "profile"]

    /// The scopes that a text names; nil where there is none, or one that is not known.
    static func list(_ text: String?) -> [String]? {
        list((text ?? "").split(separator: " ").map(String.init))
    }

    static func list(_ scopes: [String]) -> [String]? {
        !scopes.isEmpty && scopes.allSatisfy(isKnown) ? scopes : nil
    }

    private static func isKnown(_ scope: String) -> Bool {
        guard scope.hasPrefix(prefix) else { return short.contains(scope) }
        return names.contains(String(scope.dropFirst(prefix.count)))
    }
}
