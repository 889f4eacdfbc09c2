import CampaignModel
import RateControl
import State

/// A plan before the guards have judged it.
struct DraftPlan {
    /// The state, in which the campaigns have their names from the files.
    let applied: AppliedState
    let actions: PlannedActions
    /// The notices about memberships and campaigns.
    let notices: [PlanNotice]
    /// The campaigns that a reviewer approves.
    let reviewed: [ReviewedCampaign]
    /// Number of campaigns that the selection excludes.
    let leftOut: Int
}

extension Planner {
    /// Plans the selected memberships and campaigns.
    func draft(_ stored: AppliedState) async throws(PlanningError) -> DraftPlan {
        var notices: [PlanNotice] = []
        let (applied, former) = try renamed(stored, noting: &notices)
        let memberships = try await planMemberships(applied, noting: &notices)
        let corrections = try await planCorrections(applied, former: former)
        let corrected = Set(
            corrections.flatMap(\.actions).compactMap(\.step.correction?.occurrence)
        )
        let campaigns =
            try planCampaigns(applied, former: former).map { $0.leaving(corrected) }
            + corrections + planReplies(applied)
        let gone = gone(applied)
        let removals = planRemovals(of: gone, from: applied)
        let removed = Set(removals.map(\.campaign)).map(ReviewedCampaign.init(gone:))
        return DraftPlan(
            applied: applied,
            actions: actions(
                memberships: memberships,
                campaigns: campaigns.flatMap(\.actions) + removals,
                applied: applied
            ),
            notices: notices + campaigns.flatMap(\.notices),
            reviewed: campaigns.compactMap(\.reviewed) + removed,
            leftOut: leftOutCount(gone)
        )
    }

    private func actions(
        memberships: [MembershipChange],
        campaigns: [CampaignAction],
        applied: AppliedState
    ) -> PlannedActions {
        PlannedActions(
            now: now,
            memberships: memberships,
            campaigns: campaigns,
            settling: SettleDelay(
                length: settle,
                lastJoins: applied.lastJoins,
                memberships: memberships
            ),
            topics: project.plannedTopics(surveys),
            traffic: traffic
        )
    }

    /// Returns the quotas of the environment with the last measurements.
    func measuredTraffic() async throws(PlanningError) -> PlannedTraffic {
        let declared = project.environment(environment)
        let settings = declared?.settings ?? .standard
        return PlannedTraffic(
            pace: declared?.pace ?? .standard,
            open: OpenLimit(unknown: settings.maximumUnknown),
            measurements: try await reading { () async throws(StateStoreError) in
                try await store.traffic()
            },
            now: now
        )
    }

    private func planRemovals(
        of gone: Set<CampaignID>,
        from applied: AppliedState
    ) -> [CampaignAction] {
        let open = Dictionary(
            grouping: applied.occurrences.values.filter(\.isOpen),
            by: \.id.campaign
        )
        return gone.filter(selection.includes).sorted().flatMap { id in
            let cancelled = (open[id] ?? []).sorted { $0.id < $1.id }.map { record in
                CampaignStep.cancel(CancelledSend(record))
            }
            let steps = cancelled.isEmpty ? [.retire] : cancelled
            return steps.map { CampaignAction(campaign: id, step: $0) }
        }
    }

    /// Returns campaigns that the state defines or has open, but the files no longer define.
    private func gone(_ applied: AppliedState) -> Set<CampaignID> {
        let open = applied.occurrences.values.filter(\.isOpen).map(\.id.campaign)
        return Set(applied.definitions.keys).union(open)
            .subtracting(project.campaigns.map(\.id))
            .subtracting(plannedCorrections(applied).map(\.id))
            .subtracting(replyingRules(applied).compactMap(\.replies))
    }

    private func leftOutCount(_ gone: Set<CampaignID>) -> Int {
        guard selection != .everything else { return 0 }
        let former = Set(project.campaigns.compactMap(\.formerID))
        let replies = project.upstream.filter { $0.actions.reply != nil }.compactMap(\.replies)
        let known = Set(project.campaigns.map(\.id) + project.corrections.map(\.id) + replies)
            .union(gone.subtracting(former))
        return known.count { !selection.includes($0) }
    }
}
