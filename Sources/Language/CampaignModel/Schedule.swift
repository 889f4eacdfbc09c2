package import Scheduling
package import Time

/// When a campaign is sent.
package enum Schedule: Hashable, Sendable {
    /// Once, at the next apply.
    case immediate
    case at(ScheduledMoment)
    case repeating(RepeatingSchedule)
}

/// A local time in a zone, and its instant.
package struct ScheduledMoment: Hashable, Sendable {
    package let local: CivilDateTime
    /// An IANA name.
    package let zone: String
    /// The instant; a skipped local time moves forward by the gap, a repeated one is the first.
    package let instant: Instant

    package init(local: CivilDateTime, zone: String, instant: Instant) {
        self.local = local
        self.zone = zone
        self.instant = instant
    }

    /// The default number of seconds past the due time after which a send is late.
    package static let lateAfter: Int64 = 600
}

/// A rule for many local times, with optional bounds.
package struct RepeatingSchedule: Hashable, Sendable {
    /// The rule as its author wrote it.
    package let text: String
    package let pattern: SlotPattern
    /// An IANA name.
    package let zone: String
    /// Earlier slots are excluded.
    package let from: CivilDateTime?
    /// Later slots are excluded.
    package let until: CivilDateTime?

    package init(
        text: String,
        pattern: SlotPattern,
        zone: String,
        from: CivilDateTime?,
        until: CivilDateTime?
    ) {
        self.text = text
        self.pattern = pattern
        self.zone = zone
        self.from = from
        self.until = until
    }
}

/// How due times move, and what happens to a send that is late or in quiet hours.
package struct LatePolicy: Hashable, Sendable {
    package enum Late: String, Hashable, Sendable, CaseIterable {
        case skip
        case send
        case fail
    }

    /// nil means `fail` for a single time and `skip` for a rule.
    package let late: Late?
    /// Seconds past the due time, after which a send is late.
    package let lateAfter: Int64
    /// The last time to send; a send that is deferred beyond it expires.
    package let until: Instant?
    /// The reason to send during quiet hours; nil if the send is deferred until they end.
    package let reasonInQuietHours: String?
    /// Each due time moves by a share of these seconds.
    package let jitter: Int64

    package init(
        late: Late?,
        lateAfter: Int64,
        until: Instant?,
        reasonInQuietHours: String?,
        jitter: Int64 = 0
    ) {
        self.jitter = jitter
        self.late = late
        self.lateAfter = lateAfter
        self.until = until
        self.reasonInQuietHours = reasonInQuietHours
    }

    package static let standard = LatePolicy(
        late: nil,
        lateAfter: ScheduledMoment.lateAfter,
        until: nil,
        reasonInQuietHours: nil
    )
}
