import CampaignModel
import Scheduling
import State
import Time

/// The slots that are due, and those that are missed.
extension RulePlan {
    /// Whether the slot is due, and not left to a later one.
    private func isDue(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) <= now && !isReplaced(moment)
    }

    /// Whether the slot is due later, and not left to a later one.
    func isNext(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) > now && !isReplaced(moment)
    }

    /// Notes the missed slots, and returns the slot that is sent; nil if none is.
    mutating func takeDue() -> SlotMoment? {
        let replaced = takeReplaced()
        let due = kept.map(\.moment).filter { dueTime(of: $0) <= now }
        let made = slots.last(after: slotsAfter, upTo: now, where: isDue)
        let latest = (due + [made].compactMap(\.self)).max { $0.moment < $1.moment }
        let sent = latest.flatMap { self.sent(of: due, upTo: $0) }
        let end = end(latest: latest, replaced: replaced)
        waiting = slotsWaiting(before: end)
        let unsent = replaced + due.filter { $0.slot != sent?.slot }
        note(missed(unsent, upTo: end, sent: sent, isSuperseded: latest == nil || sent != nil))
        slotsAfter = end
        return sent
    }

    /// The time up to which the rule is planned.
    ///
    /// The next plan of a part begins after the last slot that happened, so that includes those that
    /// are left to a later one.
    private func end(latest: SlotMoment?, replaced: [SlotMoment]) -> Instant {
        let planned = isPart ? replaced + [latest].compactMap(\.self) : [latest].compactMap(\.self)
        return planned.map(\.moment).reduce(slotsAfter, max)
    }

    private var isPart: Bool { history.campaign.division.part != nil }

    /// Removes and returns the scheduled slots that quiet hours leave to a later one.
    private mutating func takeReplaced() -> [SlotMoment] {
        let replaced = kept.filter { isReplaced($0.moment) }
        guard !replaced.isEmpty else { return [] }
        kept.removeAll { entry in replaced.contains { $0.moment.slot == entry.moment.slot } }
        // The hours have changed since it was scheduled.
        for (record, moment) in replaced where base(of: moment) > now {
            steps.append(.unschedule(record.id, due: record.due))
        }
        return replaced.map(\.moment).filter { base(of: $0) <= now }
    }

    /// The latest due slot that is not late; nil if all are.
    private func sent(of due: [SlotMoment], upTo latest: SlotMoment) -> SlotMoment? {
        if verdict(on: latest) == .send { return latest }
        // An earlier slot is later due only by its jitter.
        let jitter = history.campaign.timeliness.jitter
        guard jitter > 0 else { return nil }
        let made = slots.last(
            after: max(slotsAfter, latest.moment.advanced(bySeconds: -jitter)),
            upTo: latest.moment
        ) { isDue($0) && verdict(on: $0) == .send }
        let kept = due.filter { verdict(on: $0) == .send }
        return (kept + [made].compactMap(\.self)).max { $0.moment < $1.moment }
    }

    /// The slots before a planned time that are not due yet, because of their jitter.
    func slotsWaiting(before end: Instant) -> [SlotMoment] {
        guard history.campaign.timeliness.jitter > 0 else { return [] }
        var found: [SlotMoment] = []
        let start = max(slotsAfter, now.advanced(bySeconds: -times.longestMove))
        slots.visit(after: start, before: end) { moment in
            if isNext(moment) { found.append(moment) }
            return true
        }
        return found
    }

    private mutating func note(_ missed: MissedSlots?) {
        if let missed { steps.append(.miss(missed)) }
    }

    /// Counts the slots that are not sent.
    ///
    /// `scheduled`: those that are recorded. The others follow `slotsAfter`.
    private func missed(
        _ scheduled: [SlotMoment],
        upTo end: Instant,
        sent: SlotMoment?,
        isSuperseded: Bool
    ) -> MissedSlots? {
        let start = slotsAfter
        let others = Set((scheduled + waiting + [sent].compactMap(\.self)).map(\.slot))
        let isMissed = { (moment: SlotMoment) in
            isNew(moment) && !isKept(moment) && !others.contains(moment.slot)
        }
        let limit = MissedSlots.maximumCount
        let made = slots.count(after: start, upTo: end, limit: limit, where: isMissed)
        let moments = scheduled.map(\.moment)
        guard let first = (moments + [made.first].compactMap(\.self)).min() else { return nil }
        let latest = slots.last(after: start, upTo: end, where: isMissed)
        var recorded = scheduled
        // A part finds there how far it is.
        if let latest, recorded.isEmpty || isPart { recorded.append(latest) }
        let timeliness = history.campaign.timeliness
        return MissedSlots(
            occurrences: recorded.map {
                MissedSlots.Slot(occurrence: id(of: $0), due: $0.moment)
            },
            count: min(made.count + scheduled.count, limit),
            first: first,
            last: (moments + [latest?.moment].compactMap(\.self)).max() ?? first,
            isFailure: timeliness.late == .fail
                && (!isSuperseded || timeliness.isLate(first, at: now)),
            isSuperseded: isSuperseded
        )
    }
}
