import CampaignModel
package import Time

/// Moves the due time of a send out of quiet hours.
package struct QuietDeferral: Hashable, Sendable {
    private let period: QuietPeriod
    /// How long the send waits after their end, in seconds.
    private let offset: Int64
    /// How long after its due time a send is late, in seconds; nil if it is never late.
    private let lateAfter: Int64?

    /// - Parameters:
    ///   - period: The quiet hours of the environment, in the zone of the campaign.
    ///   - offset: The share of `spread` that the occurrence waits.
    ///   - lateAfter: How long after its due time a send is late; nil without a schedule.
    package init(_ period: QuietPeriod, offset: Int64, lateAfter: Int64?) {
        self.period = period
        self.offset = offset
        self.lateAfter = lateAfter
    }

    package func isQuiet(_ instant: Instant) -> Bool { period.contains(instant) }

    package func nextBeginning(after instant: Instant) -> Instant {
        period.beginning(after: instant)
    }

    /// Returns when a send goes on that quiet hours have interrupted; nil if it may go on.
    func endOfRest(at now: Instant) -> Instant? {
        let last = [now, now.advanced(bySeconds: -offset)].first(where: period.contains)
        return last.map { due($0, at: $0) }
    }

    /// Whether a due time is the end of a hold.
    func follows(_ due: Instant) -> Bool {
        let end = due.advanced(bySeconds: -offset)
        return [end, due].contains {
            !period.contains($0) && period.contains($0.advanced(bySeconds: -1))
        }
    }

    /// Returns the due time, if the send has not started at `now`.
    ///
    /// Quiet hours also defer a send that was due before they began and was not yet late then.
    package func due(_ due: Instant, at now: Instant) -> Instant {
        var due = due
        while true {
            let beginning: Instant
            if period.contains(due) {
                beginning = due
            } else {
                beginning = period.beginning(after: due)
                guard beginning <= now, !isLate(due, at: beginning) else { return due }
            }
            let moved = period.end(after: beginning).advanced(bySeconds: offset)
            // A spread that ends in the next quiet hours would defer the send forever.
            due = period.contains(moved) ? period.end(after: beginning) : moved
        }
    }

    private func isLate(_ due: Instant, at moment: Instant) -> Bool {
        lateAfter.map { moment.seconds(since: due) > $0 } ?? false
    }
}
