package import CampaignModel
package import Time

/// The quiet hours of the recipients of an occurrence, each in the recipient's own time zone.
///
/// The occurrence is one send, but each zone has its own due time and may be late, over or replaced
/// on its own. What has begun is a rest, which is never late.
package struct RecipientHours: Hashable, Sendable {
    /// What quiet hours do to the recipients in a zone.
    package enum Fate: Hashable, Sendable {
        case send
        case wait(until: Instant)
        /// They get no message: it is over for them, replaced by the next slot, or too late, which
        /// its author allows.
        case over
        /// It is too late for them.
        case late
    }

    /// What ends a send while quiet hours hold it.
    package struct Limits: Hashable, Sendable {
        /// When the next slot of the rule is due.
        let next: Instant?
        let until: Instant?
        /// When the message expires.
        let expires: Instant?

        package init(next: Instant? = nil, until: Instant? = nil, expires: Instant? = nil) {
            self.next = next
            self.until = until
            self.expires = expires
        }
    }

    private let hours: QuietHours
    private let offset: Int64
    /// Nil without a schedule.
    private let timeliness: LatePolicy?
    private let base: Instant
    private let limits: Limits
    /// The zone of recipients without one.
    package let standard: TimeZoneRules
    /// The columns of the list's people.
    package let columns: PeopleColumns

    /// - Parameters:
    ///   - hours: The quiet hours of the environment.
    ///   - offset: The share of `spread` that the occurrence waits, in seconds.
    ///   - timeliness: The policy for late sends, `fail` if it sets none; nil without a schedule.
    ///   - base: The due time without quiet hours.
    ///   - limits: What ends the send while it waits.
    ///   - standard: The zone of recipients without one.
    ///   - columns: The columns of the list's people.
    package init(
        _ hours: QuietHours,
        offset: Int64,
        timeliness: LatePolicy?,
        base: Instant,
        limits: Limits = Limits(),
        standard: TimeZoneRules,
        columns: PeopleColumns
    ) {
        self.hours = hours
        self.offset = offset
        self.timeliness = timeliness
        self.base = base
        self.limits = limits
        self.standard = standard
        self.columns = columns
    }

    /// Decides about the recipients in a zone.
    ///
    /// - Parameters:
    ///   - zone: Their zone.
    ///   - hasBegun: Whether a request of the occurrence may have been sent.
    ///   - now: The time of the decision.
    /// - Returns: What happens to their messages.
    package func fate(in zone: TimeZoneRules, hasBegun: Bool, at now: Instant) -> Fate {
        let deferral = deferral(in: zone)
        let due = deferral.due(base, at: now)
        guard !hasBegun else {
            guard let end = due > now ? due : deferral.endOfRest(due: base, at: now) else {
                return .send
            }
            return isOver(end) ? .over : .wait(until: end)
        }
        if due > base, isOver(due) || limits.next.map({ $0 <= due }) ?? false { return .over }
        if due > now { return .wait(until: due) }
        switch timeliness?.verdict(on: due, at: now, otherwise: .fail) {
        case .fail?: return .late
        case .skip?: return .over
        case .send?, nil: break
        }
        // With `late: send`, a later night may have begun.
        guard deferral.isQuiet(now) else { return .send }
        let end = deferral.due(now, at: now)
        return isOver(end) ? .over : .wait(until: end)
    }

    /// Returns when quiet hours begin in a zone, after an instant that is not quiet.
    package func beginning(in zone: TimeZoneRules, after instant: Instant) -> Instant {
        deferral(in: zone).nextBeginning(after: instant)
    }

    private func deferral(in zone: TimeZoneRules) -> QuietDeferral {
        QuietDeferral(
            QuietPeriod(hours, in: zone),
            offset: offset,
            lateAfter: timeliness?.lateAfter
        )
    }

    private func isOver(_ due: Instant) -> Bool {
        limits.until.map { due > $0 } ?? false || limits.expires.map { due >= $0 } ?? false
    }
}

extension Campaign {
    /// Whether an occurrence of the campaign addresses recipients in their own time zones.
    var hasZonedRecipients: Bool { division == .shared && peopleColumns.timeZone != nil }
}
