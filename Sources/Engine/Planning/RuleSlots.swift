package import CampaignModel
package import Scheduling
package import Time

/// The slots of a campaign's rule between its bounds, with their due times.
struct RuleSlots {
    private let schedule: RepeatingSchedule
    private let occurrences: Occurrences

    init(_ schedule: RepeatingSchedule, in rules: TimeZoneRules) {
        self.schedule = schedule
        occurrences = Occurrences(schedule.pattern, in: rules)
    }

    /// Returns the first slot that is due later than `instant`.
    func next(after instant: Instant, where isWanted: (SlotMoment) -> Bool) -> SlotMoment? {
        let from = schedule.from.map { occurrences.zone.resolve($0).instant }
        let start = max(instant, from?.advanced(bySeconds: -1) ?? instant)
        for moment in occurrences.moments(after: start) {
            if let until = schedule.until, moment.slot > until { return nil }
            if isWithinBounds(moment), isWanted(moment) { return moment }
        }
        return nil
    }

    /// Returns the slot after `instant` that is due first, with its due time: the latest one, if
    /// several are due then.
    ///
    /// `due`: the due time of a slot, not before the slot itself; nil for an unwanted slot.
    func earliest(
        after instant: Instant,
        due: (SlotMoment) -> Instant?
    ) -> (slot: SlotMoment, due: Instant)? {
        var found: (slot: SlotMoment, due: Instant)?
        _ = next(after: instant) { slot in
            if let found, found.due < slot.moment { return true }
            if let due = due(slot), due <= found?.due ?? .latest { found = (slot, due) }
            return false
        }
        return found
    }

    /// Returns at most `limit` slots that are due later than `start` and before `end`, from the
    /// first on.
    func moments(after start: Instant, before end: Instant, limit: Int) -> [SlotMoment] {
        let bounds = range(from: start, to: end)
        guard bounds.start < bounds.end else { return [] }
        return Array(
            occurrences.moments(after: bounds.start).lazy
                .prefix { $0.moment < end && $0.moment <= bounds.end }
                .filter(isWithinBounds)
                .prefix(limit)
        )
    }

    /// Visits the slots that are due later than `start` and before `end`, until the visitor returns
    /// false.
    func visit(after start: Instant, before end: Instant, _ visit: (SlotMoment) -> Bool) {
        let bounds = range(from: start, to: end)
        guard bounds.start < bounds.end else { return }
        for moment in occurrences.moments(after: bounds.start) {
            guard moment.moment < end, moment.moment <= bounds.end else { return }
            guard !isWithinBounds(moment) || visit(moment) else { return }
        }
    }

    /// Returns the last slot that is due later than `start` and not later than `end`.
    func last(
        after start: Instant,
        upTo end: Instant,
        where isWanted: (SlotMoment) -> Bool
    ) -> SlotMoment? {
        let bounds = range(from: start, to: end)
        return occurrences.last(after: bounds.start, upTo: bounds.end) {
            isWithinBounds($0) && isWanted($0)
        }
    }

    /// Counts slots that are due later than `start` and not later than `end`, up to a limit, and
    /// returns the first due time.
    func count(
        after start: Instant,
        upTo end: Instant,
        limit: Int,
        where isWanted: (SlotMoment) -> Bool
    ) -> (count: Int, first: Instant?) {
        let bounds = range(from: start, to: end)
        var count = 0
        var first: Instant?
        guard bounds.start < bounds.end else { return (0, nil) }
        for moment in occurrences.moments(after: bounds.start) {
            guard moment.moment <= bounds.end, count < limit else { break }
            guard isWithinBounds(moment), isWanted(moment) else { continue }
            first = first ?? moment.moment
            count += 1
        }
        return (count, first)
    }

    /// Returns a slot's due time, or nil if the rule does not contain the slot.
    func moment(of slot: Slot) -> SlotMoment? {
        slot.local.flatMap(occurrences.moment).flatMap { isWithinBounds($0) ? $0 : nil }
    }

    func scheduled(_ moment: SlotMoment) -> ScheduledMoment {
        ScheduledMoment(local: moment.slot, zone: schedule.zone, instant: moment.moment)
    }

    private func isWithinBounds(_ moment: SlotMoment) -> Bool {
        moment.slot >= schedule.from ?? moment.slot && moment.slot <= schedule.until ?? moment.slot
    }

    /// Intersects a period with the rule's bounds, so that no loop visits slots outside them.
    ///
    /// The result is one day longer, because time zone changes move slots.
    private func range(from start: Instant, to end: Instant) -> (start: Instant, end: Instant) {
        let day: Int64 = 86_400
        let zone = occurrences.zone
        let first = schedule.from.map { zone.resolve($0).instant.advanced(bySeconds: -day) }
        let last = schedule.until.map { zone.resolve($0).instant.advanced(bySeconds: day) }
        return (max(start, first ?? start), min(end, last ?? end))
    }
}

extension RepeatingSchedule {
    /// Returns at most `limit` slots that are due later than `start` and before `end`, with the
    /// rules of the slots' time zone.
    package func moments(
        after start: Instant,
        before end: Instant,
        limit: Int,
        in rules: TimeZoneRules
    ) -> [SlotMoment] {
        RuleSlots(self, in: rules).moments(after: start, before: end, limit: limit)
    }
}
