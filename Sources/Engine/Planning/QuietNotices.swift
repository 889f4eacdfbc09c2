import CampaignMessages
import CampaignModel
import RegistrationLists
import Scheduling
import State
import Time

/// Notices about sends that quiet hours move or interrupt.
extension Planner {
    func quietNotices(
        on history: CampaignHistory,
        step: CampaignStep,
        times: DueTimes
    ) -> [PlanNotice] {
        switch step {
        case .send(let send), .handOver(let send): return interruption(of: send, times: times)
        case .schedule(let id, let due), .reschedule(let id, _, let due):
            return notices(on: history, id: id, due: due, times: times)
        case .redefine(_, let due):
            guard let id = history.campaign.onlyOccurrence else { return [] }
            return notices(on: history, id: id, due: due, times: times)
        case .resume, .lapse, .paused, .held, .rename, .expire, .skip, .miss, .unschedule, .outlive,
            .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .unchanged:
            return []
        }
    }

    /// Returns notices about an occurrence that is sent later.
    private func notices(
        on history: CampaignHistory,
        id: OccurrenceID,
        due: ScheduledMoment,
        times: DueTimes
    ) -> [PlanNotice] {
        guard let hold = times.hold(of: id) else { return [] }
        let base = base(of: id, in: history, times: times)
        let expires = history.campaign.delivery.expires?.instant
        guard due.instant > base else {
            let count = listCount(of: history.campaign)
            return interruption(
                of: id,
                count: count,
                from: due.instant,
                hold: hold,
                end: history.template.end(due: due.instant),
                times: times
            )
        }
        let isQuiet = hold.deferral.isQuiet(base)
        let isOver = times.isOver(due: due.instant, after: base, expires: expires)
        let effect = QuietEffect(
            isOver ? .expires : isQuiet ? .moved : .fanOut,
            due: times.scheduled(base, insteadOf: history.campaign.moment),
            until: due,
            count: listCount(of: history.campaign),
            mayArriveLater: !isOver
                && history.template.end(due: due.instant)
                    > hold.deferral.nextBeginning(after: due.instant)
        )
        return [.quietHours(id, effect)]
    }

    /// The due time of an occurrence without quiet hours.
    private func base(
        of id: OccurrenceID,
        in history: CampaignHistory,
        times: DueTimes
    ) -> Instant {
        switch history.campaign.schedule {
        case .immediate: return now
        case .at(let moment): return times.base(of: moment.instant, for: id)
        case .repeating(let schedule):
            guard let rules = try? zones.rules(named: schedule.zone),
                let slot = RuleSlots(schedule, in: rules).moment(of: id.slot)
            else { return now }
            return times.base(of: slot.moment, for: id)
        }
    }

    /// Number of messages to the campaign's list; nil for a fan-out.
    private func listCount(of campaign: Campaign) -> Int? {
        guard case .registrations(let list) = campaign.target, let survey = try? survey(of: list)
        else { return nil }
        return known.dead.divide(survey.fingerprints).living.count
    }

    // MARK: Sends that are interrupted

    /// The notice about the rest of a send that quiet hours hold.
    func rest(of send: SendStep, heldUntil end: ScheduledMoment) -> PlanNotice {
        let isOver = send.template.isOver(at: end.instant, due: send.due)
        let effect = QuietEffect(
            isOver ? .expires : .rest,
            until: end,
            count: send.isFanOut ? nil : send.remaining
        )
        return .quietHours(send.occurrence, effect)
    }

    /// Estimates how many messages of a list send wait, because quiet hours begin.
    func interruption(of send: SendStep, times: DueTimes) -> [PlanNotice] {
        guard let hold = send.hold else { return [] }
        return interruption(
            of: send.occurrence,
            count: send.isFanOut ? nil : send.remaining,
            from: now,
            hold: hold,
            end: send.template.end(due: send.due),
            times: times
        )
    }

    private func interruption(
        of id: OccurrenceID,
        count: Int?,
        from start: Instant,
        hold: QuietHold,
        end: Instant,
        times: DueTimes
    ) -> [PlanNotice] {
        guard let count else { return [] }
        let beginning = hold.deferral.nextBeginning(after: start)
        let pace = project.environment(environment)?.pace ?? .standard
        let seconds = Double(beginning.seconds(since: start))
        let sent = min(Double(count), seconds * Double(pace.sendsPerMinute) / 60)
        let left = count - Int(sent)
        guard left > 0 else { return [] }
        let until = hold.deferral.due(beginning, at: beginning)
        let effect = QuietEffect(
            end <= until ? .expires : .interrupted,
            until: times.scheduled(until),
            count: left
        )
        return [.quietHours(id, effect)]
    }
}
