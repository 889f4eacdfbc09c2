import CampaignModel
import CurlTransport
import EmulatorAPI
import EmulatorServer
import HTTPTransport
import JSON
import Presentation
import Text

/// A client for an emulator's control endpoints.
struct EmulatorControlClient {
    private let url: String
    private let server: EmulatorService?
    private let transport: any ClosableTransport

    /// Connects to the emulator at `url`.
    ///
    /// `authority` is the certificate authority's file, if the system does not trust that
    /// authority.
    init(at url: String, trusting authority: String? = nil) {
        self.init(url: url, server: nil, trusting: authority)
    }

    private init(url: String, server: EmulatorService?, trusting authority: String? = nil) {
        self.url = url
        self.server = server
        var configuration = CurlTransport.Configuration()
        configuration.trustedCertificates = authority
        transport = CommandContext.current.openTransport(configuration)
    }

    /// Opens the project's own emulator.
    ///
    /// Starts it for this command if it is not running.
    static func open(_ options: GlobalOptions) async throws(CommandFailure) -> EmulatorControlClient
    {
        let folder = EmulatorFolder(options)
        if let running = RunningEmulator.find(in: folder.path) {
            return EmulatorControlClient(at: running.url)
        }
        let server = try await folder.start()
        return EmulatorControlClient(url: server.url, server: server)
    }

    /// Opens the emulator of an environment.
    static func open(
        of state: EnvironmentState,
        options: GlobalOptions
    ) async throws(CommandFailure) -> EmulatorControlClient {
        switch state.chosen.endpoint {
        case .emulator(let url, let authority, _):
            let path = authority.map { $0.hasPrefix("/") ? $0 : options.directory + "/" + $0 }
            return EmulatorControlClient(at: url, trusting: path)
        case .embeddedEmulator: return try await open(options)
        case .fcm(let account) where account.isOnThisMachine:
            let authority = state.session.context.variables["SSL_CERT_FILE"] ?? ""
            return EmulatorControlClient(
                at: account.endpoint ?? "",
                trusting: authority.isEmpty ? nil : authority
            )
        case .fcm, .unresolved:
            throw CommandFailure(.deliveryWithoutEmulator(in: state.environment))
        }
    }

    func get(_ path: String) async throws(CommandFailure) -> JSONValue {
        try await answer(to: HTTPRequest(method: .get, url: url + path))
    }

    func post(_ path: String, _ body: JSONValue) async throws(CommandFailure) -> JSONValue {
        try await answer(
            to: HTTPRequest(
                method: .post,
                url: url + path,
                headers: [HTTPHeader(name: "Content-Type", value: "application/json")],
                body: body.compactBytes
            )
        )
    }

    private func answer(to request: HTTPRequest) async throws(CommandFailure) -> JSONValue {
        do throws(TransportError) {
            let answer = try await transport.send(request)
            guard answer.status == 200, let json = JSONValue(parsing: answer.body) else {
                throw TransportError(
                    fate: .perhapsSent,
                    reason: .malformedAnswer,
                    detail: EmulatorAnswerWording.unexpected
                )
            }
            return json
        } catch {
            throw CommandFailure(.unreachableEmulator(at: url, because: error.detail))
        }
    }

    func close() async {
        await transport.shutdown()
        await server?.stop()
    }

    /// Performs a query, then closes the client, even after an error.
    func asking<Answer>(
        _ body: (EmulatorControlClient) async throws(CommandFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(CommandFailure) {
            let answer = try await body(self)
            await close()
            return answer
        } catch {
            await close()
            throw error
        }
    }
}

extension FCMAccount {
    /// Whether the endpoint is an emulator on this machine instead of Google.
    fileprivate var isOnThisMachine: Bool {
        endpoint.flatMap(ServerAddress.init(of:))?.isLoopback ?? false
    }
}
