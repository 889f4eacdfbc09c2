/// The scope of an access token (Google Identity, OAuth 2.0 scopes for Google APIs).
package enum AccessScope: String, Hashable, Sendable {
    case messaging = "https://www.googleapis.com/auth/firebase.messaging"
    /// Required for impersonating a service account.
    case cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
}

/// An OAuth 2 bearer token.
///
/// It is a secret and does not print itself.
package struct AccessToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The text after `Bearer ` in the Authorization header.
    package let bearer: String
    /// The time from the answer that contained the token to its expiry; above 0.
    package let life: Duration

    package init(bearer: String, life: Duration) {
        self.bearer = bearer
        self.life = life
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
