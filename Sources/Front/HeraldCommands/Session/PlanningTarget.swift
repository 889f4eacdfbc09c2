import Applying
import CampaignModel
import Inbox
import Planning
import Presentation
import RateControl
import State
import Time

/// Everything needed to plan, repeatedly and for any time.
struct PlanningTarget {
    let project: Project
    let environment: CampaignModel.Environment
    let store: any StateStore
    let checked: CheckedProject
    let zones: TimeZoneDatabase
    let selection: Selection
    let guards: GuardBasis
    /// The state's contents, if already read.
    ///
    /// If nil, each plan reads them.
    let applied: AppliedState?
    /// The messages of devices that the state does not record yet.
    let upstream: PendingUpstream

    init(
        project: Project,
        environment: CampaignModel.Environment,
        store: any StateStore,
        checked: CheckedProject,
        zones: TimeZoneDatabase,
        selection: Selection = .everything,
        guards: GuardBasis,
        applied: AppliedState? = nil,
        upstream: PendingUpstream = .none
    ) {
        self.project = project
        self.environment = environment
        self.store = store
        self.checked = checked
        self.zones = zones
        self.selection = selection
        self.guards = guards
        self.applied = applied
        self.upstream = upstream
    }

    var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: store, fingerprinter: checked.fingerprinter)
    }

    /// The project's name in the paths of requests.
    var projectOnWire: String { environment.projectID(of: project) ?? project.id.rawValue }

    /// The places of the values that campaigns inherit from the defaults.
    var places: InheritedPlaces {
        InheritedPlaces(checked.declarations, catalog: checked.catalog)
    }

    /// Names the environment and the selection in suggested commands.
    var hint: CommandHint { CommandHint(for: environment.id, selectors: selection.selectors) }
}

extension PlanningTarget {
    /// The same target with only a part of its campaigns and audiences.
    func selecting(_ selection: Selection) -> PlanningTarget {
        with(selection: selection, guards: guards, applied: applied)
    }

    func guarded(by guards: GuardBasis) -> PlanningTarget {
        with(selection: selection, guards: guards, applied: applied)
    }

    /// The same target with the state's contents, which are then not read again.
    func reading(_ applied: AppliedState?) -> PlanningTarget {
        with(selection: selection, guards: guards, applied: applied)
    }

    private func with(
        selection: Selection,
        guards: GuardBasis,
        applied: AppliedState?
    ) -> PlanningTarget {
        PlanningTarget(
            project: project,
            environment: environment,
            store: store,
            checked: checked,
            zones: zones,
            selection: selection,
            guards: guards,
            applied: applied,
            upstream: upstream
        )
    }
}

extension PlanningTarget {
    /// Connects to the environment's server, unless a guard refuses it.
    ///
    /// `needed`: whether requests will be sent. `open`: the number of open requests.
    func server(
        needed: Bool,
        open: OpenLimit,
        in session: Session
    ) async throws(CommandFailure) -> EndpointServer {
        try await EndpointServer.reach(
            EndpointServer.Target(
                environment,
                of: project,
                isNeeded: needed,
                open: open,
                allowsAnyServer: guards.bypassed.contains(.endpoint)
            ),
            in: session
        )
    }
}

extension Planner {
    init(
        _ target: PlanningTarget,
        at now: Instant,
        findings: MembershipFindings = MembershipFindings()
    ) {
        self.init(
            project: target.project,
            environment: target.environment.id,
            projectID: target.environment.endpoint.projectID,
            destination: PlanDestination(target.environment, of: target.project),
            store: target.store,
            surveys: target.checked.surveys,
            fingerprinter: target.checked.fingerprinter,
            zones: target.zones,
            now: now,
            settle: target.environment.settle,
            findings: findings,
            selection: target.selection,
            guards: target.guards,
            applied: target.applied,
            interrupted: target.recorder,
            pending: target.upstream.changes
        )
    }
}
