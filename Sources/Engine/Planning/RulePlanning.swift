import CampaignModel
import FCMWire
import JSON
import Scheduling
import State
import Time

/// Campaigns with a repeating rule.
extension Planner {
    /// Plans a rule: of the due slots, the latest is sent that is not late, and the others count as
    /// missed, as in anacron.
    ///
    /// Jitter may make a slot due after a later one, so slots are recorded with their due times: the
    /// one that is due next, and those before the latest due slot that are not due yet.
    /// `slotsAfter`: the rule makes only later slots. Earlier slots were sent or missed, or are
    /// recorded as scheduled.
    func repeating(
        _ schedule: RepeatingSchedule,
        in history: CampaignHistory,
        times: DueTimes
    ) throws(PlanningError) -> (steps: [CampaignStep], slotsAfter: Instant) {
        guard let rules = try? zones.rules(named: schedule.zone) else {
            throw .unknownZone(history.campaign.id, schedule.zone)
        }
        let slots = RuleSlots(schedule, in: rules)
        var plan = RulePlan(for: history, slots: slots, times: times, now: now)
        if let moment = plan.takeDue(), let step = try begin(moment, in: plan, of: history),
            step != .unchanged
        {
            plan.steps.append(step)
        }
        plan.scheduleNext()
        return (plan.steps, plan.slotsAfter)
    }

    /// Starts the slot that is due, unless quiet hours hold it or end it.
    ///
    /// Returns nil if it is already recorded for the end of the hold, and no change if it was already
    /// handed over.
    private func begin(
        _ moment: SlotMoment,
        in plan: RulePlan,
        of history: CampaignHistory
    ) throws(PlanningError) -> CampaignStep? {
        let id = plan.id(of: moment)
        let due = plan.scheduled(moment)
        if plan.isOver(moment) { return .expire(id, due) }
        guard let end = plan.times.hold(of: id)?.end(at: now) else {
            return try begin(history, id: id, at: due)
        }
        let later = plan.times.scheduled(end)
        guard let record = history.record(id), record.status == .scheduled else {
            return .schedule(id, later)
        }
        return record.due == end ? nil : .reschedule(id, from: record.due, to: later)
    }
}

/// Decides what happens to the slots of one rule.
private struct RulePlan {
    private let history: CampaignHistory
    private let slots: RuleSlots
    let times: DueTimes
    private let now: Instant
    /// Slots that are scheduled, unsent and in the current rule, by slot.
    private var kept: [(record: OccurrenceRecord, moment: SlotMoment)]
    /// Slots that are not due yet, and before the latest due one.
    private var waiting: [SlotMoment] = []
    var steps: [CampaignStep]
    private(set) var slotsAfter: Instant

    init(for history: CampaignHistory, slots: RuleSlots, times: DueTimes, now: Instant) {
        self.times = times
        self.history = history
        self.slots = slots
        self.now = now
        var kept: [(record: OccurrenceRecord, moment: SlotMoment)] = []
        steps = []
        for record in history.scheduled {
            let isCurrent = record.id.revision == history.campaign.revision
            if isCurrent, let moment = slots.moment(of: record.id.slot) {
                kept.append((record, moment))
            } else {
                steps.append(.unschedule(record.id, due: record.due))
            }
        }
        self.kept = kept.sorted { $0.moment.moment < $1.moment.moment }
        slotsAfter = history.firstSlotsAfter ?? now
    }

    func id(of moment: SlotMoment) -> OccurrenceID {
        OccurrenceID(history.campaign.id, slot: moment, revision: history.campaign.revision)
    }

    private func isNew(_ moment: SlotMoment) -> Bool {
        history.record(id(of: moment)).map { !$0.happened } ?? true
    }

    private func isKept(_ moment: SlotMoment) -> Bool {
        kept.contains { $0.moment.slot == moment.slot }
    }

    /// Whether the slot is neither sent nor missed.
    private func isPending(_ moment: SlotMoment) -> Bool {
        isNew(moment) && (moment.moment > slotsAfter || isKept(moment))
    }

    // MARK: Times

    /// The due time of a slot without quiet hours.
    private func base(of moment: SlotMoment) -> Instant {
        times.base(of: moment.moment, for: id(of: moment))
    }

    /// The due time of a slot, with jitter and after quiet hours.
    private func dueTime(of moment: SlotMoment) -> Instant {
        let id = id(of: moment)
        return times.due(
            at: moment.moment,
            for: id,
            recorded: history.due(of: history.record(id)),
            now: now
        )
    }

