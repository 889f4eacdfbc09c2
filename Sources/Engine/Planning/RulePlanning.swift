import CampaignModel
import FCMWire
import JSON
import Scheduling
import State
import Time

/// Campaigns with a repeating rule.
extension Planner {
    /// Plans a rule: the latest due slot is sent, and the earlier ones count as missed, as in
    /// anacron.
    ///
    /// The next slot is recorded with its due time. `slotsAfter`: the rule makes only slots that
    /// are due later. Earlier slots were sent or missed, or are recorded as scheduled.
    func repeating(
        _ schedule: RepeatingSchedule,
        in history: CampaignHistory,
        times: DueTimes
    ) throws(PlanningError) -> (steps: [CampaignStep], slotsAfter: Instant) {
        let rules = times.rules(ofZone: schedule.zone, in: zones)
        guard let rules else { throw .unknownZone(history.campaign.id, schedule.zone) }
        let slots = RuleSlots(schedule, in: rules)
        var plan = RulePlan(for: history, slots: slots, times: times, now: now)
        if let due = plan.takeDue() {
            plan.steps += due.missed
            if let moment = due.sent, let step = try begin(moment, in: plan, of: history),
                step != .unchanged
            {
                plan.steps.append(step)
            }
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
    /// Slots that are scheduled, unsent and in the current rule, by due time.
    private let kept: [(record: OccurrenceRecord, moment: SlotMoment)]
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
            let isCurrent =
                record.id.revision == history.campaign.revision
                && record.id.slot.part == history.campaign.division.part
            if isCurrent, let moment = slots.moment(of: record.id.slot) {
                kept.append((record, moment))
            } else {
                steps.append(.unschedule(record.id, due: record.due))
            }
        }
        self.kept = kept.sorted { $0.moment.moment < $1.moment.moment }
        slotsAfter = Self.beginning(of: history, slots: slots) ?? now
    }

    /// The time up to which the rule's slots were planned; nil for a new or changed rule, which
    /// makes only later slots.
    ///
    /// The parts of a campaign share the recorded time, and one of them may be planned without the
    /// others: its own slots say how far it is.
    private static func beginning(of history: CampaignHistory, slots: RuleSlots) -> Instant? {
        guard let recorded = history.firstSlotsAfter else { return nil }
        guard history.campaign.division.part != nil, let last = history.lastSlot,
            let moment = slots.moment(of: Slot(last))
        else { return recorded }
        return max(recorded, moment.moment)
    }

    func id(of moment: SlotMoment) -> OccurrenceID {
        history.campaign.occurrence(at: moment.slot)
    }

    private func isNew(_ moment: SlotMoment) -> Bool {
        history.record(id(of: moment)).map { !$0.happened } ?? true
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

    /// Whether quiet hours last until the end of the rule.
    func isOver(_ moment: SlotMoment) -> Bool {
        let base = times.base(of: moment.moment, for: id(of: moment))
        return times.isOver(due: dueTime(of: moment), after: base, expires: nil)
    }

    /// Whether the slot is due and sent.
    private func isDue(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) <= now && !isReplaced(moment)
    }

    /// Whether a later slot is sent instead, because quiet hours hold this one.
    private func isReplaced(_ moment: SlotMoment) -> Bool {
        guard times.hold(of: id(of: moment)) != nil else { return false }
        let next = slots.next(after: moment.moment) { _ in true }
        return times.isReplaced(
            moment.moment,
            for: id(of: moment),
            by: next?.moment,
            now: now
        )
    }

    /// Nil if nothing is due.
    mutating func takeDue() -> (sent: SlotMoment?, missed: [CampaignStep])? {
        let waiting = kept.filter { dueTime(of: $0.moment) <= now }
        let made = slots.last(after: slotsAfter, upTo: now, where: isDue)
        let due = waiting.map(\.moment) + [made].compactMap(\.self)
        guard let latest = due.max(by: { $0.moment < $1.moment }) else { return nil }
        let verdict = history.campaign.timeliness
            .verdict(on: dueTime(of: latest), at: now, otherwise: .skip)
        let missed = missed(before: latest, waiting: waiting, isSent: verdict == .send)
        slotsAfter = max(slotsAfter, latest.moment)
        return (verdict == .send ? latest : nil, missed)
    }

    private func missed(
        before latest: SlotMoment,
        waiting: [(record: OccurrenceRecord, moment: SlotMoment)],
        isSent: Bool
    ) -> [CampaignStep] {
        let start = slotsAfter
        let isMissed = { (moment: SlotMoment) in
            isNew(moment) && !(isSent && moment.slot == latest.slot)
        }
        let made = slots.count(
            after: start,
            upTo: latest.moment,
            limit: MissedSlots.maximumCount,
            where: isMissed
        )
        let old = waiting.filter { $0.moment.moment <= start && isMissed($0.moment) }
        let count = min(made.count + old.count, MissedSlots.maximumCount)
        let firsts = old.map(\.moment.moment) + [made.first].compactMap(\.self)
        guard count > 0, let first = firsts.min() else { return [] }
        var recorded = waiting.filter { isMissed($0.moment) }.map(\.moment)
        let last = slots.last(after: start, upTo: latest.moment, where: isMissed) ?? recorded.last
        // A part finds there how far it is.
        if history.campaign.division.part != nil, let last, !recorded.isEmpty,
            !recorded.contains(where: { $0.slot == last.slot })
        {
            recorded.append(last)
        }
        let timeliness = history.campaign.timeliness
        return [
            .miss(
                MissedSlots(
                    occurrences: (recorded.isEmpty ? [last].compactMap(\.self) : recorded)
                        .map { MissedSlots.Slot(occurrence: id(of: $0), due: $0.moment) },
                    count: count,
                    first: first,
                    last: last?.moment ?? first,
                    isFailure: timeliness.late == .fail
                        && (!isSent || timeliness.isLate(first, at: now)),
                    isSuperseded: isSent
                )
            )
        ]
    }

    /// Whether a slot is due later.
    private func isNext(_ moment: SlotMoment) -> Bool {
        isNew(moment) && dueTime(of: moment) > now && !isReplaced(moment)
    }

    /// Schedules the next slot, moves slots after time zone changes, and reports the changes.
    mutating func scheduleNext() {
        for (record, moment) in kept {
            let due = dueTime(of: moment)
            guard due > now, record.due != due else { continue }
            steps.append(.reschedule(record.id, from: record.due, to: scheduled(moment)))
        }
        let next = slots.next(after: times.mayMove ? slotsAfter : now, where: isNext)
        if let next, !kept.contains(where: { $0.moment.slot == next.slot }) {
            steps.append(.schedule(id(of: next), scheduled(next)))
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
    /// The recorded time up to which the rule's slots were planned; nil for a new or changed rule,
    /// and for a new part.
    fileprivate var firstSlotsAfter: Instant? {
        keepsSchedule && !isNewPart ? recorded?.slotsAfter : nil
    }
}
