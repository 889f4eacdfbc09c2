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
    /// The token of the control API, which an emulator beyond loopback requires.
    private let token: String?
    private let server: EmulatorService?
    private let transport: any ClosableTransport

    /// Connects to the emulator at `url`.
    ///
    /// `authority` is the certificate authority's file, if the system does not trust that
    /// authority.
    init(at url: String, trusting authority: String? = nil, token: String? = nil) {
        self.init(url: url, server: nil, trusting: authority, token: token)
    }

    private init(
        url: String,
        server: EmulatorService?,
        trusting authority: String? = nil,
        token: String? = nil
    ) {
        self.url = url
        self.server = server
        self.token = token ?? EmulatorToken.given
        var configuration = CurlTransport.Configuration()
        configuration.trustedCertificates = authority
        transport = CommandContext.current.openTransport(configuration)
    }

    /// Opens the project's own emulator.
    ///
    /// Starts it for this command if it is not running.
    static func open(
        _ options: some CommandOptions
    ) async throws(CommandFailure) -> EmulatorControlClient {
        let folder = EmulatorFolder(options)
        if let running = RunningEmulator.find(in: folder.path) {
            return EmulatorControlClient(at: running.url, token: running.addresses.token)
        }
        let server = try await folder.start()
        return EmulatorControlClient(url: server.url, server: server)
    }

    /// Opens the emulator of an environment.
    static func open(
        of state: EnvironmentState,
        options: ProjectOptions
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
        try usable(await answer(to: path))
    }

    func post(_ path: String, _ body: JSONValue) async throws(CommandFailure) -> JSONValue {
        try usable(await answer(to: path, method: .post, body: body.compactBytes))
    }

    /// Returns the JSON of an answer without an error.
    private func usable(
        _ answer: (status: Int, json: JSONValue)
    ) throws(CommandFailure) -> JSONValue {
        guard answer.status == 200, answer.json != .null else {
            throw CommandFailure(
                .unreachableEmulator(at: url, because: EmulatorAnswerWording.unexpected)
            )
        }
        return answer.json
    }

    /// Returns the status and the JSON of any answer.
    func answer(
        to path: String,
        method: HTTPRequest.Method = .get,
        body: [UInt8] = []
    ) async throws(CommandFailure) -> (status: Int, json: JSONValue) {
        var headers: [HTTPHeader] = []
        if let token {
            headers.append(HTTPHeader(name: "Authorization", value: "Bearer " + token))
        }
        if !body.isEmpty {
            headers.append(HTTPHeader(name: "Content-Type", value: "application/json"))
        }
        let request = HTTPRequest(
            method: method,
            url: url + path,
            headers: headers,
            body: body,
            timeLimit: Self.timeLimit
        )
        do throws(TransportError) {
            let answer = try await transport.send(request)
            return (answer.status, JSONValue(parsing: answer.body) ?? .null)
        } catch {
            throw CommandFailure(.unreachableEmulator(at: url, because: error.detail))
        }
    }

    /// Longer than the longest wait for a message.
    private static let timeLimit = Duration.seconds(90)

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
