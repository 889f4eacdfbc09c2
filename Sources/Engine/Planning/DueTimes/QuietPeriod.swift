package import CampaignModel
package import Time

/// Quiet hours in a time zone.
///
/// An instant is quiet by its own wall clock: `from` is included, `to` is not.
package struct QuietPeriod: Hashable, Sendable {
    private let hours: QuietHours
    private let zone: TimeZoneRules

    package init(_ hours: QuietHours, in zone: TimeZoneRules) {
        self.hours = hours
        self.zone = zone
    }

    package func contains(_ instant: Instant) -> Bool {
        let time = zone.localTime(at: instant).time
        return hours.from <= hours.to
            ? hours.from <= time && time < hours.to : time >= hours.from || time < hours.to
    }

    /// The first instant after a quiet one that is not quiet.
    package func end(after instant: Instant) -> Instant {
        boundary(after: instant, at: hours.to) { !contains($0) }
    }

    /// The first quiet instant after one that is not quiet.
    package func beginning(after instant: Instant) -> Instant {
        boundary(after: instant, at: hours.from, where: contains)
    }

    /// The hours begin and end at a local time or when clocks are set.
    private func boundary(
        after instant: Instant,
        at time: CivilTime,
        where isWanted: (Instant) -> Bool
    ) -> Instant {
        let today = zone.localTime(at: instant).date.daysSince1970
        let limit = instant.advanced(bySeconds: 3 * 86_400)
        var candidates = zone.clockChanges(in: instant..<limit)
        for day in today - 1...today + 2 {
            let local = CivilDateTime(date: CivilDate(daysSince1970: day), time: time)
            candidates += zone.resolve(local).instants
        }
        return candidates.filter { $0 > instant && isWanted($0) }.min() ?? limit
    }
}

extension LocalMoment {
    /// All instants at which clocks show the local time, or the instant to which it moves.
    fileprivate var instants: [Instant] {
        switch self {
        case .unique(let instant): [instant]
        case .skipped(let moved, _): [moved]
        case .doubled(let first, let second): [first, second]
        }
    }
}
