package import Scheduling
package import Time

/// When a campaign is sent.
package enum Schedule: Hashable, Sendable {
    /// At the next apply, once.
    case immediate
    case at(ScheduledMoment)
    case repeating(RepeatingSchedule)
}

/// A local time in a zone, and the instant that it means there.
package struct ScheduledMoment: Hashable, Sendable {
    package let local: CivilDateTime
    /// An IANA name.
    package let zone: String
    /// The utc instant; a skipped local time moves forward by the gap, a doubled one is the first.
    package let instant: Instant

    package init(local: CivilDateTime, zone: String, instant: Instant) {
        self.local = local
        self.zone = zone
        self.instant = instant
    }

    /// Later than this past its moment a send is late, in seconds.
    package static let lateAfter: Int64 = 600
}

/// A rule that names many local times, between two bounds.
package struct RepeatingSchedule: Hashable, Sendable {
    /// The rule as its author wrote it.
    package let text: String
    package let pattern: SlotPattern
    /// An IANA name.
    package let zone: String
    /// Slots before this local time are left out.
    package let from: CivilDateTime?
    /// Slots after this local time are left out.
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

/// What becomes of a send whose moment is not a good one.
package struct Timeliness: Hashable, Sendable {
    package enum Late: String, Hashable, Sendable, CaseIterable {
        case skip
        case send
        case fail
    }

    /// Nil is `fail` for one moment and `skip` for a rule.
    package let late: Late?
    /// Seconds past the moment; more is late.
    package let lateAfter: Int64
    /// The last moment of sending; what was held until after it is expired.
    package let until: Instant?
    /// Why it is sent in quiet hours too; nil where it is held until they end.
    package let reasonInQuietHours: String?

    package init(late: Late?, lateAfter: Int64, until: Instant?, reasonInQuietHours: String?) {
        self.late = late
        self.lateAfter = lateAfter
        self.until = until
        self.reasonInQuietHours = reasonInQuietHours
    }

    package static let standard = Timeliness(
        late: nil,
        lateAfter: ScheduledMoment.lateAfter,
        until: nil,
        reasonInQuietHours: nil
    )
}
