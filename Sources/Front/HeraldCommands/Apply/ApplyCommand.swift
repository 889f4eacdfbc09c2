import ArgumentParser
import CampaignModel
import RateControl
import RunControl

/// The `herald apply` command, which performs the plan.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        _superCommandName: "herald",
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
              herald apply --due                send what is due, without the files
              herald apply --wait               also wait for what a service sends

            Shows the plan, asks for confirmation, and applies it. Every result is recorded, and \
            interrupted sends resume with the next apply. Ctrl-C stops sending, waits for open \
            requests and records their results.

            Guards are checked before anything is done, and again before the first request. If a \
            guard refuses, nothing is sent or recorded and the exit code is 6.

            With --expect, no confirmation is needed. The current plan must be the reviewed \
            plan, or the rest of it after a crash. Otherwise nothing is done and the exit code \
            is 5. A plan is never applied twice.

            If the applied state needs approvals, --expect also requires the signatures of \
            `herald approve`: next to the plan, in .herald/approvals, or in the files of \
            --approvals. Without enough of them, nothing is done and the exit code is 6.

            With --due, the files are not read: what earlier applies recorded is sent if it is \
            due. Definitions and memberships do not change, and no confirmation is needed.

            In an environment with `sends: run`, nothing is sent: what is due is recorded and \
            handed over to the service, `herald run`. With --wait, apply then waits until each of \
            these sends has ended, and exits as if it had sent them. Ctrl-C stops waiting, and \
            the service continues. Elsewhere, --wait changes nothing, because apply itself sends.

            With --json, standard output has events for programs, as `herald schema events` \
            describes them. The last event is `result` with the exit code.
            """
    )

    @OptionGroup var options: ProjectOptions
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

    @OptionGroup var evidence: ApprovalOptions

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

    @Flag(help: "Wait until the service has ended the sends that are handed over.")
    var wait = false

    @Flag(help: "Send what is due, from the state alone.")
    var due = false

    @Option(
        help: ArgumentHelp(
            "With --due: the state's file or server. (default: the environment's)",
            valueName: "path|url"
        ),
        completion: .file()
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "With --due: read lists with `read: at_send` below this directory.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var lists: String?

    @Option(
        help: ArgumentHelp(
            "Append messages of devices to the files of upstream rules in this directory.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var out: String?

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

    @Option(
        help: ArgumentHelp(
            "Fixed number of concurrent requests per occurrence, from 1 to 1000.",
            discussion: "By default, it follows the round trip and the pace, within the "
                + "environment's `max_unknown`."
        )
    )
    var parallelism: Int?

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

    func openLimit(in environment: CampaignModel.Environment) -> OpenLimit {
        parallelism.map { OpenLimit(fixed: $0) }
            ?? OpenLimit(unknown: environment.settings.maximumUnknown)
    }

    func validate() throws {
        guard (1...120).contains(requestTimeout.seconds) else {
            throw ValidationError("--request-timeout must be from 1s to 2m")
        }
        guard (1...1_000).contains(parallelism ?? 1) else {
            throw ValidationError("--parallelism must be from 1 to 1000")
        }
        guard (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
        guard !json || yes || expect != nil || dryRun || due else {
            throw ValidationError(
                "--json and --format json require --yes, --expect, --dry-run or --due"
            )
        }
        guard evidence.isEmpty || expect != nil else {
            throw ValidationError("--approvals and --author require --expect")
        }
        guard !wait || !dryRun else {
            throw ValidationError("--wait and --dry-run exclude each other")
        }
        try validateDue()
    }

    func run() async throws {
        try await options.reportingFailure {
            let journal = json ? try ApplyJournal() : nil
            try await journal.keeping { try await perform(journal) }
        }
    }

    private func validateDue() throws {
        guard due else {
            guard state == nil else { throw ValidationError("--state requires --due") }
            guard lists == nil else { throw ValidationError("--lists requires --due") }
            return
        }
        guard expect == nil, !dryRun, !refresh, !wait, selection.only.isEmpty,
            selection.except.isEmpty
        else {
            throw ValidationError(
                "--due sends everything that is due: --expect, --dry-run, --refresh, --wait, --only "
                    + "and --except do not apply"
            )
        }
    }

    /// Makes the run that the arguments describe, performs it, and shows its result.
    private func perform(_ journal: ApplyJournal?) async throws {
        if due { return try await performDue(journal) }
        let request = try await ApplyRequest(self, journal: journal)
        defer { request.target.checked.drafts?.drop() }
        try await request.session.notingSerial(of: request.target.store) {
            try await request.reference?.refuseRolledBack(request.target)
            if dryRun { return try await ApplyRehearsal(request).perform() }
            let result = try await ApplyRun(request).perform()
            try await RunnerCheck(request).warn(after: result)
            try request.show(wait ? try await ApplyFollowing(request).follow(result) : result)
        }
    }
}

/// The output formats of `herald apply`.
enum ApplyFormat: String, OutputFormat {
    case text
    case json

    static let help: ArgumentHelp = """
        Output format. json writes events, and requires --yes, --expect, --dry-run or --due. \
        (default: text)
        """
}
