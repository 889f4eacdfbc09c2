/// The kind of a secret that is recognized by its form.
package enum SecretText: Hashable, Sendable {
    /// `AIza` and 35 characters: the keys of Android apps, Apple apps, browsers and servers.
    case apiKey
    /// A PEM block, such as a service account's, or the value of `private_key` in JSON.
    case privateKey
    /// A server key for the legacy FCM protocols.
    case legacyServerKey
    /// `ya29.…`, which Google's OAuth server issues for one hour.
    case accessToken
    /// `1//0…`, which Google's OAuth server exchanges for access tokens.
    case refreshToken
    /// `GOCSPX-…` of an OAuth client.
    case clientSecret
    /// `ghp_…` and similar tokens.
    case gitHubToken
    /// `xoxb-…` and similar tokens.
    case slackToken
    /// `AKIA…`: the ID of an access key, which is used together with a secret.
    case amazonKey
    /// A JSON Web Token (RFC 7519), which grants access to any holder until it expires.
    case webToken
    /// An FCM registration.
    case registration
    /// A name and a password before the host of an address.
    case addressUser

    /// The English name of a credential that no project file may contain; nil if it is allowed.
    package var credentialName: String? {
        switch self {
        case .apiKey: "an API key"
        case .privateKey: "a private key"
        case .legacyServerKey: "a server key"
        case .accessToken: "an OAuth access token"
        case .refreshToken: "an OAuth refresh token"
        case .clientSecret: "an OAuth client secret"
        case .gitHubToken: "a GitHub token"
        case .slackToken: "a Slack token"
        case .amazonKey: "an AWS access key"
        case .webToken, .registration, .addressUser: nil
        }
    }

    package static func kinds(in text: String) -> Set<SecretText> {
        var text = text
        return text.withUTF8 { bytes in Set(SecretScan(bytes).found.map(\.kind)) }
    }
}
