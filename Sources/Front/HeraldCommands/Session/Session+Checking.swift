import CampaignLoading
import CampaignMessages
import CampaignModel
import CampaignRules
import Diagnostics
import Planning
import Presentation
import RegistrationLists
import RunControl
import State
import Time

/// Loading and checking, for commands that need only the files.
extension Session {
    func load(_ sources: ProjectSources) -> LoadedProject {
        ProjectLoader(zones: context.zones).load(sources)
    }

    /// Loads the files and checks them.
    func check(_ key: FingerprintKey) -> CheckedProject { check(load(), key: key) }

    /// Loads the files and checks them, without an environment and in each environment with its
    /// own lists or defaults.
    ///
    /// A finding that exists only in environments names each of them.
    ///
    /// Also finds lists that Git tracks.
    func checkEverywhere(_ key: FingerprintKey) -> CheckedProject {
        let checked = checkWithGit(load(), key: key)
        var findings = DiagnosticLog()
        for environment in checked.declarations.changingEnvironments {
            let place = RelatedPlace(
                span: environment.span,
                message: "in the environment `\(environment.value)`"
            )
            let viewed = checkWithGit(
                load(viewing: environment.value),
                in: environment.value,
                key: key
            )
            for finding in viewed.log.diagnostics where !checked.log.contains(finding) {
                findings.report(finding, adding: place)
            }
        }
        var log = checked.log
        log.absorb(findings)
        return checked.with(log)
    }

    /// Checks the files, and asks Git for the lists that it tracks.
    ///
    /// `environment`: the environment for which the files are loaded, if any.
    func checkWithGit(
        _ loaded: LoadedProject,
        in environment: EnvironmentID? = nil,
        key: FingerprintKey
    ) -> CheckedProject {
        let surveyed = survey(loaded, key: key, lists: lists)
        let tracked = TrackedLists(loaded, in: environment)
            .files(in: options.directory, variables: context.variables)
        return surveyed.with(
            loaded.findings(surveyed.surveys, at: clock.now(), trackedFiles: tracked)
        )
    }

    /// Reads the lists that a command uses.
    ///
    /// Does not run rules. `drafts`: stores lists while they are read.
    func survey(
        _ loaded: LoadedProject,
        key: FingerprintKey,
        lists: ProjectLists,
        drafts: ListDrafts? = nil,
        for use: ListUse = .checking
    ) -> CheckedProject {
        let fingerprinter = Fingerprinter(key: key)
        let surveys = ListSurveys(
            of: loaded.project.map(use.lists(of:)) ?? [],
            messages: loaded.project?.messageColumns ?? [:],
            directory: lists,
            fingerprinter: fingerprinter,
            bounds: trust.bounds,
            zones: context.zones,
            keeping: { drafts?.begin($0) }
        )
        trust.noteUse(
            of: loaded.project?.lists.compactMap { $0.place(in: options.directory) } ?? []
        )
        return CheckedProject(
            project: loaded.project,
            declarations: loaded.declarations,
            catalog: loaded.catalog,
            log: loaded.log,
            surveys: surveys,
            fingerprinter: fingerprinter,
            lists: lists,
            drafts: drafts
        )
    }

    /// Returns the project without the contents of its lists, for commands that read one of them.
    func unsurveyed(_ loaded: LoadedProject, key: FingerprintKey) -> CheckedProject {
        let fingerprinter = Fingerprinter(key: key)
        return CheckedProject(
            project: loaded.project,
            declarations: loaded.declarations,
            catalog: loaded.catalog,
            log: loaded.log,
            surveys: ListSurveys(
                of: [RegistrationList](),
                directory: lists,
                fingerprinter: fingerprinter
            ),
            fingerprinter: fingerprinter,
            lists: lists
        )
    }

    /// Returns the checked project as an environment has it, for read-only commands.
    ///
    /// Reports invalid files and exits with 65.
    func project(
        in environment: EnvironmentOptions
    ) throws(CommandFailure) -> (Project, CheckedProject) {
        let loaded = environment.id.map { load(viewing: $0) } ?? load()
        let checked = check(loaded, key: .passing)
        guard let project = checked.project, !checked.log.hasErrors else {
            throw refuse(checked, for: .showing)
        }
        show(checked)
        return (project, checked)
    }

    /// Shows the findings; warnings that an earlier command printed unchanged are one line.
    ///
    /// Exits with 65 if files are invalid.
    func pass(_ checked: CheckedProject) throws(CommandFailure) {
        guard !checked.log.hasErrors else { throw refuse(checked, for: .planning) }
        show(checked, after: printedWarnings.read())
    }

    /// Does the same, and names the interrupted sends whose lists cannot be read.
    func pass(
        _ checked: CheckedProject,
        for target: PlanningTarget
    ) async throws(CommandFailure) {
        guard checked.log.hasErrors else { return try pass(checked) }
        let failure = refuse(checked, for: .planning)
        // The findings are the failure: a state that cannot be read adds nothing to them.
        let lists = (try? await Planner(target, at: clock.now()).unreadableLists()) ?? []
        let wording = UnreadableListWording(hint: target.hint)
        for list in lists {
            let word = options.errorStyle.paint("note", in: .attention)
            options.tell("\(word): \(wording.text(of: list))\n")
        }
        throw failure
    }

    func refuse(_ checked: CheckedProject, for purpose: FilePurpose) -> CommandFailure {
        show(checked)
        return CommandFailure(.invalidFiles(purpose: purpose), exit: .invalidFiles)
    }

    /// Shows findings without notes, which only `validate` shows.
    func show(_ checked: CheckedProject, after printed: PrintedWarnings = PrintedWarnings(text: ""))
    {
        let serious = checked.log.map { $0.severity == .note ? nil : $0 }
        let findings = serious.sorted(in: checked.catalog)
        let view = FindingsTextView(style: options.errorStyle)
        Output.message(view.render(findings, in: checked.catalog, after: printed))
        printedWarnings.add(findings, in: checked.catalog)
    }

    /// The warnings that earlier commands printed for this project.
    var printedWarnings: PrintedWarningsFile {
        PrintedWarningsFile(context.variables, project: options.directory)
    }
}
