import Applying
import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import Planning
import Presentation
import RegistrationLists
import SQLiteStore
import State
import Time

/// The steps from files to a plan, which most commands share.
struct Session {
    let options: GlobalOptions
    let context: CommandContext

    init(_ options: GlobalOptions) throws(CommandFailure) {
        self.options = options
        context = try .current()
    }

    /// Reads, parses and resolves the files, then checks them with every rule.
    func check(_ key: FingerprintKey) -> CheckedProject {
        check(load(), key)
    }

    func load(_ sources: ProjectSources) -> LoadedProject {
        ProjectLoader(zones: context.zones).load(sources)
    }

    /// Resolves variables of `herald.yaml` only for the given environment.
    func load(for environment: EnvironmentID? = nil) -> LoadedProject {
        let variables = environment.map { EnvironmentVariables(for: $0, context.variables) }
        return ProjectLoader(zones: context.zones, variables: variables)
            .load(directory: options.directory)
    }

    func check(_ loaded: LoadedProject, _ key: FingerprintKey) -> CheckedProject {
        let surveyed = survey(loaded, key)
        return surveyed.with(loaded.findings(surveyed.surveys, at: context.clock.now()))
    }

    /// Reads the lists.
    ///
    /// Does not run rules.
    private func survey(_ loaded: LoadedProject, _ key: FingerprintKey) -> CheckedProject {
        let fingerprinter = Fingerprinter(key: key)
        let surveys = ListSurveys(
            of: loaded.project?.lists ?? [],
            directory: options.directory,
            fingerprinter: fingerprinter
        )
        return CheckedProject(
            project: loaded.project,
            declarations: loaded.declarations,
            catalog: loaded.catalog,
            log: loaded.log,
            surveys: surveys,
            fingerprinter: fingerprinter
        )
    }

    /// Returns the checked project, for read-only commands.
    ///
    /// Reports invalid files and exits with 65.
    func project() throws(CommandFailure) -> (Project, CheckedProject) {
        let checked = check(.passing)
        guard let project = checked.project, !checked.log.hasErrors else {
            throw refuse(checked, "shown")
        }
        show(checked)
        return (project, checked)
    }

    /// Returns the target for planning after all checks.
    ///
    /// Reports invalid files and exits with 65.
    ///
    /// `opening`: opens another store instead of the environment's state.
    func target(
        _ environment: EnvironmentOptions,
        opening: StateOpening? = nil
    ) async throws(CommandFailure) -> PlanningTarget {
        let loaded = loadToPlan(environment)
        let (project, chosen) = try chosen(environment, of: loaded)
        let open = opening ?? openStore
        let store = try await open(chosen)
        let checked = check(loaded, try await fingerprintKey(of: store))
        try pass(checked)
        return target(project, chosen, store, checked)
    }

    /// Returns the target for a single plan.
    ///
    /// Reads the state and the files in parallel, and runs the rules in parallel with the planner.
    ///
    /// - Returns: The target and the rules' findings. Call `pass` with the findings before using
    ///   the plan.
    func targetOfOnePlan(
        _ environment: EnvironmentOptions
    ) async throws(CommandFailure) -> (target: PlanningTarget, looking: Task<CheckedProject, Never>)
    {
        async let reading = readAhead(environment)
        let loaded = loadToPlan(environment)
        let ahead = await reading
        let (project, chosen) = try chosen(environment, of: loaded)
        let isRead = ahead?.environment == chosen
        let store = if isRead, let ahead { ahead.store } else { try await openStore(chosen) }
        let surveyed = survey(loaded, try await fingerprintKey(of: store))
        let now = context.clock.now()
        let looking = Task.detached {
            surveyed.with(loaded.findings(surveyed.surveys, at: now))
        }
        let target = target(project, chosen, store, surveyed)
        guard isRead, let ahead else { return (target, looking) }
        return (target.reading(ahead.applied), looking)
    }

    /// Shows the findings.
    ///
    /// Exits with 65 if files are invalid.
    func pass(_ checked: CheckedProject) throws(CommandFailure) {
        guard !checked.log.hasErrors else { throw refuse(checked, "planned") }
        show(checked)
    }

