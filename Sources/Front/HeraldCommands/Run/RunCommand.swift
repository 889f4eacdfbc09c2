import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State
import Time

/// The `herald run` command, which sends scheduled occurrences when they become due.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        _superCommandName: "herald",
        abstract: "Send scheduled occurrences when they become due.",
        discussion: """
            EXAMPLES
              herald run -e production           send until it is stopped
              herald run --once -e production    send what is due, and exit
              herald run --state /var/lib/herald/production.sqlite
              herald run --lists /srv/lists      for lists with `read: at_send`

            The files are not read: the state contains what earlier applies recorded. While \
            nothing is due, the state is not locked, so an apply can change it.

            SIGTERM and Ctrl-C stop sending, wait for open requests and record their results. \
            SIGHUP makes the next window read the credential again.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup(title: "Switch guards off for this run (recorded)") var guards: GuardOptions

    @Option(
        help: ArgumentHelp(
            "The state's file. (default: the environment's)",
            valueName: "path"
        ),
        completion: .file()
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Read lists with `read: at_send` below this directory.",
            discussion: "The paths are those of the project. Without it, sends to such lists are "
                + "held and named.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var lists: String?

    @Flag(help: "Send what is due, and exit.")
    var once = false

    @Flag(help: "Start a topic send before the previous fan-out has finished.")
    var noWait = false

    @Flag(name: .shortAndLong, help: "Hide progress lines, but show results.")
    var quiet = false

    @OptionGroup var verbosity: VerbosityOptions

    @OptionGroup var lockOptions: LockOptions

    @Option(help: "Seconds to wait for open requests after SIGTERM.")
    var drainTimeout = 6

    @Option(
        help: ArgumentHelp(
            "Time limit for a request and its answer, from 1s to 2m.",
            valueName: "duration"
        )
    )
    var requestTimeout = TimeSpan(seconds: 30)

    func validate() throws {
        guard (1...120).contains(requestTimeout.seconds) else {
            throw ValidationError("--request-timeout must be from 1s to 2m")
        }
        guard (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let target = try await AppliedTarget(
                at: try session.appliedState(at: state, orOf: environment),
                lists: lists,
                bypassing: Set(guards.bypasses),
                in: session
            )
            try await session.notingSerial(of: target.store) {
                try await serve(target, in: session)
            }
        }
    }

    private func serve(_ target: AppliedTarget, in session: Session) async throws {
        let stop = StopSignal()
        let reload = ReloadRequest()
        let hangup: (@Sendable () -> Void)?
        if once || session.context.error.isTerminal {
            hangup = nil
        } else {
            hangup = { reload.request() }
        }
        let signals = InterruptHandler(stop, says: .applying, on: hangup)
        defer { signals.cancel() }
        let run = DueRun(
            session: session,
            target: target,
            options: runOptions,
            worker: Worker.this(
                command: "herald run",
                since: session.clock.now(),
                bypasses: guards.bypassed.map(\.option)
            ),
            journal: nil,
            stop: stop
        )
        if once { return try run.show(try await run.perform(), isQuiet: quiet) }
        try await ServiceLoop(run, reload: reload).perform()
        throw ExitReason.interrupted.code
    }

    private var runOptions: DueRun.Options {
        DueRun.Options(
            parallelism: nil,
            requestTimeout: requestTimeout,
            drainTimeout: drainTimeout,
            lockTimeout: lockOptions.timeout,
            waitsForFanOuts: !noWait,
            isQuiet: quiet,
            isVerbose: verbosity.verbose
        )
    }
}
