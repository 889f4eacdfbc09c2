import CampaignModel
import Planning
import Presentation
import RegistrationLists
import State
import Time

extension PlanningTarget {
    /// The plan of the recorded campaigns: what is sent if the files are not applied.
    ///
    /// Covers the selected campaigns only. Nil if nothing was applied. The sizes of lists are those of
    /// the files with the same name, because the state does not contain them.
    func appliedPlan(at now: Instant, in session: Session) async throws(CommandFailure) -> Plan? {
        let state = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.appliedState()
        }
        guard !state.definitions.isEmpty else { return nil }
        let lists = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.storedLists().intersection(state.definedLists)
        }
        let recorded = AppliedCampaigns(
            of: state,
            requiresReview: false,
            lists: KnownLists(stored: lists, readsAtSend: true),
            zones: zones,
            at: now
        )
        .without(
            Set(
                state.definitions.keys.filter { !selection.includes($0) }
                    .map { SendPart(campaign: $0) }
            )
        )
        let planner = Planner(
            project: AppliedEnvironment(environment, of: project)
                .project(with: recorded.campaigns, audiences: recorded.audiences),
            environment: environment.id,
            projectID: environment.endpoint.projectID,
            store: store,
            surveys: checked.surveys,
            fingerprinter: checked.fingerprinter,
            zones: zones,
            now: now,
            selection: recorded.selection,
            applied: state,
            interrupted: recorder,
            isFromState: true
        )
        return try await mapPlanningErrors { () async throws(PlanningError) in
            try await planner.plan()
        }
    }
}
