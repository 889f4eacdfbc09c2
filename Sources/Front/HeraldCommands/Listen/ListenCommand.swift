import ArgumentParser
import CampaignModel
import Presentation
import Upstream

/// The `herald listen` command, which receives messages of devices.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        _superCommandName: "herald",
        abstract: "Receive messages that devices send to their app server.",
        discussion: """
            EXAMPLES
              herald listen -e production --server xmpp.example:5235
              herald listen -e production --server xmpp.example:5235 --connections 16
              herald listen -e production --http --hmac-key env:INTAKE_KEY
              herald listen -e production --http --token-keys keys.json --token-project tides-app

            Stores each message in the inbox of the environment's state, and acknowledges it after \
            the commit. `herald apply` and `herald run` act on the inbox by the `upstream:` \
            documents of the project. The environment declares `upstream: {sender_id, server_key}`.

            Over XMPP it connects to a server that speaks FCM's XMPP protocol; Google ended its own \
            service in 2024. It runs `herald-listen`, which is installed next to herald. Over HTTP \
            an app, or its server, posts the same message; a message is accepted only with a \
            signature or an ID token.

            SIGTERM and Ctrl-C stop receiving, wait for the commit that runs and its \
            acknowledgements, and exit with 130.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup(title: "XMPP") var xmpp: XMPPOptions
    @OptionGroup(title: "HTTP") var intake: IntakeOptions

    @Option(
        help: ArgumentHelp(
            "Serve health and metrics at this address. The default host is this machine only.",
            valueName: "[host:]port"
        )
    )
    var status: ListenAddress?

    @Option(help: "Form of the log on standard error.")
    var logFormat = LogFormat.text

    @OptionGroup var lockOptions: LockOptions

    @Option(help: "Seconds to wait for open commits after SIGTERM.")
    var drainTimeout = 6

    /// Opens XMPP connections; nil in a program without libstrophe.
    @TaskLocal static var connector: (any UpstreamConnector)?

    func validate() throws {
        guard xmpp.server != nil || intake.http else {
            throw ValidationError("give --server for XMPP, or --http, or both")
        }
        guard (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
    }

    func run() async throws {
        if xmpp.server != nil, Self.connector == nil {
            return try await options.reportingFailure { try ListenProgram.replaceThisProcess() }
        }
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
        let state = try EnvironmentState(in: session, chosen: environment)
        guard let account = state.chosen.settings.upstream else {
            throw CommandFailure(.noUpstream(in: state.environment), exit: .usage)
        }
        let log = ServiceLog(logFormat, of: state.environment, to: process, in: session)
        let store = try await state.open()
        let inbox = try await ListenInbox(of: store)
        try await inbox.lock(waiting: lockOptions.timeout, in: session)
        do {
            let run = ListenRun(
                command: self,
                session: session,
                account: account,
                key: try await session.fingerprintKey(of: store),
                retain: state.chosen.settings.state.retain,
                inbox: inbox.store,
                monitor: ListenMonitor(log, usesConnections: xmpp.server != nil)
            )
            try await run.perform(in: state.environment)
        } catch {
            await inbox.unlock()
            throw error
        }
        await inbox.unlock()
        throw ExitReason.interrupted.code
    }
}
