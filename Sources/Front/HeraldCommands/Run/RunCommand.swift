import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State
import SystemIO
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
              herald run --listen 9464 --log-format json -e production
              herald run --lists /srv/lists      for lists with `read: at_send`

            The files are not read: the state contains what earlier applies recorded. While \
            nothing is due, the state is not locked, so an apply can change it.

            A second service on the same state is a standby: it takes over when the first one \
            ends. If the state is in PostgreSQL, it also sends a part of each long list, so that \
            more services send more.

            SIGTERM and Ctrl-C stop sending, wait for open requests and record their results. \
            SIGHUP makes the next window read the credential again.

            With --listen, /healthz, /readyz and /metrics (Prometheus) are served without a \
            password. A service manager that sets NOTIFY_SOCKET gets the state of the service.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup(title: "Switch guards off for this run (recorded)") var guards: GuardOptions

    @Option(
        help: ArgumentHelp(
            "The state's file or server. (default: the environment's)",
            valueName: "path|url"
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

    @Option(
        help: ArgumentHelp(
            "Append messages of devices to the files of upstream rules in this directory.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var out: String?

    @Flag(help: "Send what is due, and exit.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Serve health and metrics at this address. The default host is this machine only.",
            valueName: "[host:]port"
        )
    )
    var listen: ListenAddress?

    @Option(help: "Form of the log on standard error.")
    var logFormat = LogFormat.text

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

    @Option(
        help: ArgumentHelp(
            "Maximum number of open requests. (default: what the pace needs)",
            valueName: "n"
        )
    )
    var parallelism: Int?

    func validate() throws {
        guard (1...1_000).contains(parallelism ?? 1) else {
            throw ValidationError("--parallelism must be from 1 to 1000")
        }
        guard !once || listen == nil else {
            throw ValidationError("--listen needs a service; remove --once")
        }
        guard (1...120).contains(requestTimeout.seconds) else {
            throw ValidationError("--request-timeout must be from 1s to 2m")
        }
        guard (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
    }

    func run() async throws {
        let process = CommandContext.current
        guard logFormat == .json else {
            return try await options.reportingFailure { try await perform(for: process) }
        }
        let log = ServiceLog(.json, to: process)
        try await CommandContext.$current.withValue(process.logging(to: log)) {
            do {
                try await perform(for: process)
            } catch let failure as CommandFailure {
                log.note(.failed(failure.text, problem: nil))
                throw failure.exit.code
            }
        }
    }

    /// `process`: the context of the process, even if text becomes JSON.
    private func perform(for process: CommandContext) async throws {
        let session = try Session(options)
        let target = try await AppliedTarget(
            at: try session.appliedState(at: state, orOf: environment),
            lists: lists,
            bypassing: Set(guards.bypasses),
            in: session
        )
        let systemd =
            once ? nil : SystemdNotifier(process.variables, processID: CurrentProcess.id)
        let outlets = ServiceMonitor.Outlets(
            log: ServiceLog(logFormat, of: target.environment.id, to: process, in: session),
            systemd: systemd,
            isService: !once
        )
        let monitor = try await ServiceMonitor(of: target, in: session, to: outlets)
        try await session.notingSerial(of: target.store) {
            try await serve(target, in: session, with: monitor, systemd: systemd)
        }
    }

    private func serve(
        _ target: AppliedTarget,
        in session: Session,
        with monitor: ServiceMonitor,
        systemd: SystemdNotifier?
    ) async throws {
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
        var run = DueRun(
            session: session,
            target: target,
            options: runOptions,
            worker: Worker.this(
                command: "herald run",
                since: session.clock.now(),
                bypasses: guards.bypassed.map(\.option)
            ),
            journal: nil,
            monitor: monitor,
            stop: stop
        )
        run.usesFleet = !once
        if once { return try run.show(try await run.performOnce(), isQuiet: quiet) }
        monitor.log.note(.started(Herald.wording))
        let service = ServiceRun(run: run, reload: reload, listen: listen, systemd: systemd)
        try await service.perform()
        throw ExitReason.interrupted.code
    }

    private var runOptions: DueRun.Options {
        DueRun.Options(
            parallelism: parallelism,
            requestTimeout: requestTimeout,
            drainTimeout: drainTimeout,
            lockTimeout: lockOptions.timeout,
            waitsForFanOuts: !noWait,
            isQuiet: quiet,
            isVerbose: verbosity.verbose,
            out: out
        )
    }
}
