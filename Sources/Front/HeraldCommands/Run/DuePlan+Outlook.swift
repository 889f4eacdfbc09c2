import CampaignModel
import Planning
import Service
import Time

extension DuePlan {
    /// The occurrences that wait for a user.
    var waitingForUser: [OccurrenceID: ServiceMetrics.OccurrenceResult] {
        var waiting: [OccurrenceID: ServiceMetrics.OccurrenceResult] = [:]
        for action in plan.campaigns {
            switch action.step {
            case .held(let send, _): waiting[send.occurrence] = .held
            case .stopped(let occurrence, _): waiting[occurrence] = .stopped
            case .send, .resume, .handOver, .lapse, .paused, .rename, .schedule, .reschedule,
                .expire, .skip, .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered,
                .ended, .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
                break
            }
        }
        return waiting
    }

    /// What metrics show of the state.
    func outlook(at now: Instant) -> ServiceMetrics.Outlook {
        let steps = plan.campaigns.map(\.step)
        let due = plan.campaigns.compactMap { action -> Instant? in
            guard let send = action.step.began else { return nil }
            let moved = send.hold?.deferral.due(send.due, at: now) ?? send.due
            return moved <= now ? moved : nil
        }
        return ServiceMetrics.Outlook(
            scheduled: scheduled,
            held: steps.count(where: \.isHeld),
            stopped: steps.count(where: \.isStopped),
            paused: steps.count(where: \.isPaused),
            next: next,
            oldestDue: due.min()
        )
    }
}
