/// The scopes of access tokens (Google Identity, OAuth 2.0 scopes for Google APIs).
enum AccessScope {
    static let prefix = "https://www.googleapis.com/auth/"
    static let cloudPlatform = prefix + "cloud-platform"
    /// Sending requires one of these scopes (Firebase documentation, Authorize send requests).
    static let sending = [prefix + "firebase.messaging", cloudPlatform]
    /// Impersonation requires one of these scopes (IAM Service Account Credentials API reference).
    static let impersonating = [cloudPlatform, prefix + "iam"]

    /// The scopes that official SDKs and command-line tools request.
    private static let names: Set<String> = [
        "cloud-platform", "cloud-platform.read-only", "compute", "datastore",
        "devstorage.full_control", "devstorage.read_only", "devstorage.read_write", "firebase",
        "firebase.database", "firebase.messaging", "firebase.readonly", "iam",
        "identitytoolkit", "logging.write", "monitoring", "monitoring.write", "pubsub",
        "service.management.readonly", "servicecontrol", "sqlservice.login", "trace.append",
        "userinfo.email", "userinfo.profile",
    ]
    private static let short: Set<String> = ["openid", "email", "profile"]

    /// Returns the scopes of a text, or nil if there is none or if one is unknown.
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
