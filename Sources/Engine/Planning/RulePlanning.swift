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
    /// `RulePlan.scheduleNext` completes the plan.
    ///
    /// Jitter may make a slot due after a later one, so slots are recorded with their due times: the
    /// one that is due next, and those before the latest due slot that are not due yet.
    /// `slotsAfter`: the rule makes only later slots. Earlier slots were sent or missed, or are
    /// recorded as scheduled.
    func repeating(
        _ schedule: RepeatingSchedule,
        in history: CampaignHistory,
        times: DueTimes
    ) throws(PlanningError) -> RulePlan {
        let rules = times.rules(ofZone: schedule.zone, in: zones)
        guard let rules else { throw .unknownZone(history.campaign.id, schedule.zone) }
        let slots = RuleSlots(schedule, in: rules)
        var plan = RulePlan(for: history, slots: slots, times: times, now: now)
        if let moment = plan.takeDue(), let step = try begin(moment, in: plan, of: history),
            step != .unchanged
        {
            plan.steps.append(step)
        }
        return plan
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
