import CampaignModel
import State

/// Renamed campaigns.
extension Planner {
    /// Returns the state with the new names, and the old name of each renamed campaign.
    ///
    /// The loader ensures that no old name is in use or given up twice.
    func renamed(
        _ applied: AppliedState,
        noting notices: inout [PlanNotice]
    ) throws(PlanningError) -> (state: AppliedState, former: [CampaignID: CampaignID]) {
        let known = Set(applied.definitions.keys).union(applied.occurrences.keys.map(\.campaign))
        var former: [CampaignID: CampaignID] = [:]
        for campaign in project.campaigns where selection.includes(campaign.id) {
            guard let old = campaign.formerID else { continue }
            switch (known.contains(old), known.contains(campaign.id)) {
            case (true, true): throw .renamedOntoHistory(old, campaign.id)
            case (true, false): former[campaign.id] = old
            case (false, true): break
            case (false, false): notices.append(.unknownFormerName(campaign.id, old))
            }
        }
        guard !former.isEmpty else { return (applied, former) }
        return (applied.renaming(former), former)
    }
}

extension AppliedState {
    /// `former`: the old names by new name.
    fileprivate func renaming(_ former: [CampaignID: CampaignID]) -> AppliedState {
        let names = Dictionary(uniqueKeysWithValues: former.map { ($0.value, $0.key) })
        let definitions = definitions.values.map { definition in
            CampaignDefinition(
                campaign: names[definition.campaign] ?? definition.campaign,
                content: definition.content,
                slotsAfter: definition.slotsAfter,
                sending: definition.sending
            )
        }
        let occurrences = occurrences.values.map { record in
            names[record.id.campaign].map(record.renamed) ?? record
        }
        return AppliedState(
            identity: identity,
            definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.campaign, $0) }),
            occurrences: Dictionary(uniqueKeysWithValues: occurrences.map { ($0.id, $0) }),
            memberships: memberships,
            lastJoins: lastJoins,
            pauses: pauses.map { $0.renamed(names) },
            resolutions: resolutions,
            deadCount: deadCount,
            guards: guards,
            environment: environment
        )
    }
}

extension OccurrenceRecord {
    fileprivate func renamed(to campaign: CampaignID) -> OccurrenceRecord {
        OccurrenceRecord(
            id: OccurrenceID(campaign: campaign, slot: id.slot, revision: id.revision),
            status: status,
            due: due,
            message: message,
            unit: unit,
            deduplicationKey: deduplicationKey,
            hold: hold,
            objective: objective,
            reachedAfter: reachedAfter,
            rollout: rollout
        )
    }
}

extension Pause {
    /// Returns the pause with the campaign's new name, so that a renamed campaign stays paused.
    fileprivate func renamed(_ names: [CampaignID: CampaignID]) -> Pause {
        guard case .campaign(let old) = scope, let new = names[old] else { return self }
        return Pause(scope: .campaign(new), since: since, user: user, host: host)
    }
}