    private func chosen(
        _ environment: EnvironmentOptions,
        of loaded: LoadedProject
    ) throws(CommandFailure) -> (Project, CampaignModel.Environment) {
        guard let project = loaded.project, !loaded.log.hasErrors else {
            throw refuse(check(loaded, .passing), "planned")
        }
        return (project, try environment.environment(of: project))
    }

    private func fingerprintKey(
        of store: SQLiteStore
    ) async throws(CommandFailure) -> FingerprintKey {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity().fingerprintKey
        }
    }

    private func loadToPlan(_ environment: EnvironmentOptions) -> LoadedProject {
        environment.id.map { load(for: $0).refusingUnbuilt(for: $0) } ?? load()
    }

    private func target(
        _ project: Project,
        _ environment: CampaignModel.Environment,
        _ store: SQLiteStore,
        _ checked: CheckedProject
    ) -> PlanningTarget {
        PlanningTarget(
            project: project,
            environment: environment,
            store: store,
            checked: checked,
            zones: context.zones,
            guards: GuardBasis(
                environment,
                of: project,
                hasFixedClock: context.hasFixedClock
            )
        )
    }

    /// Opens the environment's state.
    ///
    /// Rejects another lineage than `herald.yaml` names and an older serial. If `herald.yaml` names
    /// no state, creates a missing one.
    func openStore(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> SQLiteStore {
        let gate = stateGate(environment)
        let keys = try stateKeys(environment)
        do throws(StateStoreError) { return try await gate.open(keys) } catch {
            let isOwn = environment.endpoint == .embeddedEmulator
            throw CommandFailure(ErrorText(error, isOfOwnEmulator: isOwn))
        }
    }

    func stateGate(_ environment: CampaignModel.Environment) -> StateIdentityCheck {
        StateIdentityCheck(
            statePath(environment.id),
            named: environment.settings.state.lineage.map(StateLineage.init(text:)),
            KnownStateFile(context.variables)
        )
    }

    /// Reads the keys of an environment's encrypted state.
    func stateKeys(_ environment: CampaignModel.Environment) throws(CommandFailure) -> StateKeys {
        guard let encryption = environment.settings.state.encryption else { return .none }
        DumpProtection.enable()
        return try StateKeyReader(
            directory: options.directory,
            variables: context.variables
        ).keys(encryption)
    }

    func statePath(_ environment: EnvironmentID) -> String {
        "\(options.directory)/\(Self.stateFolder)/\(environment).sqlite"
    }

    static let stateFolder = ".herald"

    private func refuse(_ checked: CheckedProject, _ aim: String) -> CommandFailure {
        show(checked)
        return CommandFailure(
            "the files have problems, so nothing is \(aim)",
            exit: .invalidFiles
        )
    }

    /// Shows findings without notes, which only `validate` shows.
    func show(_ checked: CheckedProject) {
        let serious = checked.with(checked.log.map { $0.severity == .note ? nil : $0 })
        Output.message(serious.render(FindingsTextView(style: options.errorStyle)))
    }
}

/// Performs a state operation and converts its error to a command failure.
func mapStateErrors<Value>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
        throw CommandFailure(ErrorText(error))
    }
}

/// Gives the state that an environment is planned with.
typealias StateOpening = (CampaignModel.Environment) async throws(CommandFailure) -> SQLiteStore

/// A project with the findings of all checks.
struct CheckedProject {
    let project: Project?
    let declarations: Declarations
    let catalog: SourceCatalog
    let log: DiagnosticLog
    let surveys: ListSurveys
    let fingerprinter: Fingerprinter

    /// The same files with other findings.
    func with(_ log: DiagnosticLog) -> CheckedProject {
        CheckedProject(
            project: project,
            declarations: declarations,
            catalog: catalog,
            log: log,
            surveys: surveys,
            fingerprinter: fingerprinter
        )
    }

    func render(_ view: FindingsTextView) -> String {
        view.render(log.sorted(in: catalog), catalog)
    }
}

extension FingerprintKey {
    /// A fixed key for checks of files alone, which store no fingerprints.
    ///
    /// The same files always give the same output.
    static let passing = FingerprintKey(bytes: [UInt8](repeating: 0, count: 32))
}
