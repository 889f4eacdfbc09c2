import ArgumentParser
import CampaignModel
import Presentation
import RateControl
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// The `herald registrations check` command, which finds dead registrations in a list.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        _superCommandName: "herald registrations",
        abstract: "Find and record dead registrations in a list.",
        discussion: """
            EXAMPLES
              herald registrations check beta-anglers -e production
              herald registrations check registrations/beta.csv --share 25%
              herald registrations check @phones.txt

            Asks FCM to validate a message to each registration (validate_only), within a share \
            of the environment's quota. Sends nothing. Registrations that FCM no longer knows, or \
            that are not registrations, are recorded as dead: Herald never sends to them. \
            Registrations that were dead before are not checked.

            The whole list is read before the first request. The state is locked only while dead \
            registrations are recorded, so that campaigns can be sent at the same time. If \
            nearly all registrations are refused, the command stops and records none.

            The exit code is 3 if some registrations have no answer or the list looks wrong.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var verbosity: VerbosityOptions

    @Option(
        help: ArgumentHelp(
            "Share of the environment's quota of messages per minute.",
            valueName: "percent"
        )
    )
    var share = QuotaShare.standard

    @OptionGroup var server: EndpointOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(
        help: ArgumentHelp(
            "An audience or a file. @FILE has one registration per line.",
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let target = try await session.target(environment)
            let state = try EnvironmentState(in: session, chosen: environment)
            let list = try NamedList(argument: name, in: state).list
            try await session.notingSerial(of: target.store) {
                try await target.refuseOtherProject()
                let report = try await sweep(list, of: target, in: session)
                show(report, in: target)
                if let failure = report.failure { throw failure }
                if report.unanswered > 0 { throw ExitReason.partlyApplied.code }
            }
        }
    }

    private func show(_ report: SweepReport, in target: PlanningTarget) {
        let hint = CommandHint(for: target.environment.id)
        let view = SweepTextView(style: options.outputStyle, hint: hint)
        Output.data(view.render(report, of: name))
    }

    /// Reads the whole list first, so that nothing is requested if a row is broken.
    private func survey(
        _ list: RegistrationList,
        of target: PlanningTarget
    ) throws(CommandFailure) -> SweptList {
        try mapListErrors { () throws(RegistrationListError) in
            if let known = target.checked.surveys[list] {
                return SweptList(list, survey: try known.get())
            }
            let survey = try ListSurvey(
                list,
                directory: options.directory,
                fingerprinter: target.checked.fingerprinter,
                zones: target.zones
            )
            return SweptList(list, survey: survey)
        }
    }

    private func sweep(
        _ list: RegistrationList,
        of target: PlanningTarget,
        in session: Session
    ) async throws(CommandFailure) -> SweepReport {
        let swept = try survey(list, of: target)
        let server = try await EndpointServer.reach(
            EndpointServer.Target(
                target.environment,
                of: target.project,
                open: OpenLimit(unknown: target.environment.settings.maximumUnknown),
                allowsAnyServer: server.allowsAnyServer
            ),
            in: session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .applying)
        let progress = ProgressReporter(
            options: options,
            context: session.context,
            isVerbose: verbosity.verbose
        )
        let settings = RunSettings(
            transport: progress.watching(server.transport, with: target.checked.fingerprinter),
            endpoint: server.endpoint,
            clock: session.clock,
            stop: stop,
            drainLimit: .seconds(Self.drainLimit),
            open: server.open,
            report: progress.show
        )
        let result = await progress.accompany {
            await perform(swept, of: target, with: settings, in: session)
        }
        signals.cancel()
        await server.stop()
        do {
            return try result.get()
        } catch {
            throw CommandFailure(error, in: .check)
        }
    }

    /// How long open requests may take after Ctrl-C, in seconds.
    private static let drainLimit = 6

    private func perform(
        _ list: SweptList,
        of target: PlanningTarget,
        with settings: RunSettings,
        in session: Session
    ) async -> Result<SweepReport, ApplyError> {
        let sweep = RegistrationSweep(
            settings: settings,
            fingerprinter: target.checked.fingerprinter,
            directory: options.directory
        )
        var worker = Worker.this(command: "herald registrations check", since: session.clock.now())
        worker.bypasses = server.bypasses
        do throws(ApplyError) {
            return .success(
                try await sweep.perform(
                    list,
                    within: PaceBudget(target.environment.pace, share: share.percentage),
                    recordingWith: SweepRecorder(
                        store: target.store,
                        worker: worker.noting(session.trust),
                        clock: session.clock,
                        patience: .seconds(lockOptions.timeout)
                    )
                )
            )
        } catch {
            return .failure(error)
        }
    }
}

extension SweepReport {
    /// Nil if the whole list was checked.
    fileprivate var failure: CommandFailure? {
        switch end {
        case .held(let evidence): CommandFailure(.suspiciousSweep(evidence), exit: .partlyApplied)
        case .stopped: CommandFailure(.interrupted, in: .check)
        case .refused(let reason): CommandFailure(.refused(reason: reason), in: .check)
        case .unanswered(let reason): CommandFailure(.unanswered(reason: reason), in: .check)
        // A sweep has no pauses, no expiry, and no outcomes to settle.
        case .complete, .unsettled, .paused, .expired: nil
        }
    }
}

extension PaceBudget {
    /// A share of the quota of sends.
    fileprivate init(_ pace: Pace, share: Percentage) {
        let perSecond = Double(pace.sendsPerMinute) / 60
        self.init(perSecond: perSecond * Double(share.basisPoints) / 10_000)
    }
}

/// A share of a quota, as an option.
struct QuotaShare: ExpressibleByArgument {
    let percentage: Percentage

    private init(percentage: Percentage) {
        self.percentage = percentage
    }

    init?(argument: String) {
        guard let percentage = Percentage(argument), percentage.basisPoints > 0 else { return nil }
        self.percentage = percentage
    }

    static let standard = QuotaShare(percentage: .tenPercent)

    var defaultValueDescription: String { percentage.description }
}
