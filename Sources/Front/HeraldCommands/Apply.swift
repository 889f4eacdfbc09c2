import Applying
import ArgumentParser
import CampaignModel
import Diagnostics
import Memberships
import Planning
import Presentation
import RunControl
import State
import Text
import Time

/// The `herald apply` command, which performs the plan.
struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply the plan: leaves, then joins, then sends.",
        discussion: """
            EXAMPLES
              herald apply
              herald apply --yes -e staging
              herald apply --expect 1f0c…@12    the last line of `herald plan`
              herald apply --expect plan.json   the file of `herald plan --out plan.json`
              herald apply --dry-run
              herald apply --only spring-tide-warning --only label:team=growth
              herald apply --except campaigns/summer/
              herald apply --yes --dangerous-max-change
              herald apply --yes --json         events, one JSON object per line

            Shows the plan, asks for confirmation, and applies it. Every result is recorded, and \
            interrupted sends resume with the next apply. Ctrl-C stops sending, waits for open \
            requests and records their results.

            Guards are checked before anything is done, and again before the first request. If a \
            guard refuses, nothing is sent or recorded and the exit code is 6.

            With --expect, no confirmation is needed. The current plan must be the reviewed \
            plan, or the rest of it after a crash. Otherwise nothing is done and the exit code \
            is 5. A plan is never applied twice.

            With --json, standard output has events for programs, as `herald schema events` \
            describes them. The last event is `result` with the exit code.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup(title: "Switch guards off for this run (recorded)") var guards: GuardOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Apply only this plan (digest or file), without confirmation.",
            valueName: "digest|file"
        ),
        completion: .file()
    )
    var expect: String?

    @Flag(
        help: "Validate each message with FCM (validate_only). Sends nothing."
    )
    var dryRun = false

    @Flag(
        help: "Refresh memberships from FCM first and record unsubscribed registrations."
    )
    var refresh = false

    @Flag(help: "Start a topic send before the previous fan-out has finished.")
    var noWait = false

    @Flag(help: "Never ask for confirmation. Fails if --yes is missing.")
    var noInput = false

    @Flag(
        name: .shortAndLong,
        help: "Hide the plan and progress lines, but show the result."
    )
    var quiet = false

    @OptionGroup var output: FormatOptions<ApplyFormat>

    @OptionGroup var verbosity: VerbosityOptions

    @OptionGroup var lockOptions: LockOptions

    @Option(help: "Seconds to wait for open requests after Ctrl-C.")
    var drainTimeout = 6

    @Option(help: "Maximum concurrent requests per occurrence, from 1 to 1000.")
    var parallelism = Applier.standardParallelism

    @Option(
        help: ArgumentHelp(
            "Time limit for a request and its answer, from 1s to 2m. Never longer than the "
                + "message's remaining lifetime.",
            discussion: "If no answer comes in time, the outcome is unknown. Google advises 10s or "
                + "more.",
            valueName: "duration"
        )
    )
    var requestTimeout = TimeSpan(seconds: 30)

    var json: Bool { output.format == .json }

    func validate() throws {
        guard (1...120).contains(requestTimeout.seconds) else {
            throw ValidationError("--request-timeout must be from 1s to 2m")
        }
        guard (1...1_000).contains(parallelism) else {
            throw ValidationError("--parallelism must be from 1 to 1000")
        }
        guard (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
        guard !json || yes || expect != nil || dryRun else {
            throw ValidationError("--json and --format json require --yes, --expect or --dry-run")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let journal = json ? try ApplyJournal() : nil
            try await journal.keeping { try await work(journal) }
        }
    }

    private func work(_ journal: ApplyJournal?) async throws {
        let reference = try expect.map(PlanReference.init)
        let session = try Session(options)
        let target = try await guarded(try await session.target(environment))
        try await session.notingSerial(of: target.store) {
            try await work(target, session, reference, journal)
        }
    }

    private func work(
        _ target: PlanningTarget,
        _ session: Session,
        _ reference: PlanReference?,
        _ journal: ApplyJournal?
    ) async throws {
        let now = session.context.clock.now()
        try await reference?.refuseRolledBack(target)
        if dryRun { return try await rehearse(target, session, reference, journal, at: now) }
        try await target.refuseUnnamedState()
        let worker = worker(session, since: now)
        try await refuseBeforeSettling(target, at: now)
        let cutOff = try await settle(target, worker)
        if refresh { try await refreshMemberships(target, session, journal, worker) }
        let shown = try await target.plan(at: now)
        journal?.events.show(shown)
        guard try await isToBeDone(shown, reference, target) else {
            return try finish(nil, shown, cutOff: cutOff)
        }
        let isShown = !quiet || (!yes && reference == nil)
        if isShown { show(shown, target) }
        try judge(shown, isShown: isShown)
        guard shown.hasChanges else {
            try await compact(target, worker)
            return try finish(nil, shown, cutOff: cutOff)
        }
        try confirm(target)
        let report = try await perform(shown, target, session, reference, journal, worker)
        journal?.keep(report)
        if report?.error == nil { try await compact(target, worker) }
        let view = view(of: target)
        if let report { say(view.render(report)) }
        try finish(report, shown, cutOff: cutOff)
        suggestNext(after: shown, on: target.environment)
    }

    /// Writes text for people: to standard error with `--json`, otherwise to standard output.
    func say(_ text: String) {
        if json { Output.message(text) } else { Output.data(text) }
    }

    private func worker(_ session: Session, since now: Instant) -> Worker {
        var worker = Worker.this(
            command: "herald apply",
            since: now,
            origin: .of(options.directory, session.context.variables)
        )
        worker.bypasses = guards.bypassed.map(\.option)
        return worker
    }

    private func show(_ plan: Plan, _ target: PlanningTarget) {
        let style = json ? options.errorStyle : options.outputStyle
        say(PlanTextView(style: style).render(plan, zones: target.zones))
    }

    /// Performs `--dry-run`: shows the plan and validates its messages with FCM.
    ///
    /// Changes no state.
    private func rehearse(
        _ target: PlanningTarget,
        _ session: Session,
        _ reference: PlanReference?,
        _ journal: ApplyJournal?,
        at now: Instant
    ) async throws {
        let refreshing = refreshing(target, session, journal)
        let seen = refresh ? try await refreshing.perform(recordingBy: nil) : RefreshReport()
        let plan = try await target.plan(at: now, findings: seen.findings)
        journal?.events.show(plan)
        guard try await isToBeDone(plan, reference, target) else { return }
        if !quiet { show(plan, target) }
        let trial = OnlineValidation(
            session: session,
            project: target.project,
            declarations: target.checked.declarations,
            allowsAnyServer: target.guards.bypassed.contains(.endpoint),
            fingerprinter: target.checked.fingerprinter,
            isVerbose: verbosity.verbose
        )
        let log = try await trial.findings(target.environment)
        session.show(target.checked.with(log))
        guard !log.hasErrors else { throw ExitReason.invalidFiles.code }
        Output.message("Dry run: FCM found no errors. Nothing was sent or recorded.\n")
    }

    /// Marks interrupted requests as unknown and performs requested resolutions before planning.
    private func settle(
        _ target: PlanningTarget,
        _ worker: Worker
    ) async throws(CommandFailure) -> [SendReport] {
        try await locked(target, worker) { () async throws(CommandFailure) in
            let recorder = target.recorder
            let (cutOff, resolved) = try await mapStateErrors { () async throws(StateStoreError) in
                (
                    try await recorder.settleAfterCrash(by: worker),
                    try await recorder.performRequested(by: worker)
                )
            }
            let view = view(of: target)
            say(view.renderCutOff(cutOff) + view.renderResolved(resolved))
            return cutOff
        }
    }

    /// Records opted-out registrations before planning.
    private func refreshMemberships(
        _ target: PlanningTarget,
        _ session: Session,
        _ journal: ApplyJournal?,
        _ worker: Worker
    ) async throws(CommandFailure) {
        _ = try await locked(target, worker) { () async throws(CommandFailure) in
            try await refreshing(target, session, journal).perform(recordingBy: worker)
        }
    }

    func view(of target: PlanningTarget) -> ApplyTextView {
        ApplyTextView(
            style: json ? options.errorStyle : options.outputStyle,
            hint: CommandHint(for: target.environment.id)
        )
    }

    private func refreshing(
        _ target: PlanningTarget,
        _ session: Session,
        _ journal: ApplyJournal?
    ) -> MembershipRefreshing {
        MembershipRefreshing(
            target: target,
            session: session,
            isQuiet: quiet,
            isVerbose: verbosity.verbose,
            events: journal?.events,
            parallelism: parallelism
        )
    }

    func locked<Value>(
        _ target: PlanningTarget,
        _ worker: Worker,
        _ work: () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        try await HeraldCommands.locked(
            target.store,
            for: worker,
            waiting: lockOptions.timeout,
            work
        )
    }

    /// Suggests `emulator inboxes` after sends to the embedded emulator, otherwise `status`.
    private func suggestNext(after plan: Plan, on environment: CampaignModel.Environment) {
        guard !quiet else { return }
        let next = NextCommand(options)
        guard environment.endpoint == .embeddedEmulator, !plan.sends.isEmpty else {
            return next.suggest("status", in: environment.id)
        }
        next.suggest("emulator inboxes")
    }

    private func finish(
        _ report: ApplyReport?,
        _ plan: Plan,
        cutOff: [SendReport]
    ) throws {
        let leavesUnknown =
            !cutOff.isEmpty || plan.campaigns.contains { $0.step.isStopped }
            || plan.sends.contains { ($0.unit?.tally[.unknown] ?? 0) > 0 }
        let waits = plan.campaigns.contains { $0.step.isPaused || $0.step.isHeld }
        let reasons: [ExitReason?] = [
            report?.exitReason, leavesUnknown ? .unknownOutcomes : nil,
            waits ? .partlyApplied : nil,
        ]
        let reason = reasons.compactMap(\.self).min { $0.rank < $1.rank }
        if let error = report?.error {
            throw CommandFailure(ErrorText(error), exit: reason ?? .error)
        }
        if let reason { throw reason.code }
    }
}

/// The output formats of `herald apply`.
enum ApplyFormat: String, OutputFormat {
    case text
    case json

    static let help: ArgumentHelp = """
        Output format. json writes events, and requires --yes, --expect or --dry-run. \
        (default: text)
        """
}