    func scheduled(_ moment: SlotMoment) -> ScheduledMoment {
        times.scheduled(dueTime(of: moment), insteadOf: slots.scheduled(moment))
    }

    private func verdict(on moment: SlotMoment) -> LatePolicy.Late {
        history.campaign.timeliness.verdict(on: dueTime(of: moment), at: now, otherwise: .skip)
    }

    /// When a slot is sent that is not missed: a late one that may be sent waits for the end of
    /// quiet hours, too.
    private func slotTimes(of moment: SlotMoment) -> SlotTimes {
        let due = dueTime(of: moment)
        let mayWait = due <= now && verdict(on: moment) == .send
        let end = mayWait ? times.hold(of: id(of: moment))?.end(at: now) : nil
        return SlotTimes(base: base(of: moment), due: end ?? due)
    }

    /// Whether quiet hours last until the end of the rule.
    func isOver(_ moment: SlotMoment) -> Bool {
        times.isOver(due: dueTime(of: moment), after: base(of: moment), expires: nil)
    }

    /// Whether a later slot is sent instead, because of quiet hours.
    private func isReplaced(_ moment: SlotMoment) -> Bool {
        guard times.mayHold, dueTime(of: moment) > now || verdict(on: moment) == .send else {
            return false
        }
        return SlotReplacement(
            slots,
            reach: times.longestMove,
            now: now,
            times: slotTimes,
            isPending: isPending
        )
        .isReplaced(moment)
    }

    // MARK: Due slots

    /// Whether the slot is due, and not left to a later one.
    private func isDue(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) <= now && !isReplaced(moment)
    }

    /// Whether the slot is due later, and not left to a later one.
    private func isNext(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) > now && !isReplaced(moment)
    }

    /// Notes the missed slots, and returns the slot that is sent; nil if none is.
    mutating func takeDue() -> SlotMoment? {
        let replaced = takeReplaced()
        let due = kept.map(\.moment).filter { dueTime(of: $0) <= now }
        let made = slots.last(after: slotsAfter, upTo: now, where: isDue)
        let all = due + [made].compactMap(\.self)
        guard let latest = all.max(by: { $0.moment < $1.moment }) else {
            note(missed(replaced, upTo: slotsAfter, sent: nil, isSuperseded: true))
            return nil
        }
        let sent = sent(of: due, upTo: latest)
        waiting = slotsWaiting(upTo: latest)
        let unsent = replaced + due.filter { $0.slot != sent?.slot }
        note(missed(unsent, upTo: latest.moment, sent: sent, isSuperseded: sent != nil))
        slotsAfter = max(slotsAfter, latest.moment)
        return sent
    }

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

    /// The slots up to the latest due one that are not due yet, because of their jitter.
    private func slotsWaiting(upTo latest: SlotMoment) -> [SlotMoment] {
        guard history.campaign.timeliness.jitter > 0 else { return [] }
        var found: [SlotMoment] = []
        let start = max(slotsAfter, now.advanced(bySeconds: -times.longestMove))
        slots.visit(after: start, before: latest.moment) { moment in
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
        let recorded = scheduled.isEmpty ? [latest].compactMap(\.self) : scheduled
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

    // MARK: Later slots

    /// Schedules the next slot and those that wait, moves slots after time zone changes, and reports
    /// the changes.
    mutating func scheduleNext() {
        for (record, moment) in kept {
            let due = dueTime(of: moment)
            guard due > now, record.due != due else { continue }
            steps.append(.reschedule(record.id, from: record.due, to: scheduled(moment)))
        }
        let next = slots.earliest(after: times.mayMove ? slotsAfter : now) { moment in
            isNext(moment) ? dueTime(of: moment) : nil
        }?.slot
        for moment in waiting + [next].compactMap(\.self) where !isKept(moment) {
            steps.append(.schedule(id(of: moment), scheduled(moment)))
        }
        guard history.isChanged, steps.allSatisfy(\.isUnscheduling) else { return }
        steps.append(next.map { .redefine(id(of: $0), scheduled($0)) } ?? .ended)
    }
}

extension CampaignStep {
    fileprivate var isUnscheduling: Bool {
        if case .unschedule = self { true } else { false }
    }
}

extension CampaignHistory {
    /// The time up to which the rule's slots were planned; nil for a new or changed rule, which
    /// makes only later slots.
    fileprivate var firstSlotsAfter: Instant? {
        guard let recorded, recorded.content["schedule"] == content.content["schedule"] else {
            return nil
        }
        return recorded.slotsAfter
    }
}
