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

    /// Returns when the rest of a send that was due at `due` may be sent; nil if it need not wait.
    ///
    /// Without an interruption in the last quiet hours it does not wait for the offset.
    func endOfRest(due: Instant, at now: Instant) -> Instant? {
        if period.contains(now) { return self.due(now, at: now) }
        let before = now.advanced(bySeconds: -offset)
        return before >= due && period.contains(before) ? self.due(before, at: before) : nil
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
