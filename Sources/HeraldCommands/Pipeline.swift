import CampaignLoading
import CampaignModel
import CampaignPlanning
import CampaignReporting
import CampaignRules
import CampaignState
import Diagnostics
import Registrations
import SQLiteStore
import Scheduling

/// The whole chain, from files to a plan: text becomes values, values become a plan.
struct Pipeline {
    let options: GlobalOptions
    let surroundings: Surroundings

    init(_ options: GlobalOptions) throws(CommandFailure) {
        self.options = options
        surroundings = try .current()
    }

    /// Files are read, parsed, declared and resolved, then every rule checks them.
    func check(_ key: FingerprintKey) -> CheckedProject {
        check(load(), key)
    }

    func load() -> LoadedProject {
        ProjectLoader(zones: surroundings.zones).load(directory: options.directory)
    }

    private func check(_ loaded: LoadedProject, _ key: FingerprintKey) -> CheckedProject {
        let fingerprinter = Fingerprinter(key: key)
        let surveys = ListSurveys(
            of: loaded.project?.lists ?? [],
            directory: options.directory,
            fingerprinter: fingerprinter
        )
        var log = loaded.log
        if let project = loaded.project {
            allRules.check(
                RuleContext(
                    project: project,
                    declarations: loaded.declarations,
                    surveys: surveys,
                    now: surroundings.clock.now()
                ),
                &log
            )
        }
        return CheckedProject(
            project: loaded.project,
            catalog: loaded.catalog,
            log: log,
            surveys: surveys,
            fingerprinter: fingerprinter
        )
    }

    /// What can be planned, after the files went through every check.
    ///
    /// Files with problems are reported and end the command with 65.
    func target(_ environment: EnvironmentOptions) throws(CommandFailure) -> PlanningTarget {
        let loaded = load()
        guard let project = loaded.project, !loaded.log.hasErrors else {
            throw refuse(check(loaded, .random()))
        }
        let chosen = try environment.environment(of: project)
        let store = try openStore(chosen.id)
        let identity = try stating { () throws(StateStoreError) in
            try store.appliedState().identity
        }
        let checked = check(loaded, identity.fingerprintKey)
        guard !checked.log.hasErrors else { throw refuse(checked) }
        show(checked)
        return PlanningTarget(
            project: project,
            environment: chosen,
            store: store,
            checked: checked,
            zones: surroundings.zones
        )
    }

    /// The state of an environment; it is made where there is none.
    private func openStore(_ environment: EnvironmentID) throws(CommandFailure) -> SQLiteStore {
        try stating { () throws(StateStoreError) in
            try SQLiteStore.open(
                path: "\(options.directory)/\(Self.stateFolder)/\(environment).sqlite"
            )
        }
    }

    static let stateFolder = ".herald"

    private func refuse(_ checked: CheckedProject) -> CommandFailure {
        show(checked)
        return CommandFailure(
            "the files have problems, so nothing is planned",
            exit: .invalidFiles
        )
    }

    private func show(_ checked: CheckedProject) {
        let useColor = options.useColor(Surroundings.isErrorTerminal)
        Output.message(checked.render(DiagnosticView(useColor: useColor)))
    }
}

/// Reads or writes the state, giving its error the form of a command's failure.
func stating<Value>(
    _ body: () throws(StateStoreError) -> Value
) throws(CommandFailure) -> Value {
    do { return try body() } catch {
        if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
        throw CommandFailure(ErrorText(error))
    }
}

/// A project that went through every check, and all that was found.
struct CheckedProject {
    let project: Project?
    let catalog: SourceCatalog
    let log: DiagnosticLog
    let surveys: ListSurveys
    let fingerprinter: Fingerprinter

    func render(_ view: DiagnosticView) -> String {
        view.render(log.sorted(in: catalog), catalog)
    }
}

/// What can be planned, at any moment, as often as needed.
struct PlanningTarget {
    let project: Project
    let environment: CampaignModel.Environment
    let store: any StateStore
    let checked: CheckedProject
    let zones: TimeZoneDatabase

    func plan(at now: Instant) throws(CommandFailure) -> Plan {
        let planner = Planner(
            project: project,
            environment: environment.id,
            store: store,
            surveys: checked.surveys,
            fingerprinter: checked.fingerprinter,
            zones: zones,
            now: now
        )
        do {
            return try planner.plan()
        } catch {
            throw CommandFailure(ErrorText(error))
        }
    }
}

extension FingerprintKey {
    /// A key for once, where nothing that it makes is kept.
    static func random() -> FingerprintKey {
        FingerprintKey(bytes: SQLiteStore.systemRandomBytes(32))
    }
}
