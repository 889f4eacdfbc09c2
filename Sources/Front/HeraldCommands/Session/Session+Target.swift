import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import Planning
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// The parts of a target: the environment that the user chose, its state and its key.
extension Session {
    /// Returns the target for a single plan.
    ///
    /// Reads the state and the files in parallel, and runs the rules in parallel with the planner.
    ///
    /// `empty`: a state without content that replaces the environment's one. The environment's state
    /// and variables are then not read, nor are sources, whatever the operator allows.
    ///
    /// - Returns: The target and the rules' findings. Call `pass` with the findings before using
    ///   the plan.
    func targetOfOnePlan(
        _ environment: EnvironmentOptions,
        insteadOfState empty: (any TableStore)? = nil
    ) async throws(CommandFailure) -> (target: PlanningTarget, looking: Task<CheckedProject, Never>)
    {
        async let reading = empty == nil ? readAhead(environment) : nil
        let loaded = empty == nil ? loadToPlan(environment) : loadWithoutVariables(environment)
        let ahead = await reading
        let (project, chosen) = try chosen(environment, of: loaded)
        let isRead = ahead?.environment == chosen
        let store: any TableStore
        if let known = empty ?? (isRead ? ahead?.store : nil) {
            store = known
        } else {
            store = try await openStore(chosen)
        }
        let upstream = try await upstream(of: store, rules: project.upstream)
        let lists =
            empty == nil ? try readSources(of: project.plannedLists, in: project) : self.lists
        let surveyed = survey(
            loaded.adding(upstream.audiences),
            key: try await fingerprintKey(of: store),
            lists: lists,
            for: .planning
        )
        let now = clock.now()
        let looking = Task.detached {
            surveyed.with(loaded.findings(surveyed.surveys, at: now))
        }
        let target = try target(in: chosen, store: store, checked: surveyed, upstream: upstream)
        guard isRead, let ahead else { return (target, looking) }
        return (target.reading(ahead.applied), looking)
    }

    func chosen(
        _ environment: EnvironmentOptions,
        of loaded: LoadedProject
    ) throws(CommandFailure) -> (Project, CampaignModel.Environment) {
        guard let project = loaded.project, !loaded.log.hasErrors else {
            throw refuse(check(loaded, key: .passing), for: .planning)
        }
        return (project, try environment.environment(of: project))
    }

    func fingerprintKey(
        of store: any TableStore
    ) async throws(CommandFailure) -> FingerprintKey {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity().fingerprintKey
        }
    }

    private func loadWithoutVariables(_ environment: EnvironmentOptions) -> LoadedProject {
        environment.id.map { load(viewing: $0).refusingUnbuilt(for: $0) } ?? load()
    }

    func loadToPlan(_ environment: EnvironmentOptions) -> LoadedProject {
        environment.id.map { load(for: $0).refusingUnbuilt(for: $0) } ?? load()
    }

    /// `checked`: the files, which could be read.
    func target(
        in environment: CampaignModel.Environment,
        store: any TableStore,
        checked: CheckedProject,
        upstream: UpstreamView = .none
    ) throws(CommandFailure) -> PlanningTarget {
        guard let project = checked.project else { throw refuse(checked, for: .planning) }
        return PlanningTarget(
            project: project,
            environment: environment,
            store: store,
            checked: checked,
            zones: context.zones,
            guards: GuardBasis(
                environment,
                of: project,
                hasFixedClock: context.hasFixedClock,
                approvals: try approvalPolicy(of: environment)
            ),
            upstream: upstream.pending
        )
    }

    /// Returns the occurrences that may have started, for a state that lost its records.
    func recovery(
        _ target: PlanningTarget,
        at now: Instant
    ) async throws(CommandFailure) -> RecoveryPlan {
        try await mapPlanningErrors { () async throws(PlanningError) in
            try await Planner(target, at: now).recovery()
        }
    }
}
