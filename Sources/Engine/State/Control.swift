package import CampaignModel
package import Time

/// The scope of a pause.
package enum PauseScope: Hashable, Sendable {
    case everything
    case campaign(CampaignID)
}

/// A request to stop sending until it is lifted.
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

/// What to do with the unknown requests of an occurrence.
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

/// A resolution that waits for the writer.
package struct RequestedResolution: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let resolution: Resolution
    /// Number of unknown requests when the user decided; the resolution applies only to these.
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

/// Why an occurrence stops until a user releases it.
///
/// The raw values are stored: they never change.
package enum Hold: String, Hashable, Sendable, CaseIterable {
    /// Too many of a list's first answers report dead or mismatched registrations.
    case mostlyDead = "mostly-dead"
    /// FCM rejected the message itself for several registrations in a row.
    case refusedPayload = "refused-payload"
    /// A worker of the fleet is gone after a failover that may have lost what it recorded.
    case lostWorker = "lost-worker"
    /// Its rollout stopped, or a person ended it; never stored as a hold, because only the rollout's record tells.
    case rollout
}
