import CampaignModel
import Planning
import RegistrationLists
import State
import TestSupport
import Testing
import Time

/// Plans a year's campaigns, first from the files and then from the state alone.
struct YearPlanner {
    private let year: YearFile
    private let environment: AppliedEnvironment
    private let scene: PlanScene

    init(_ year: YearFile, in scene: PlanScene) throws {
        self.year = year
        self.scene = scene
        environment = try year.environment
    }

    /// The plan of the apply at the beginning of the year.
    func apply() async throws -> Plan {
        try await plan(year.project, at: year.start)
    }

    /// What a service plans at a time.
    func due(_ state: AppliedState, at now: Instant) async throws -> Plan {
        let campaigns = AppliedCampaigns(
            of: state,
            requiresReview: false,
            lists: KnownLists(stored: [], readsAtSend: false),
            zones: systemZones,
            at: now
        )
        try #require(campaigns.refused.isEmpty)
        return try await plan(
            environment.project(with: campaigns.campaigns),
            selection: campaigns.selection,
            state: state,
            at: now
        )
    }

    /// `state`: of a plan from the state alone; nil for a plan of the files.
    private func plan(
        _ project: Project,
        selection: Selection = .everything,
        state: AppliedState? = nil,
        at now: Instant
    ) async throws -> Plan {
        let plan = try await Planner(
            project: project,
            environment: environment.environment.id,
            store: scene.store,
            surveys: ListSurveys(
                of: [],
                directory: scene.folder.path,
                fingerprinter: scene.fingerprinter
            ),
            fingerprinter: scene.fingerprinter,
            zones: systemZones,
            now: now,
            selection: selection,
            guards: GuardBasis(environment.environment, of: project, hasFixedClock: false),
            applied: state,
            isFromState: state != nil
        ).plan()
        try #require(plan.refusals.isEmpty)
        return plan
    }
}
