package import FoundationEssentials

/// What an access token may be used for (Google Identity, OAuth 2.0 scopes for Google APIs).
package enum AccessScope: String, Hashable, Sendable {
    case messaging = "https://www.googleapis.com/auth/firebase.messaging"
}

/// An OAuth 2 bearer token.
///
/// A secret: it does not print itself.
package struct AccessToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// What follows `Bearer ` in the Authorization header.
    package let bearer: String
    package let expiry: Date

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
