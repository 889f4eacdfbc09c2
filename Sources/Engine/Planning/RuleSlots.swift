package import CampaignModel
package import Scheduling
package import Time

/// The slots of a campaign's rule, between its bounds, and when they are due.
struct RuleSlots {
    private let schedule: RepeatingSchedule
    private let occurrences: Occurrences

    init(_ schedule: RepeatingSchedule, in rules: TimeZoneRules) {
        self.schedule = schedule
        occurrences = Occurrences(schedule.pattern, in: rules)
    }

    /// The first slot that is due later than `instant`.
    func next(after instant: Instant, where isWanted: (SlotMoment) -> Bool) -> SlotMoment? {
        let from = schedule.from.map { occurrences.zone.resolve($0).instant }
        let start = max(instant, from?.advanced(bySeconds: -1) ?? instant)
        for moment in occurrences.moments(after: start) {
            if let until = schedule.until, moment.slot > until { return nil }
            if isWithinBounds(moment), isWanted(moment) { return moment }
        }
        return nil
    }

    /// The first slots that are due later than `start` and before `end`, at most `limit`.
    func moments(after start: Instant, before end: Instant, limit: Int) -> [SlotMoment] {
        let bounds = range(start, end)
        guard bounds.start < bounds.end else { return [] }
        return Array(
            occurrences.moments(after: bounds.start).lazy
                .prefix { $0.moment < end && $0.moment <= bounds.end }
                .filter(isWithinBounds)
                .prefix(limit)
        )
    }

    /// The last slot that is due later than `start` and not later than `end`.
    func last(
        after start: Instant,
        upTo end: Instant,
        where isWanted: (SlotMoment) -> Bool
    ) -> SlotMoment? {
        let bounds = range(start, end)
        return occurrences.last(after: bounds.start, upTo: bounds.end) {
            isWithinBounds($0) && isWanted($0)
        }
    }

    /// How many slots are due later than `start` and not later than `end`, counted up to a limit;
    /// and when the first is.
    func count(
        after start: Instant,
        upTo end: Instant,
        limit: Int,
        where isWanted: (SlotMoment) -> Bool
    ) -> (count: Int, first: Instant?) {
        let bounds = range(start, end)
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

    /// When a slot is due; nil where the rule does not have it.
    func moment(of slot: Slot) -> SlotMoment? {
        slot.local.flatMap(occurrences.moment).flatMap { isWithinBounds($0) ? $0 : nil }
    }

    func scheduled(_ moment: SlotMoment) -> ScheduledMoment {
        ScheduledMoment(local: moment.slot, zone: schedule.zone, instant: moment.moment)
    }

    private func isWithinBounds(_ moment: SlotMoment) -> Bool {
        moment.slot >= schedule.from ?? moment.slot && moment.slot <= schedule.until ?? moment.slot
    }

    /// The part of a stretch of time in which the bounds leave anything, so that nobody walks
    /// through what lies before or behind them; a day more, as clocks move slots.
    private func range(_ start: Instant, _ end: Instant) -> (start: Instant, end: Instant) {
        let day: Int64 = 86_400
        let zone = occurrences.zone
        let first = schedule.from.map { zone.resolve($0).instant.advanced(bySeconds: -day) }
        let last = schedule.until.map { zone.resolve($0).instant.advanced(bySeconds: day) }
        return (max(start, first ?? start), min(end, last ?? end))
    }
}

extension RepeatingSchedule {
    /// The first slots that are due later than `start` and before `end`, at most `limit`; the rules
    /// are those of its zone.
    package func moments(
        after start: Instant,
        before end: Instant,
        limit: Int,
        in rules: TimeZoneRules
    ) -> [SlotMoment] {
        RuleSlots(self, in: rules).moments(after: start, before: end, limit: limit)
    }
}
