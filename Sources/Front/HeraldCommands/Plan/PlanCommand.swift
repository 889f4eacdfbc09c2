import ArgumentParser
import CampaignModel
import Memberships
import Planning
import Presentation
import State
import Time

/// The `herald plan` command, which shows what an apply would do.
struct PlanCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case markdown
        case json
        case html

        static let help = ArgumentHelp(
            "Output format. (default: text)",
            discussion:
                "text for people, markdown for a comment, html for a page, json for programs."
        )
    }

    static let configuration = CommandConfiguration(
        commandName: "plan",
        _superCommandName: "herald",
        abstract: "Show what an apply would do. Sends nothing.",
        discussion: """
            EXAMPLES
              herald plan
              herald plan --out plan.json    also write it for `apply --expect`
              herald plan -e staging --detailed-exitcode
              herald plan --format html > plan.html
              herald plan --format markdown    a comment for a pull request
              herald plan --format json
              herald plan --format json --full    with the fingerprint of every registration
              herald plan --refresh
              herald plan --without-state    for files of outside contributors, without credentials
              herald plan --only spring-tide-warning
              herald plan --only label:team=growth --except 'campaigns/**/draft-*.yaml'

            Compares the files with the state. Creates the state if there is none.

            The last line is the plan's digest. It covers everything that the apply would do and \
            does not depend on the clock. `herald apply --expect DIGEST` applies exactly this \
            plan, or nothing.

            With --without-state, the plan shows every campaign as one that was never applied, and \
            has no digest. The state, the environment's variables and sources are not read.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var selection: SelectionOptions

    @OptionGroup var output: FormatOptions<Format>

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "Exit with 2 if there is something to do."
    )
    var hasDetailedExitCode = false

    @Option(
        help: ArgumentHelp("Also write the JSON plan into a file.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    @Flag(
        name: .customLong("full"),
        help: """
            List the fingerprints of all registrations in the JSON plan. (default: the first 10 of \
            each set)
            """
    )
    var isFull = false

    @Flag(help: "Refresh memberships from FCM first.")
    var refresh = false

    @Flag(
        name: .customLong("without-state"),
        help: "Plan as if nothing had been applied, without reading the state."
    )
    var isWithoutState = false

    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var server: EndpointOptions

    func validate() throws {
        guard !isFull || format == .json || out != nil else {
            throw ValidationError("--full requires --format json or --out")
        }
        guard refresh || !server.allowsAnyServer else {
            throw ValidationError("--dangerous-endpoint requires --refresh")
        }
        guard !refresh || !isWithoutState else {
            throw ValidationError("--refresh needs the state, which --without-state does not read")
        }
        guard options.trust.allowSources != true || !isWithoutState else {
            throw ValidationError("--without-state never reads sources, so omit --allow-sources")
        }
    }

    private var format: Format { output.format }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let empty = isWithoutState ? try await emptyState() : nil
            defer { empty?.remove() }
            let (whole, looking) = try await session.targetOfOnePlan(
                environment,
                insteadOfState: empty?.store
            )
            let bypassed: Set<Guard> = server.allowsAnyServer ? [.endpoint] : []
            let guarded = whole.guarded(by: whole.guards.bypassing(bypassed))
            // FCM is not contacted if files are invalid.
            if refresh { try await session.pass(await looking.value, for: guarded) }
            let refreshing = MembershipRefreshing(
                target: guarded,
                session: session,
                isQuiet: false,
                isVerbose: verbosity.verbose
            )
            let seen = refresh ? try await refreshing.perform(recordingBy: nil) : RefreshReport()
            let now = session.clock.now()
            let planned = await planned(of: guarded, in: session, at: now, after: seen)
            if !refresh { try await session.pass(await looking.value, for: guarded) }
            let (target, plan) = try planned.get()
            keepUntilExit((target, plan))
            let keeping = keep(
                plan,
                in: target,
                by: Worker.this(command: "herald plan", since: now)
            )
            let json = {
                PlanJSONView().render(
                    plan,
                    projectOnWire: target.projectOnWire,
                    knowsState: !isWithoutState,
                    isFull: isFull
                )
            }
            if let out {
                try PlanFile.write(json(), to: out, masking: session.context.mask)
            }
            let story = { description(of: plan, in: target, trusting: session.trust) }
            let timeline = { PlanTimeline(plan, zones: target.zones) }
            switch format {
            case .text: Output.data(PlanTextView(style: options.outputStyle).render(story()))
            case .markdown:
                Output.data(PlanMarkdownView().render(story(), timeline: timeline()))
            case .html:
                let sources = RepositoryFolder(options).sources
                Output.data(
                    PlanHTMLView().render(
                        story(),
                        timeline: timeline(),
                        places: target.places.all,
                        sources: sources
                    )
                )
            case .json: Output.data(json())
            }
            if format != .text { selection.show(plan) }
            await keeping.value
            if let out { Output.message(FileWording.wrote(out)) }
            if format == .text, !isWithoutState, plan.isApplicable {
                NextCommand(options).suggestApply(of: target)
            }
            if hasDetailedExitCode, plan.hasChanges { throw ExitReason.changesPending.code }
        }
    }

    private func emptyState() async throws(CommandFailure) -> EmptyState {
        try await mapStateErrors { () async throws(StateStoreError) in try EmptyState() }
    }

    private func description(
        of plan: Plan,
        in target: PlanningTarget,
        trusting trust: Trust
    ) -> PlanDescription {
        var story = PlanDescription(
            plan,
            zones: target.zones,
            places: target.places,
            knowsState: !isWithoutState
        )
        story.consents = trust.usedOptions.filter { $0 == "--allow-sources" }
        return story
    }

    /// The selected part of the target, and its plan.
    private func planned(
        of whole: PlanningTarget,
        in session: Session,
        at now: Instant,
        after seen: RefreshReport
    ) async -> Result<(PlanningTarget, Plan), CommandFailure> {
        do throws(CommandFailure) {
            let selection = try await selection.selection(of: whole, in: options.directory)
            let target = whole.selecting(selection)
            let plan = try await session.plan(target, at: now, findings: seen.findings)
            return .success((target, plan))
        } catch {
            return .failure(error)
        }
    }

    /// Archives the plan, so that a later apply can report differences.
    ///
    /// A state that this process cannot write is sufficient for planning; it then keeps no plan.
    ///
    /// Runs in parallel with the rest, because it waits for the disk.
    private func keep(
        _ plan: Plan,
        in target: PlanningTarget,
        by worker: Worker
    ) -> Task<Void, Never> {
        let archive: any PlanArchive = target.store
        return Task {
            guard !isWithoutState else { return }
            _ = try? await archive.keep(ArchivedPlan(plan, by: worker))
        }
    }
}
