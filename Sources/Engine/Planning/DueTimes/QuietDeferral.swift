import CampaignModel
package import Time

/// Moves the due time of a send out of quiet hours.
///
/// The recipients of a list may have quiet hours in different time zones: the send is then due when
/// the first of them may get it, and is quiet only while none of them may.
package struct QuietDeferral: Hashable, Sendable {
    /// One per time zone; never empty.
    private let periods: [QuietPeriod]
    /// How long the send waits after their end, in seconds.
    private let offset: Int64
    /// How long after its due time a send is late, in seconds; nil if it is never late.
    private let lateAfter: Int64?

    /// - Parameters:
    ///   - period: The quiet hours of the environment, in the zone of the campaign.
    ///   - offset: The share of `spread` that the occurrence waits.
    ///   - lateAfter: How long after its due time a send is late; nil without a schedule.
    package init(_ period: QuietPeriod, offset: Int64, lateAfter: Int64?) {
        self.init([period], offset: offset, lateAfter: lateAfter)
    }

    /// `periods`: the quiet hours in each zone of the recipients, at least one.
    package init(_ periods: [QuietPeriod], offset: Int64, lateAfter: Int64?) {
        precondition(!periods.isEmpty, "quiet hours are in a time zone")
        self.periods = periods
        self.offset = offset
        self.lateAfter = lateAfter
    }

    /// The deferral of what remains of a send in progress, which is never late.
    package var ofRest: QuietDeferral {
        QuietDeferral(periods, offset: offset, lateAfter: nil)
    }

    /// Whether no recipient may get the message.
    package func isQuiet(_ instant: Instant) -> Bool {
        periods.allSatisfy { $0.contains(instant) }
    }

    /// Returns when quiet hours begin next in any of the zones.
    package func nextBeginning(after instant: Instant) -> Instant {
        periods.map { $0.beginning(after: instant) }.min() ?? .latest
    }

    /// Returns when the rest of a send that was due at `due` may be sent; nil if it need not wait.
    ///
    /// Without an interruption in the last quiet hours it does not wait for the offset.
    func endOfRest(due: Instant, at now: Instant) -> Instant? {
        var first: Instant?
        for period in periods {
            guard let end = endOfRest(due: due, in: period, at: now) else { return nil }
            first = first.map { min($0, end) } ?? end
        }
        return first
    }

    private func endOfRest(due: Instant, in period: QuietPeriod, at now: Instant) -> Instant? {
        if period.contains(now) { return self.due(now, in: period, at: now) }
        let before = now.advanced(bySeconds: -offset)
        return before >= due && period.contains(before)
            ? self.due(before, in: period, at: before) : nil
    }

    /// Whether a due time is the end of a hold.
    func follows(_ due: Instant) -> Bool {
        let end = due.advanced(bySeconds: -offset)
        return periods.contains { period in
            [end, due].contains {
                !period.contains($0) && period.contains($0.advanced(bySeconds: -1))
            }
        }
    }

    /// Returns the due time, if the send has not started at `now`.
    ///
    /// Quiet hours also defer a send that was due before they began and was not yet late then. With
    /// several zones it is a due time that has come, if one has and is not late, otherwise the next
    /// one.
    package func due(_ due: Instant, at now: Instant) -> Instant {
        guard periods.count > 1 else { return self.due(due, in: periods[0], at: now) }
        let all = periods.map { self.due(due, in: $0, at: now) }
        let ready = all.filter { $0 <= now && !isLate($0, at: now) }
        return ready.max() ?? all.filter { $0 > now }.min() ?? all.max() ?? due
    }

    private func due(_ due: Instant, in period: QuietPeriod, at now: Instant) -> Instant {
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
