import Applying
import CampaignLoading
import CampaignModel
import CampaignRules
import Planning
import Presentation
import RegistrationLists
import RunControl
import State
import StoreTables
import Time

/// One command's options and context, and the pipeline that it runs a part of.
///
/// Data flows in one direction: load → check → target → plan → apply → report. Each stage is a
/// function from one boundary to the next. Only views print, and only `apply` sends.
struct Session {
    let options: ProjectOptions
    let context: CommandContext
    let clock: WallClock
    let trust: Trust

    /// The files: their text, declarations and model, with the findings of reading them.
    typealias Loaded = LoadedProject
    /// The files with their surveyed lists and the findings of every rule.
    typealias Checked = CheckedProject
    /// The checked files with one environment and its open state.
    typealias Target = PlanningTarget
    /// Everything that an apply would do now, judged by the guards and hashed for a reviewer.
    typealias Planned = Plan
    /// What was done, and the outcome of each request.
    typealias Applied = ApplyReport
    /// Text for people.
    typealias Reported = String

    init(_ options: ProjectOptions) throws(CommandFailure) {
        self.options = options
        context = .current
        context.protectMemory()
        clock = try context.clock()
        trust = try Trust(options, variables: context.variables)
    }

    /// Reads, parses and resolves the files.
    ///
    /// Resolves variables of `herald.yaml` only for the given environment.
    func load(for environment: EnvironmentID? = nil) -> Loaded {
        let variables = environment.map { EnvironmentVariables(for: $0, values: context.variables) }
        let loaded = ProjectLoader(zones: context.zones, variables: variables)
            .load(directory: options.directory)
        context.mask.hide(trust.hidden(loaded.insertedVariables))
        return loaded
    }

    /// Reads, parses and resolves the files as an environment has them, without its variables.
    func load(viewing environment: EnvironmentID) -> Loaded {
        ProjectLoader(zones: context.zones, environment: environment)
            .load(directory: options.directory)
    }

    /// Reads the lists, and checks everything with every rule.
    ///
    /// `lists`: with the outputs of sources; by default, no source is read. `drafts`: stores lists
    /// while they are read.
    func check(
        _ loaded: Loaded,
        key: FingerprintKey,
        lists: ProjectLists? = nil,
        drafts: ListDrafts? = nil,
        for use: ListUse = .checking
    ) -> Checked {
        let surveyed = survey(
            loaded,
            key: key,
            lists: lists ?? self.lists,
            drafts: drafts,
            for: use
        )
        return surveyed.with(loaded.findings(surveyed.surveys, at: clock.now()))
    }

    /// Opens the environment's state, and checks the files with its key.
    ///
    /// Reports invalid files and exits with 65. `storesLists`: whether lists that will probably be
    /// sent to are stored while they are read. `opening`: opens another store instead. `use`: which
    /// lists are read.
    func target(
        _ environment: EnvironmentOptions,
        storesLists: Bool = false,
        opening: StateOpening? = nil,
        for use: ListUse
    ) async throws(CommandFailure) -> Target {
        let loaded = loadToPlan(environment)
        let (project, chosen) = try chosen(environment, of: loaded)
        let open = opening ?? openStore
        let store = try await open(chosen)
        let lists = try readSources(of: use.lists(of: project), in: project)
        let drafts = storesLists ? try await listDrafts(of: project, in: store) : nil
        let upstream = try await upstream(of: store, rules: project.upstream)
        let checked = check(
            loaded.adding(upstream.audiences),
            key: try await fingerprintKey(of: store),
            lists: lists,
            drafts: drafts,
            for: use
        )
        let target = try target(in: chosen, store: store, checked: checked, upstream: upstream)
        try await pass(checked, for: target)
        return target
    }

    private func listDrafts(
        of project: Project,
        in store: any TableStore
    ) async throws(CommandFailure) -> ListDrafts {
        try await mapStateErrors { () async throws(StateStoreError) in
            ListDrafts(of: try await project.listsToStore(store), in: store)
        }
    }

    /// Compares the target's files with its state.
    func plan(
        _ target: Target,
        at now: Instant,
        findings: MembershipFindings = MembershipFindings()
    ) async throws(CommandFailure) -> Planned {
        try await mapPlanningErrors { () async throws(PlanningError) in
            try await Planner(target, at: now, findings: findings).plan()
        }
    }

    /// Performs the plan: leaves, then joins, then sends.
    func apply(_ plan: Planned, with applier: Applier, by worker: Worker) async -> Applied {
        await applier.apply(plan, by: worker)
    }

    func report(_ applied: Applied, in view: ApplyTextView) -> Reported { view.render(applied) }
}
