package import CampaignModel
package import Scheduling
package import Time

/// The due times of several slots.
extension DueTimes {
    /// A slot of a rule with its due time.
    package struct DueSlot {
        package let slot: SlotMoment
        package let occurrence: OccurrenceID
        package let due: Instant
    }

    /// Returns the next slots of a rule that are sent, in the order of the rule.
    ///
    /// They are due later than the start of `period` and before its end; at most `limit`.
    package func upcoming(
        _ rule: RepeatingSchedule,
        of campaign: Campaign,
        in period: Range<Instant>,
        limit: Int
    ) -> [DueSlot] {
        let now = period.lowerBound
        let slots = RuleSlots(rule, in: rules)
        let id = { (slot: SlotMoment) in campaign.occurrence(at: slot.slot) }
        let replacement = replacement(among: slots, now: now, id: id)
        var found: [DueSlot] = []
        // Quiet hours and jitter may move a slot that has passed into the period.
        let earlier = now.advanced(bySeconds: -longestMove)
        slots.visit(after: earlier, before: period.upperBound) { slot in
            let due = due(at: slot.moment, for: id(slot), now: now)
            let isSent =
                due > now && due < period.upperBound && replacement?.isReplaced(slot) != true
            // Of slots that jitter makes due at the same time, the latest is sent.
            if isSent, timeliness.jitter > 0 { found.removeAll { $0.due == due } }
            if isSent { found.append(DueSlot(slot: slot, occurrence: id(slot), due: due)) }
            return found.count < limit
        }
        return found
    }

    /// Finds the slots of a rule that are left to a later one; nil without quiet hours.
    ///
    /// A slot whose due time has passed counts as sent.
    func replacement(
        among slots: RuleSlots,
        now: Instant,
        id: @escaping (SlotMoment) -> OccurrenceID
    ) -> SlotReplacement? {
        guard mayHold else { return nil }
        let times = { (slot: SlotMoment) in
            SlotTimes(
                base: base(of: slot.moment, for: id(slot)),
                due: due(at: slot.moment, for: id(slot), now: now)
            )
        }
        return SlotReplacement(
            slots,
            reach: longestMove,
            now: now,
            times: times,
            isPending: { times($0).due > now }
        )
    }

    /// The due time of a slot according to its rule; nil if the rule does not have the slot.
    func moment(of slot: Slot, in rule: RepeatingSchedule) -> Instant? {
        RuleSlots(rule, in: rules).moment(of: slot)?.moment
    }

    /// Finds when the next slot of a rule is due, without quiet hours.
    ///
    /// - Parameters:
    ///   - moment: The time of a slot.
    ///   - base: Its due time. Later slots that jitter makes due before it do not count.
    ///   - occurrence: Its occurrence.
    ///   - rule: The rule.
    /// - Returns: Nil if there is none.
    func next(
        after moment: Instant,
        due base: Instant,
        of occurrence: OccurrenceID,
        in rule: RepeatingSchedule
    ) -> Instant? {
        RuleSlots(rule, in: rules).earliest(after: moment) { slot in
            let id = OccurrenceID(
                campaign: occurrence.campaign,
                slot: Slot(slot.slot, in: occurrence.slot.zone),
                revision: occurrence.revision
            )
            let due = self.base(of: slot.moment, for: id)
            return due > base ? due : nil
        }?.due
    }
}
