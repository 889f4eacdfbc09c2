import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import Sending

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
              herald registrations check @phones.txt --json

            Asks FCM to validate a message to each registration (validate_only), within a share \
            of the environment's quota, and prints the expected duration first. Sends nothing. \
            Registrations that FCM no longer knows, or that are not registrations, are recorded \
            as dead: Herald never sends to them. Registrations that were dead before are not \
            checked.

            The whole list is read before the first request. The state is locked only while dead \
            registrations are recorded, so that campaigns can be sent at the same time. If \
            nearly all registrations are refused, the command stops and records none. A complete \
            check releases held sends whose remaining registrations it has checked.

            The exit code is 3 if some registrations have no answer or the list looks wrong.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var verbosity: VerbosityOptions

    @Option(
        help: ArgumentHelp(
            "Share of the environment's quota of messages per minute.",
            valueName: "percent"
        )
    )
    var share = QuotaShare.standard

    @OptionGroup var output: FormatOptions<TextOrJSON>

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
            let state = try EnvironmentState(in: session, chosen: environment)
            let loaded = session.load(for: state.environment)
            let (project, chosen) = try session.chosen(environment, of: loaded)
            let named = try NamedList(argument: name, of: project, in: session)
            let store = try await state.open()
            let key = try await session.fingerprintKey(of: store)
            let target = try session.target(
                in: chosen,
                store: store,
                checked: session.unsurveyed(loaded, key: key)
            )
            try await session.notingSerial(of: store) {
                let check = ListCheck(arguments: self, session: session, target: target)
                let (report, released) = try await check.perform(named)
                show(
                    SweepView(
                        list: name,
                        isFile: named.list.onlyFile != nil,
                        environment: chosen.id,
                        report: report,
                        released: (try? released.get()) ?? []
                    )
                )
                if let failure = report.failure { throw failure }
                _ = try released.get()
                if report.unanswered > 0 { throw ExitReason.partlyApplied.code }
            }
        }
    }

    private func show(_ sweep: SweepView) {
        switch output.format {
        case .text: Output.data(SweepTextView(style: options.outputStyle).render(sweep))
        case .json: Output.data(SweepJSONView().render(sweep))
        }
    }
}

extension SweepReport {
    /// Nil if every registration was requested.
    fileprivate var failure: CommandFailure? {
        switch end {
        case .complete: nil
        case .suspicious(let evidence):
            CommandFailure(.suspiciousSweep(evidence), exit: .partlyApplied)
        case .failed(let error):
            CommandFailure(error, in: .check, isPartial: tally.answered > 0)
        }
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
