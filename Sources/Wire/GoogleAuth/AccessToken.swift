/// What an access token may be used for (Google Identity, OAuth 2.0 scopes for Google APIs).
package enum AccessScope: String, Hashable, Sendable {
    case messaging = "https://www.googleapis.com/auth/firebase.messaging"
    /// What impersonation of a service account is asked for with.
    case cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
}

/// An OAuth 2 bearer token.
///
/// A secret: it does not print itself.
package struct AccessToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// What follows `Bearer ` in the Authorization header.
    package let bearer: String
    /// From the answer that brought it to its expiry; above 0.
    package let life: Duration

    package init(bearer: String, life: Duration) {
        self.bearer = bearer
        self.life = life
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
