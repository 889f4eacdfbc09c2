/// A text of the shape of a secret, known by its looks wherever it stands.
package enum SecretText: Hashable, Sendable {
    /// `AIza` and 35 characters: the keys of Android apps, Apple apps, browsers and servers.
    case apiKey
    /// A PEM block, such as a service account's, or what stands under `private_key` in JSON.
    case privateKey
    /// The server key of FCM's legacy protocols.
    case legacyServerKey
    /// `ya29.…`, which Google's OAuth server gives for an hour.
    case accessToken
    /// `1//0…`, for which Google's OAuth server gives access tokens.
    case refreshToken
    /// `GOCSPX-…`, of an OAuth client.
    case clientSecret
    /// `ghp_…` and its like.
    case gitHubToken
    /// `xoxb-…` and its like.
    case slackToken
    /// `AKIA…`: the first half of it, which does not stand alone.
    case amazonKey
    /// A JSON Web Token (RFC 7519): it lets in whoever has it until it expires.
    case webToken
    /// One of FCM's registrations.
    case registration
    /// A name and a password before the host of an address.
    case addressUser

    /// What nobody may write into a file of the project, in words; nil where it may stand.
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
