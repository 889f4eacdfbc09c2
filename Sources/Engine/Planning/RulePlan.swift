import CampaignModel
import Scheduling
import State
import Time

/// Decides what happens to the slots of one rule.
struct RulePlan {
    let history: CampaignHistory
    let slots: RuleSlots
    let times: DueTimes
    let now: Instant
    /// Slots that are scheduled, unsent and in the current rule, by slot.
    var kept: [(record: OccurrenceRecord, moment: SlotMoment)]
    /// Slots that are not due yet, and before the latest due one.
    var waiting: [SlotMoment] = []
    var steps: [CampaignStep]
    var slotsAfter: Instant

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

    func isNew(_ moment: SlotMoment) -> Bool {
        history.record(id(of: moment)).map { !$0.happened } ?? true
    }

    func isKept(_ moment: SlotMoment) -> Bool {
        kept.contains { $0.moment.slot == moment.slot }
    }

    /// Whether the slot is neither sent nor missed.
    private func isPending(_ moment: SlotMoment) -> Bool {
        isNew(moment) && (moment.moment > slotsAfter || isKept(moment))
    }

    // MARK: Times

    /// The due time of a slot without quiet hours.
    func base(of moment: SlotMoment) -> Instant {
        times.base(of: moment.moment, for: id(of: moment))
    }

    /// The due time of a slot, with jitter and after quiet hours.
    func dueTime(of moment: SlotMoment) -> Instant {
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

    func verdict(on moment: SlotMoment) -> LatePolicy.Late {
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
    func isReplaced(_ moment: SlotMoment) -> Bool {
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

    // MARK: Later slots

    /// Schedules the next slot and those that wait, moves slots after time zone changes, and reports
    /// the changes.
    ///
    /// `end`: the time up to which the rule is planned in all parts of the campaign.
    mutating func scheduleNext(planned end: Instant?) {
        if let end, end > slotsAfter {
            // A later plan of this part begins there.
            waiting += slotsWaiting(before: end.advanced(bySeconds: 1))
            slotsAfter = end
        }
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
    /// The recorded time up to which the rule's slots were planned; nil for a new or changed rule,
    /// and for a new part.
    fileprivate var firstSlotsAfter: Instant? {
        keepsSchedule && !isNewPart ? recorded?.slotsAfter : nil
    }
}
