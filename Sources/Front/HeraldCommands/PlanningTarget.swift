import Applying
import CampaignModel
import Planning
import Presentation
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

    init(
        project: Project,
        environment: CampaignModel.Environment,
        store: any StateStore,
        checked: CheckedProject,
        zones: TimeZoneDatabase,
        selection: Selection = .everything,
        guards: GuardBasis,
        applied: AppliedState? = nil
    ) {
        self.project = project
        self.environment = environment
        self.store = store
        self.checked = checked
        self.zones = zones
        self.selection = selection
        self.guards = guards
        self.applied = applied
    }

    var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: store, fingerprinter: checked.fingerprinter)
    }

    /// The project's name in the paths of requests.
    var projectOnWire: String { environment.projectID(of: project) ?? project.id.rawValue }

    /// Names the environment and the selection in suggested commands.
    var hint: CommandHint { CommandHint(for: environment.id, selection.selectors) }

    func plan(
        at now: Instant,
        findings: MembershipFindings = MembershipFindings()
    ) async throws(CommandFailure) -> Plan {
        let planner = planner(at: now, findings)
        do {
            return try await planner.plan()
        } catch {
            throw CommandFailure(ErrorText(error))
        }
    }

    /// The occurrences that may have started, for a state that lost its records.
    func recovery(at now: Instant) async throws(CommandFailure) -> RecoveryPlan {
        let planner = planner(at: now, MembershipFindings())
        do {
            return try await planner.recovery()
        } catch {
            throw CommandFailure(ErrorText(error))
        }
    }

    private func planner(at now: Instant, _ findings: MembershipFindings) -> Planner {
        Planner(
            project: project,
            environment: environment.id,
            projectID: environment.endpoint.projectID,
            store: store,
            surveys: checked.surveys,
            fingerprinter: checked.fingerprinter,
            zones: zones,
            now: now,
            settle: environment.settle,
            findings: findings,
            selection: selection,
            guards: guards,
            applied: applied
        )
    }
}

extension PlanningTarget {
    /// The same target with only a part of its campaigns and audiences.
    func selecting(_ selection: Selection) -> PlanningTarget {
        with(selection, guards, applied)
    }

    func guarded(by guards: GuardBasis) -> PlanningTarget { with(selection, guards, applied) }

    /// The same target with the state's contents, which are then not read again.
    func reading(_ applied: AppliedState?) -> PlanningTarget { with(selection, guards, applied) }

    private func with(
        _ selection: Selection,
        _ guards: GuardBasis,
        _ applied: AppliedState?
    ) -> PlanningTarget {
        PlanningTarget(
            project: project,
            environment: environment,
            store: store,
            checked: checked,
            zones: zones,
            selection: selection,
            guards: guards,
            applied: applied
        )
    }
}
