import Applying
import ArgumentParser
import CampaignMessages
import CampaignModel
import Planning
import Presentation
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// The `herald send` command, which sends a campaign's message to test registrations now.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        _superCommandName: "herald",
        abstract: "Send a campaign's message to a test registration.",
        discussion: """
            EXAMPLES
              herald send spring-tide-warning --to 1f0c5d0a9be2a4c7
              herald send spring-tide-warning --to @phone.txt -e staging
              herald send spring-tide-warning --to @phone.txt --dry-run
              herald send catch-log --to @phone.txt --locale pt-BR
              pbpaste | herald send spring-tide-warning --to -

            Sends only to registrations in an audience with `test: true`, or to any registration \
            if the environment has an emulator. A registration is a secret and never an \
            argument. Give its fingerprint from `herald registrations fingerprint`, or a file or \
            standard input with one per line.

            Asks only for the name of a protected environment. A test send is not an occurrence \
            of the campaign: it does not change the plan and marks no registration as dead. \
            `herald history` shows it as CAMPAIGN/test/REVISION. The exit code is 4 if an \
            outcome is unknown, 3 if FCM did not accept all messages, and 1 if it accepted none.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var verbosity: VerbosityOptions

    @Option(
        help: ArgumentHelp(
            "Recipient: a fingerprint; or @FILE or - (standard input) with one fingerprint or "
                + "registration per line.",
            valueName: "fingerprint|@file|-"
        )
    )
    var to: String

    @Flag(help: "Validate the message with FCM (validate_only). Sends and records nothing.")
    var dryRun = false

    @Flag(help: "Never ask for confirmation. Fails in a protected environment.")
    var noInput = false

    @Flag(
        name: .customLong("dangerous-protected"),
        help: "Send without typing the environment's name (recorded)."
    )
    var isProtectionOff = false

    @OptionGroup var locale: LocaleOptions

    @OptionGroup var server: EndpointOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(help: "Name of the campaign.", completion: .campaigns)
    var campaign: String

    func run() async throws {
        try await options.reportingFailure {
            let named = try RegistrationArguments.read(to, of: "the value of --to")
            let session = try Session(options)
            let target = try await session.target(environment, for: .checking)
            try await session.notingSerial(of: target.store) {
                let campaign = try target.project.campaign(named: campaign)
                let localized = try locale.text(of: campaign)?.campaign
                let sample = target.project.sample(of: localized ?? campaign)
                let message = try message(of: sample, in: session)
                let people = try TestRecipients(target: target).recipients(named)
                try await refuse(target, in: session)
                let results =
                    try await dryRun
                    ? rehearse(message, for: people, in: target, session: session)
                    : send(message, to: people, in: target, session: session)
                try judge(results)
            }
        }
    }

    /// The message as an apply would send it now, with a separate deduplication key.
    private func message(
        of campaign: Campaign,
        in session: Session
    ) throws(CommandFailure) -> TestMessage {
        let key = DeduplicationKey(of: .test(of: campaign))
        let template = DeliveryLowering(campaign).template.keyed(key)
            .bound(to: .test(of: campaign))
        let now = session.clock.now()
        guard !template.isOver(at: now, due: now) else {
            throw CommandFailure(.expiredTestMessage(of: campaign.id))
        }
        return TestMessage(campaign: campaign, template: template)
    }

    /// Applies the same guards as `apply`: another project, a fixed clock, a missing confirmation.
    private func refuse(
        _ target: PlanningTarget,
        in session: Session
    ) async throws(CommandFailure) {
        try await target.refuseOtherProject()
        guard target.environment.settings.isProtected else { return }
        if session.context.hasFixedClock { throw target.refused(by: .clock, because: .fixedClock) }
        guard !isProtectionOff, !dryRun else { return }
        let name = target.environment.id.rawValue
        guard !noInput, Input.isTerminal else {
            throw target.refused(by: .protected, because: .nobodyConfirms)
        }
        let destination = PlanDestination(target.environment, of: target.project)
        Output.message(ConfirmationWording.sendInProtected(destination))
        guard Input.line() == name else { throw CommandFailure(.notSent) }
    }
}

/// A campaign's message, as an apply would send it now.
private struct TestMessage {
    let campaign: Campaign
    let template: MessageTemplate
}

// MARK: - Requests

extension SendCommand {
    private func rehearse(
        _ message: TestMessage,
        for people: [TestRecipient],
        in target: PlanningTarget,
        session: Session
    ) async throws(CommandFailure) -> [TestResult] {
        let results = try await reaching(target, in: session) { sender throws(ApplyError) in
            try await sender.send(message.template, to: people, validatesOnly: true) { _ in }
        }
        Output.data(TestSendTextView(style: options.outputStyle).renderRehearsal(results))
        return results
    }

    private func send(
        _ message: TestMessage,
        to people: [TestRecipient],
        in target: PlanningTarget,
        session: Session
    ) async throws(CommandFailure) -> [TestResult] {
        let clock = session.clock
        var worker = Worker.this(
            command: "herald send",
            since: clock.now(),
            origin: .of(options.directory, variables: session.context.variables)
        )
        worker.bypasses = server.bypasses + (isProtectionOff ? [Guard.protected.option] : [])
        let author = worker
        let done = try await locked(
            target.store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            let cutOff = try await mapStateErrors { () async throws(StateStoreError) in
                try await target.recorder.settleAfterCrash(by: author)
            }
            Output.message(ApplyTextView(style: options.errorStyle).renderCutOff(cutOff))
            return try await reaching(target, in: session) { sender async throws(ApplyError) in
                let run = TestRun(history: target.store, sender: sender, of: message.campaign)
                return try await run.perform(
                    message.template,
                    to: people,
                    by: author.noting(session.trust)
                ) {
                    clock.now()
                }
            }
        }
        let view = TestSendTextView(style: options.outputStyle)
        Output.data(view.render(done.results, of: message.campaign, in: done.run))
        return done.results
    }

    private func reaching<Value: Sendable>(
        _ target: PlanningTarget,
        in session: Session,
        work: (TestSender) async throws(ApplyError) -> Value
    ) async throws(CommandFailure) -> Value {
        let server = try await EndpointServer.reach(
            EndpointServer.Target(
                target.environment,
                of: target.project,
                allowsAnyServer: server.allowsAnyServer
            ),
            in: session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .sendingTests)
        let fingerprinter = target.checked.fingerprinter
        let progress = ProgressReporter(
            options: options,
            context: session.context,
            isVerbose: verbosity.verbose
        )
        let sender = TestSender(
            fingerprinter: fingerprinter,
            settings: RunSettings(
                transport: progress.watching(server.transport, with: fingerprinter),
                endpoint: server.endpoint,
                clock: session.clock,
                stop: stop
            )
        )
        let result: Result<Value, ApplyError>
        do throws(ApplyError) {
            result = .success(try await work(sender))
        } catch {
            result = .failure(error)
        }
        signals.cancel()
        await server.stop()
        do {
            return try result.get()
        } catch {
            throw CommandFailure(error, in: .send)
        }
    }

    private func judge(_ results: [TestResult]) throws {
        let taken = results.count { $0.verdict.outcome == .accepted }
        if results.contains(where: { $0.verdict.outcome == .unknown }) {
            throw ExitReason.unknownOutcomes.code
        }
        guard taken < results.count else { return }
        throw taken > 0 ? ExitReason.partlyApplied.code : ExitReason.error.code
    }
}
