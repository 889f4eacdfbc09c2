package import CampaignModel
import RegistrationLists
package import State
import Time

/// Everything that a recovered state must treat as started, so that nothing is sent twice.
package struct RecoveryPlan: Sendable {
    /// Renames, which come first.
    package let renames: [DefinitionChange]
    /// Campaigns as they are in the files; a rule makes only slots later than now.
    package let definitions: [DefinitionChange]
    /// Occurrences that were due but are not recorded: they may have been sent.
    package let sendings: [SendStep]
    /// Occurrences in progress whose rest may have been sent.
    package let underWay: [OccurrenceID]
    /// Rules whose earlier slots may or may not have been sent.
    package let rules: [CampaignID]
}

extension Planner {
    /// Returns every occurrence that an apply would send now, or that an unrecorded apply may have
    /// sent.
    package func recovery() async throws(PlanningError) -> RecoveryPlan {
        let stored = try await reading { () async throws(StateStoreError) in
            try await store.appliedState()
        }
        return try knowingZones(in: stored).recovery(of: stored)
    }

    private func recovery(of stored: AppliedState) throws(PlanningError) -> RecoveryPlan {
        var notices: [PlanNotice] = []
        let (applied, former) = try renamed(stored, noting: &notices)
        let records = Dictionary(grouping: applied.occurrences.values, by: \.id.campaign)
        var definitions: [DefinitionChange] = []
        var sendings: [SendStep] = []
        var rules: [CampaignID] = []
        for campaign in project.campaigns {
            try refuseUnsupported(campaign)
            let history = history(
                of: campaign,
                applied: applied,
                records: records[campaign.id] ?? []
            )
            var missing: [SendStep] = []
            for part in try parts(of: history) { missing += try unrecorded(part) }
            sendings += missing
            guard !missing.isEmpty || campaign.isRepeating else { continue }
            if campaign.isRepeating { rules.append(campaign.id) }
            definitions.append(
                .define(history.definition(slotsAfter: now, among: project.audiences))
            )
        }
        return RecoveryPlan(
            renames: former.sorted { $0.key < $1.key }.map { .rename($0.value, to: $0.key) },
            definitions: definitions,
            sendings: sendings,
            underWay: applied.occurrences.values.filter { $0.status == .dispatching }
                .map(\.id).sorted(),
            rules: rules
        )
    }

    /// Returns the campaign's due occurrences that did not happen according to the state.
    private func unrecorded(_ history: CampaignHistory) throws(PlanningError) -> [SendStep] {
        let campaign = history.campaign
        var due: [(id: OccurrenceID, due: Instant)] = []
        if let once = campaign.onlyOccurrence {
            let moment = campaign.moment?.instant ?? now
            if moment <= now { due = [(once, moment)] }
        } else if campaign.isRepeating, !campaign.division.isDivided {
            due = history.scheduled.filter { $0.due <= now }.map { ($0.id, $0.due) }
        }
        var steps: [SendStep] = []
        for (id, moment) in due where !history.hasHappened(id) {
            let send = try send(of: id, due: moment, in: history)
            steps.append(try addressingCurrentList(send))
        }
        return steps
    }
}

extension Planner {
    /// Returns the send with the current rows of a list that is read when its send begins.
    ///
    /// The rows that were sent are lost with the state.
    private func addressingCurrentList(_ step: SendStep) throws(PlanningError) -> SendStep {
        guard let list = step.target.listAtSend else { return step }
        let (named, columns) = (list.content.list, list.content.columns)
        let survey = try survey(of: named)
        _ = try content(of: survey, for: columns, path: named.path)
        return step.addressing(survey, without: known.dead)
    }
}

extension Campaign {
    fileprivate var isRepeating: Bool {
        if case .repeating = schedule { true } else { false }
    }
}

extension CampaignHistory {
    /// Also true if a later revision happened.
    fileprivate func hasHappened(_ id: OccurrenceID) -> Bool {
        (lastRevision(of: id.slot) ?? 0) >= id.revision
    }

    fileprivate func definition(
        slotsAfter: Instant,
        among audiences: [Audience]
    ) -> CampaignDefinition {
        let isRule = if case .repeating = campaign.schedule { true } else { false }
        return CampaignDefinition(
            campaign: campaign.id,
            content: content.content,
            slotsAfter: isRule ? slotsAfter : nil,
            sending: AppliedCampaign.stored(campaign, among: audiences).map {
                StoredSending(campaign: $0, list: nil, isReviewed: false)
            }
        )
    }
}
