import CampaignModel
import GoogleAuth
import HTTPServing
import HTTPTransport
import Inbox
import Listening
import Presentation
import RegistrationLists
import RunControl
import State
import SystemIO
import Time
import Upstream

/// Receives messages until the process is asked to stop.
struct ListenRun {
    let command: ListenCommand
    let session: Session
    let account: UpstreamAccount
    let key: FingerprintKey
    /// Seconds to keep messages on which a run has acted; nil for ever.
    let retain: Int64?
    let inbox: any InboxStore
    let monitor: ListenMonitor

    func perform(in environment: EnvironmentID) async throws(CommandFailure) {
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .listening)
        defer { signals.cancel() }
        let systemd = SystemdNotifier(session.context.variables, processID: CurrentProcess.id)
        monitor.log.note(.started(Herald.wording))
        let listener = try upstreamListener(in: environment)
        let server = try await intakeServer()
        if let server { monitor.log.note(.receiving(at: server.url)) }
        let status = try await statusServer(of: listener, in: environment)
        systemd?.ready()
        let receiving = Task { await listener?.run() }
        let upkeep = Task { await removeOldMessages() }
        await stop.wait()
        systemd?.stopping()
        upkeep.cancel()
        await server?.drain()
        listener?.stop(within: .seconds(command.drainTimeout))
        await receiving.value
        await server?.stop()
        await status?.stop()
    }

    // MARK: Parts

    private func upstreamListener(
        in environment: EnvironmentID
    ) throws(CommandFailure) -> UpstreamListener? {
        guard let server = command.xmpp.server, let connector = ListenCommand.connector else {
            return nil
        }
        guard let variable = account.serverKey else {
            throw CommandFailure(.noServerKey(in: environment), exit: .usage)
        }
        // Each connection has a descriptor of libstrophe and three more.
        _ = CurrentProcess.raiseOpenFileLimit(to: 1_024 + 4 * command.xmpp.connections)
        let endpoint = UpstreamEndpoint(
            server: UpstreamEndpoint.Server(
                host: server.host,
                port: server.port,
                domain: command.xmpp.domain,
                authorities: command.xmpp.authorities
            ),
            user: account.sender.text,
            serverKey: ServerKey(try value(of: variable.name, for: "the server key")),
            announced: command.xmpp.announce
        )
        let set = ConnectionSet<UpstreamMessage>(
            count: command.xmpp.connections,
            seed: UInt64.random(in: 0 ... .max)
        )
        let setting = UpstreamListener.Setting(
            connector: connector,
            endpoint: endpoint,
            sender: account.sender,
            inbox: inbox,
            clock: session.clock
        )
        return UpstreamListener(set, in: setting) { [monitor] in monitor.receive($0) }
    }

    private func intakeServer() async throws(CommandFailure) -> IntakeServer? {
        let options = command.intake
        guard options.http else { return nil }
        let report: UpstreamListener.Report = { [monitor] in monitor.receive($0) }
        let signatures = try options.signatureKey.map { variable throws(CommandFailure) in
            let key = try value(of: variable.name, for: "the key of signatures")
            return RequestSignature(key: Array(key.utf8))
        }
        let setting = HTTPIntake.Setting(
            sender: account.sender,
            hasher: InboxHasher(key: key),
            writer: InboxWriter(of: inbox, report: report),
            tokens: try await identityTokens(),
            clock: session.clock
        )
        let intake = HTTPIntake(
            in: setting,
            signatures: signatures,
            rate: DeviceRate(limit: options.rate),
            report: report
        )
        return try await IntakeServer(options, of: intake)
    }

    private func identityTokens() async throws(CommandFailure) -> IdentityTokens? {
        guard let path = command.intake.tokenKeys, let project = command.intake.tokenProject else {
            return nil
        }
        let text = try KeyFile(path).contents()
        do throws(IdentityTokens.KeyFailure) {
            return try await IdentityTokens(keys: text, project: project)
        } catch {
            throw CommandFailure(.unusableTokenKeys(path, because: error))
        }
    }

    /// Nothing that the command prints contains the value.
    private func value(
        of variable: String,
        for use: String
    ) throws(CommandFailure) -> String {
        guard let value = session.context.variables[variable], !value.isEmpty else {
            throw CommandFailure(.unsetListenVariable(variable, for: use))
        }
        session.context.mask.hide([variable: value])
        return value
    }

    // MARK: Health and upkeep

    private func statusServer(
        of listener: UpstreamListener?,
        in environment: EnvironmentID
    ) async throws(CommandFailure) -> HTTPReceiver? {
        guard let address = command.status else { return nil }
        let view = ListenStatusView(
            release: Herald.release,
            environment: environment.rawValue,
            started: session.clock.now()
        )
        let configuration = HTTPReceiver.Configuration(
            host: address.host,
            port: address.port,
            identity: nil,
            longestBody: 0
        )
        do throws(HTTPReceiver.Failure) {
            let receiver = try await HTTPReceiver.start(configuration) { [monitor] request in
                await Self.answer(to: request.path, about: monitor, listener, in: view)
            }
            monitor.log.note(.listening(at: address.url(port: receiver.port)))
            return receiver
        } catch {
            let url = address.url(port: address.port)
            switch error {
            case .addressInUse: throw CommandFailure(.addressInUse(url))
            case .cannotListen(let reason), .unusableFile(_, let reason):
                throw CommandFailure(.cannotListen(on: url, because: reason))
            }
        }
    }

    private static func answer(
        to path: String,
        about monitor: ListenMonitor,
        _ listener: UpstreamListener?,
        in view: ListenStatusView
    ) async -> HTTPAnswer {
        let status = monitor.status
        switch path {
        case "/healthz": return page(HealthView.renderLiveness(isAlive: true), 200)
        case "/readyz":
            let text = ListenStatusView.renderReadiness(status)
            return page(text, status.problem == nil ? 200 : 503)
        case "/metrics":
            let text = view.renderMetrics(
                status,
                unacknowledged: await listener?.unacknowledgedCount ?? 0
            )
            return page(text, 200, ListenStatusView.contentType)
        default: return HTTPAnswer(status: 404)
        }
    }

    private static func page(
        _ text: String,
        _ status: Int,
        _ type: String = HealthView.contentType
    ) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            headers: [HTTPHeader(name: "Content-Type", value: type)],
            body: Array(text.utf8)
        )
    }

    /// Once an hour.
    private func removeOldMessages() async {
        guard let retain else { return }
        while !Task.isCancelled {
            let limit = session.clock.now().advanced(bySeconds: -retain)
            do throws(StateStoreError) {
                _ = try await inbox.removeMessages(before: limit)
            } catch {
                monitor.receive(.removalFailure(error))
            }
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
