import ArgumentParser
import Applying
import CampaignMessages
import CampaignModel
import Planning
import Presentation
import State
import RegistrationLists
import Time

/// The `herald send` command, which sends a campaign's message to test registrations now.
struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a campaign's message to a test registration.",
        discussion: """
            EXAMPLES
              herald send spring-tide-warning --to 1f0c5d0a9be2a4c7
              herald send spring-tide-warning --to @phone.txt -e staging
              herald send spring-tide-warning --to @phone.txt --dry-run
              pbpaste | herald send spring-tide-warning --to -

            Sends only to registrations of an audience with `test: true`; in an environment with \
            an emulator to any. A registration is a secret and never an argument: give its \
            fingerprint as `herald registrations fingerprint` shows it, or a file or standard \
            input with one a line.

            Nothing is asked, but a protected environment's name. It is no sending of the campaign: \
            its plan stays what it was, and nobody is marked as dead. `herald history` shows it as \
            CAMPAIGN/test/REVISION. Exit code 4 where nobody can say whether FCM took a message, 3 \
            where some were not taken, 1 where none was.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var verbosity: VerbosityOptions

    @Option(
        help: ArgumentHelp(
            "Whom to send it to: a fingerprint; @FILE, or - for standard input, with one or a "
                + "registration a line.",
            valueName: "fingerprint|@file|-"
        )
    )
    var to: String

    @Flag(help: "Send it with validate_only: FCM says what it thinks, nothing is sent or recorded.")
    var dryRun = false

    @Flag(help: "Never ask: in a protected environment, end with an error instead.")
    var noInput = false

    @Flag(
        name: .customLong("dangerous-protected"),
        help: "The environment's name need not be typed; it is recorded."
    )
    var isProtectionOff = false

    @OptionGroup var server: EndpointOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(help: "The campaign's name.", completion: .campaigns)
    var campaign: String

    func run() async throws {
        try await options.reportingFailure {
            let named = try NamedPeople.read(to, of: "what --to was given")
            let pipeline = try Pipeline(options)
            let target = try pipeline.target(environment)
            defer { pipeline.noteSerial(of: target.store) }
            let campaign = try target.project.campaign(named: campaign)
            let message = try message(of: campaign, pipeline)
            let people = try TestRecipients(target, options).registrations(named)
            try refuse(target, pipeline)
            let results =
                try await dryRun
                ? rehearse(message, people, target, pipeline)
                : send(message, people, campaign, target, pipeline)
            try judge(results)
        }
    }

    /// The message as an apply would send it now, with a separate deduplication key.
    private func message(
        of campaign: Campaign,
        _ pipeline: Pipeline
    ) throws(CommandFailure) -> MessageTemplate {
        let keys = campaign.unbuiltKeys
        guard keys.isEmpty else {
            throw CommandFailure(
                ErrorText(PlanningError.notBuilt(campaign.id, keys: keys)),
                exit: .invalidFiles
            )
        }
        let key = DeduplicationKey(of: .test(of: campaign))
        let template = DeliveryLowering(campaign).template.keyed(key)
        let now = pipeline.surroundings.clock.now()
        guard !template.isOver(at: now, due: now) else {
            throw CommandFailure(
                "the message of \(campaign.id) is worth nothing any more",
                help: "its `expires` or `ttl` says so"
            )
        }
        return template
    }

    /// Applies the same guards as `apply`: another project, a fixed clock, a missing confirmation.
    private func refuse(
        _ target: PlanningTarget,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        let applied = try stating { () throws(StateStoreError) in
            try target.store.appliedState()
        }
        try target.refuseOtherProject(applied)
        guard target.environment.settings.isProtected else { return }
        if pipeline.surroundings.hasFixedClock { throw target.refused(.clock, .fixedClock) }
        guard !isProtectionOff, !dryRun else { return }
        let name = target.environment.id.rawValue
        guard !noInput, Surroundings.isInputTerminal else {
            throw target.refused(.protected, .nobodyConfirms)
        }
        Output.message("\(name) is protected. Type its name to send this: ")
        guard readLine() == name else { throw CommandFailure("not sent") }
    }
}

// MARK: - Requests

extension Send {
    private func rehearse(
        _ message: MessageTemplate,
        _ people: [Registration],
        _ target: PlanningTarget,
        _ pipeline: Pipeline
    ) async throws(CommandFailure) -> [TestResult] {
        let results = try await reaching(target, pipeline) { sender throws(ApplyError) in
            try await sender.send(message, to: people, validatesOnly: true) { _ in }
        }
        Output.data(TestSendTextView(style: options.outputStyle).renderRehearsal(results))
        return results
    }

    private func send(
        _ message: MessageTemplate,
        _ people: [Registration],
        _ campaign: Campaign,
        _ target: PlanningTarget,
        _ pipeline: Pipeline
    ) async throws(CommandFailure) -> [TestResult] {
        let clock = pipeline.surroundings.clock
        var worker = Worker.this(
            command: "herald send",
            since: clock.now(),
            origin: .of(options.directory, pipeline.surroundings.variables)
        )
        worker.bypasses = server.bypasses + (isProtectionOff ? [Guard.protected.option] : [])
        let author = worker
        try await locking(target.store, for: worker, waiting: lockOptions.timeout)
        defer { target.store.unlock() }
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let cutOff = try stating { () throws(StateStoreError) in
            try ledger.settleAfterCrash(by: author)
        }
        Output.message(ApplyTextView(style: options.errorStyle).renderCutOff(cutOff))
        let done = try await reaching(target, pipeline) { sender throws(ApplyError) in
            let run = TestRun(store: target.store, sender: sender, of: campaign)
            return try await run.perform(message, to: people, by: author) { clock.now() }
        }
        let view = TestSendTextView(style: options.outputStyle)
        Output.data(view.render(done.results, of: campaign, in: done.run))
        return done.results
    }

    private func reaching<Value: Sendable>(
        _ target: PlanningTarget,
        _ pipeline: Pipeline,
        _ work: (TestSender) async throws(ApplyError) -> Value
    ) async throws(CommandFailure) -> Value {
        let server = try await EndpointServer.reach(
            target.environment,
            of: target.project,
            needed: true,
            allowsAnyServer: server.allowsAnyServer,
            pipeline
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: "Stopping: nothing more is sent.")
        let fingerprinter = target.checked.fingerprinter
        let teller = RunTeller(
            options,
            pipeline.surroundings,
            isVerbose: verbosity.verbose
        )
        let sender = TestSender(
            transport: teller.watching(server.transport, fingerprinter),
            endpoint: server.endpoint,
            fingerprinter: fingerprinter,
            clock: pipeline.surroundings.clock,
            stop: stop
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
            throw CommandFailure(
                error,
                doubt: "`herald history` shows what was sent; give the command again for the rest"
            )
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
