import CampaignMessages
import CampaignModel
import RegistrationLists
import State
import Time

/// The sends of occurrences that have not started.
extension Planner {
    /// Starts an occurrence at its due time, unless its message has expired; its lifetime counts
    /// from the due time.
    func begin(
        _ history: CampaignHistory,
        id: OccurrenceID,
        at moment: ScheduledMoment
    ) throws(PlanningError) -> CampaignStep {
        history.template.isOver(at: now, due: moment.instant)
            ? .outlive(id, moment) : try begin(history, id: id, due: moment.instant)
    }

    /// Starts an occurrence, hands it over to a service, or lets it wait because everything is
    /// paused.
    func begin(
        _ history: CampaignHistory,
        id: OccurrenceID,
        due: Instant
    ) throws(PlanningError) -> CampaignStep {
        let send = try send(of: id, due: due, in: history)
        if handsOver { return try handOver(send, of: history) }
        return history.pause.map { .paused(send, $0) } ?? .send(send)
    }

    /// Returns the send of an occurrence that has not started.
    func send(
        of id: OccurrenceID,
        due: Instant,
        in history: CampaignHistory
    ) throws(PlanningError) -> SendStep {
        let campaign = history.campaign
        let target: SendStepTarget
        var count = 1
        var dead: [Int] = []
        var heldOut: [Int] = []
        var texts: RequestTexts?
        var stages: [PlannedRollout.Stage]?
        switch campaign.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let condition): target = .condition(condition.onWire)
        case .group(let name): target = .group(name)
        case .registrations(let list) where list.isReadAtSend:
            target = .listAtSend(listAtSend(list, of: history))
            count = 0
        case .registrations(let list) where isFromState:
            let stored = try storedRequests(of: id)
            target = stored.target(columns: list.peopleColumns)
            count = stored.living.count
            (dead, heldOut) = (stored.dead, stored.heldOut)
            texts = stored.texts
            stages = stored.stages
        case .registrations(let list):
            let survey = try survey(of: list)
            let columns = project.columns(of: campaign)
            let requests = ListRequests(
                ListContent(list, columns: columns),
                as: try content(of: survey, for: columns, path: list.path),
                in: survey,
                rows: campaign.division.part.map { known.parts[campaign.id]?.rows(in: $0) ?? [] },
                without: known.dead,
                rollout: campaign.policy.rollout
            )
            stages = requests.stages
            (target, count, dead) = (requests.target, requests.count, requests.dead)
            (heldOut, texts) = (requests.heldOut, requests.texts)
        }
        let key = DeduplicationKey(of: id)
        let template = history.message(with: key).bound(to: id)
        let times = try dueTimes(of: campaign)
        return SendStep(
            occurrence: id,
            due: due,
            target: target,
            template: template,
            unit: nil,
            remaining: count,
            policy: SendPolicy(campaign.policy, for: template, isFanOut: target.isFanOut),
            priority: campaign.priority,
            deduplicationKey: history.template.needsKey ? key : nil,
            keepsIDs: !target.isFanOut && campaign.policy.record == .ids,
            dead: dead,
            heldOut: heldOut,
            texts: texts,
            hold: times.hold(of: id),
            recipients: recipientHours(of: id, in: history, times: times),
            caps: caps(of: campaign, isFanOut: target.isFanOut),
            experiment: experiment(of: campaign),
            rollout: campaign.policy.rollout.map { RolloutRecord($0, since: due) },
            stages: stages
        )
    }

    private func listAtSend(_ list: RegistrationList, of history: CampaignHistory) -> ListAtSend {
        let campaign = history.campaign
        return ListAtSend(
            content: ListContent(list, columns: project.columns(of: campaign)),
            guards: GuardsAtSend(
                for: campaign,
                after: campaign.lastListCount(
                    recorded: history.recorded,
                    in: history.records
                ),
                in: project,
                basis: guards
            )
        )
    }

    /// Returns the ID of what a message sends to a list.
    ///
    /// Rules have refused a list that lacks one of the message's columns, values in it, or a text.
    func content(
        of survey: ListSurvey,
        for columns: MessageColumns?,
        path: String?
    ) throws(PlanningError) -> ListID {
        guard let columns else { return survey.id }
        guard let message = survey[columns], message.isComplete else {
            throw .list(.changed(path: path))
        }
        return message.id
    }

    func survey(of list: RegistrationList) throws(PlanningError) -> ListSurvey {
        switch surveys[list] {
        case .success(let survey)?: return survey
        case .failure(let error)?: throw .list(error)
        case nil: throw .list(.empty(path: list.path))
        }
    }
}
