package import CampaignModel
package import Time

/// What a pause keeps from being sent.
package enum PauseScope: Hashable, Sendable {
    case everything
    case campaign(CampaignID)
}

/// Word from somebody that nothing is to be sent until he says so.
package struct Pause: Hashable, Sendable {
    package let scope: PauseScope
    package let since: Instant
    package let user: String
    package let host: String

    package init(scope: PauseScope, since: Instant, user: String, host: String) {
        self.scope = scope
        self.since = since
        self.user = user
        self.host = host
    }
}

/// What becomes of the requests of an occurrence that nobody knows the outcome of.
///
/// The raw values are stored: they never change.
package enum Resolution: UInt8, Hashable, Sendable, CaseIterable {
    /// They count as accepted.
    case sent = 0
    /// They are sent again.
    case resend = 1
    /// They are given up.
    case drop = 2
}

/// A resolution that waits for the writer to perform it.
package struct RequestedResolution: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let resolution: Resolution
    /// How many requests were unknown when its author decided: it is about these and no others.
    package let unknown: Int
    package let user: String
    package let host: String
    package let at: Instant

    package init(
        occurrence: OccurrenceID,
        resolution: Resolution,
        unknown: Int,
        user: String,
        host: String,
        at: Instant
    ) {
        self.occurrence = occurrence
        self.resolution = resolution
        self.unknown = unknown
        self.user = user
        self.host = host
        self.at = at
    }
}

/// Why a sending goes no further until somebody says so.
///
/// The raw values are stored: they never change.
package enum Hold: String, Hashable, Sendable, CaseIterable {
    /// Of the first answers of a list too many said dead or mismatched registration.
    case mostlyDead = "mostly-dead"
    /// FCM refused the message itself for one registration after the other.
    case refusedPayload = "refused-payload"
}
