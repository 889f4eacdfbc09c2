import CampaignMessages
package import CampaignModel
import CampaignState
package import Registrations
import Scheduling

extension Planner {
    func plan(
        _ campaign: Campaign,
        _ applied: AppliedState,
        _ notices: inout [PlanNotice]
    ) throws(PlanningError) -> CampaignAction {
        try refuseUnbuilt(campaign)
        let lowering = DeliveryLowering(campaign)
        let definition = CampaignDefinition(
            campaign: campaign.id,
            content: campaign.definitionContent(lowering.template)
        )
        let recorded = applied.definitions[campaign.id]
        let isChanged = recorded != definition
        let id = OccurrenceID(campaign: campaign.id, slot: .once, revision: 1)
        let record = applied.occurrences[id]
        let step = try step(
            campaign,
            id,
            record,
            isChanged: isChanged,
            template: lowering.template
        )
        notices += self.notices(campaign, lowering, step, record)
        let isUnderWay = record?.status == .dispatching
        return CampaignAction(
            campaign: campaign.id,
            step: step,
            definition: isChanged && !isUnderWay ? definition : nil,
            changes: recorded.map {
                FieldChange.changes(from: $0.content, to: definition.content)
            } ?? [],
            audience: PlannedAudience(of: campaign, in: project, surveys: surveys),
            template: lowering.template
        )
    }

    private func step(
        _ campaign: Campaign,
        _ id: OccurrenceID,
        _ record: OccurrenceRecord?,
        isChanged: Bool,
        template: MessageTemplate
    ) throws(PlanningError) -> CampaignStep {
        switch record?.status {
        case .dispatching: return try resume(campaign, id, record)
        case .finished: return isChanged ? .alreadySent : .unchanged
        case .expired where !isChanged: return .unchanged
        case .cancelled where record?.unit != nil: return isChanged ? .alreadySent : .unchanged
        case .scheduled, .expired, .cancelled, nil:
            return try firstSending(
                campaign,
                id,
                record,
                isChanged: isChanged,
                template: template
            )
        }
    }

    /// What becomes of a campaign of which nothing was sent yet.
    private func firstSending(
        _ campaign: Campaign,
        _ id: OccurrenceID,
        _ record: OccurrenceRecord?,
        isChanged: Bool,
        template: MessageTemplate
    ) throws(PlanningError) -> CampaignStep {
        if let expires = campaign.delivery.expires, expires.instant <= now {
            return .outlive(id, expires)
        }
        guard case .at(let moment) = campaign.schedule else {
            return .send(try send(campaign, id, due: now, template))
        }
        if moment.instant <= now {
            let isLate = now.seconds(since: moment.instant) > ScheduledMoment.lateAfter
            if isLate { return .expire(id, moment) }
            if template.isOver(at: now, due: moment.instant) { return .outlive(id, moment) }
            return .send(try send(campaign, id, due: moment.instant, template))
        }
        guard let record, record.status == .scheduled else { return .schedule(id, moment) }
        if record.due != moment.instant {
            return .reschedule(id, from: record.due, to: moment)
        }
        return isChanged ? .redefine(moment) : .unchanged
    }

    private func send(
        _ campaign: Campaign,
        _ id: OccurrenceID,
        due: Instant,
        _ template: MessageTemplate
    ) throws(PlanningError) -> SendStep {
        let target: SendStepTarget
        var count = 1
        switch campaign.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let condition): target = .condition(condition.onWire)
        case .group: throw .notBuilt(campaign.id, keys: ["group"])
        case .registrations(let list):
            let survey = try survey(of: list)
            target = .list(list, survey.id, fingerprints: survey.fingerprints)
            count = survey.count
        }
        return SendStep(
            occurrence: id,
            due: due,
            target: target,
            template: template,
            unit: nil,
            remaining: count,
            policy: SendPolicy(campaign.policy, for: template, isFanOut: target.count == nil)
        )
    }

    /// A list that says more of itself than where it lies is surveyed for the rules alone.
    func survey(of list: RegistrationList) throws(PlanningError) -> ListSurvey {
        if case .described(let file) = list { throw .list(.notBuilt(path: file.path)) }
        switch surveys[list] {
        case .success(let survey)?: return survey
        case .failure(let error)?: throw .list(error)
        case nil: throw .list(.empty(path: list.path))
        }
    }
}

extension PlannedAudience {
    package init(of campaign: Campaign, in project: Project, surveys: ListSurveys) {
        switch campaign.target {
        case .topic(let topic): self = .topic(topic, reach: project.topics[topic]?.reach)
        case .condition(let condition): self = .condition(condition.onWire)
        case .group(let name): self = .group(name)
        case .registrations(let list):
            self = .list(
                name: campaign.audience?.rawValue ?? list.path,
                count: (try? surveys[list]?.get())?.count
            )
        }
    }
}

// MARK: - Going on with a sending that was cut off

extension Planner {
    private func resume(
        _ campaign: Campaign,
        _ id: OccurrenceID,
        _ record: OccurrenceRecord?
    ) throws(PlanningError) -> CampaignStep {
        guard let record, let unit = record.unit,
            let template = record.message.flatMap(MessageTemplate.init(stored:))
        else { throw .unreadableOccurrence(id) }
        let unknown = unit.tally[.unknown] + unit.open
        let policy = SendPolicy(campaign.policy, for: template, isFanOut: unit.target.isFanOut)
        if policy.stopsAtUnknown, unknown > 0 { return .stopped(id, unknown: unknown) }
        let rest = try rest(of: unit)
        let unsent = unit.tally[.intended] + unit.tally[.returned]
        let send = SendStep(
            occurrence: id,
            due: record.due,
            target: rest,
            template: template,
            unit: unit,
            remaining: rest.count ?? unsent,
            policy: policy
        )
        let isOver = template.isOver(at: now, due: record.due)
        return isOver && send.remaining > 0 ? .lapse(send) : .resume(send)
    }

    private func rest(of unit: UnitRecord) throws(PlanningError) -> SendStepTarget {
        switch unit.target {
        case .topic(let topic): return .topic(topic)
        case .condition(let text): return .condition(text)
        case .registrations(let list):
            return .stored(list, fingerprints: try intended(of: unit, in: list))
        }
    }

    /// What was not released, and what was but is known not to have been sent.
    private func intended(
        of unit: UnitRecord,
        in list: ListID
    ) throws(PlanningError) -> [Fingerprint] {
        var fingerprints: [Fingerprint] = []
        var first = 0
        while first < unit.count {
            let range = first..<min(first + 4_096, unit.count)
            let outcomes = try reading { () throws(StateStoreError) in
                try store.outcomes(of: unit.id, in: range)
            }
            let registrations = try reading { () throws(StateStoreError) in
                try store.registrations(of: list, from: range.lowerBound, count: range.count)
            }
            for (offset, registration) in registrations.enumerated()
            where unit.maySend(range.lowerBound + offset, outcomes[offset]) {
                fingerprints.append(fingerprinter.fingerprint(of: registration))
            }
            first = range.upperBound
        }
        return fingerprints
    }
}

extension UnitTarget {
    /// One request that reaches many.
    package var isFanOut: Bool {
        if case .registrations = self { false } else { true }
    }
}

extension SendStepTarget {
    /// How many registrations are addressed one by one; nil for a topic or condition.
    package var count: Int? {
        switch self {
        case .topic, .condition: nil
        case .list(_, _, let fingerprints), .stored(_, let fingerprints): fingerprints.count
        }
    }
}
