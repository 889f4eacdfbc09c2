import CampaignModel
import CurlTransport
import DeliveryModel
import EmulatorAPI
import EmulatorServer
import FCMClient
import FoundationEssentials
import JSON
import Logging
import Planning
import Presentation
import RateControl
import SystemIO
import Text
import Time

/// The server for an environment's requests: a running server, or an embedded emulator.
struct EndpointServer {
    let endpoint: FCMEndpoint
    /// The transport for all requests; `stop` closes it.
    let transport: any ClosableTransport
    /// The number of open requests, as far as the process may open files.
    private(set) var open = OpenLimit(fixed: OpenLimit.standardStart)
    private let embedded: EmulatorService?
    private let tokens: TokenSupply?

    /// The bearer token for emulators, which accept any non-empty token by default.
    private static let emulatorBearer = "owner"

    /// What a command connects to.
    struct Target {
        let environment: CampaignModel.Environment
        let project: Project
        /// Whether requests will be sent.
        let isNeeded: Bool
        /// The number of open requests.
        let open: OpenLimit
        /// Whether to allow endpoints other than Google and localhost.
        let allowsAnyServer: Bool

        init(
            _ environment: CampaignModel.Environment,
            of project: Project,
            isNeeded: Bool = true,
            open: OpenLimit = OpenLimit(fixed: OpenLimit.standardStart),
            allowsAnyServer: Bool
        ) {
            self.environment = environment
            self.project = project
            self.isNeeded = isNeeded
            self.open = open
            self.allowsAnyServer = allowsAnyServer
        }
    }

    /// Connects to an environment.
    ///
    /// Requests only the first access token.
    static func reach(
        _ target: Target,
        in session: Session
    ) async throws(CommandFailure) -> EndpointServer {
        let open = target.isNeeded ? try openLimit(for: target) : target.open
        var server = try await reach(target, open: open, in: session)
        server.open = open
        return server
    }

    private static func reach(
        _ target: Target,
        open: OpenLimit,
        in session: Session
    ) async throws(CommandFailure) -> EndpointServer {
        let (environment, project) = (target.environment, target.project)
        if let server = environment.foreignServer, !target.allowsAnyServer {
            throw CommandFailure(
                .foreignServer(server, in: environment.id),
                exit: .refusedByGuard
            )
        }
        let configuration = try CurlTransport.Configuration(
            for: environment,
            parallelism: open.most,
            session: session
        )
        switch environment.endpoint {
        case .emulator(let url, _, let credentials):
            let key: EmulatorKey? =
                if let credentials, target.isNeeded {
                    try await aboutCredential { () throws(CommandFailure) in
                        try EmulatorKey(credentials, in: session)
                    }
                } else {
                    nil
                }
            let transport = session.context.openTransport(configuration)
            return try await transport.endingOnFailure { () throws(CommandFailure) in
                let tokens = try await aboutCredential { () async throws(CommandFailure) in
                    try await key?.tokens(from: url, over: transport, in: session)
                }
                let endpoint = FCMEndpoint(
                    server: url,
                    project: project.id.rawValue,
                    bearer: tokens?.bearer ?? Bearer(fixed: emulatorBearer)
                )
                return EndpointServer(endpoint: endpoint, transport: transport, tokens: tokens)
            }
        case .fcm(let account):
            let google: GoogleCredentials? =
                if target.isNeeded {
                    try await aboutCredential { () throws(CommandFailure) in
                        try GoogleCredentials(
                            account.credentials,
                            for: .fcm(allowsAnyServer: target.allowsAnyServer),
                            in: session
                        )
                    }
                } else {
                    nil
                }
            let transport = session.context.openTransport(configuration)
            return try await transport.endingOnFailure { () throws(CommandFailure) in
                try await aboutCredential { () async throws(CommandFailure) in
                    try await reach(account, with: google, over: transport, in: session)
                }
            }
        case .unresolved:
            throw CommandFailure(.unknownAddress(of: environment.id), exit: .invalidFiles)
        case .embeddedEmulator:
            let folder = EmulatorFolder(session.options)
            try session.trust.requirePath(folder.path)
            let running = RunningEmulator.find(in: folder.path)
            let server =
                running == nil && target.isNeeded
                ? try await folder.start(EmulatorSetup(of: project.devices)) : nil
            let endpoint = FCMEndpoint(
                server: running?.url ?? server?.url ?? "",
                project: project.id.rawValue,
                bearer: Bearer(fixed: emulatorBearer)
            )
            let transport = session.context.openTransport(configuration)
            return EndpointServer(endpoint: endpoint, transport: transport, embedded: server)
        }
    }

    /// Descriptors besides those of connections: streams, state, logs, name resolution.
    private static let otherFiles = 64

    /// Raises the limit of open files as far as it is allowed, and returns how many requests may be
    /// open within it.
    ///
    /// - Throws: A failure if the connections could exceed it. A run would then fail in the middle.
    private static func openLimit(for target: Target) throws(CommandFailure) -> OpenLimit {
        // An embedded emulator has the other ends of the same connections.
        let ends = target.environment.endpoint == .embeddedEmulator ? 2 : 1
        let limit = CurrentProcess.raiseOpenFileLimit(to: target.open.most * ends + otherFiles)
        let possible = max(0, limit - otherFiles) / ends
        guard possible < target.open.start else { return target.open.limited(to: possible) }
        throw CommandFailure(
            .fewOpenFiles(
                limit: limit,
                needed: target.open.start * ends + otherFiles,
                parallelism: possible
            )
        )
    }

    /// `google`: nil if no request is needed.
    private static func reach(
        _ account: FCMAccount,
        with google: GoogleCredentials?,
        over transport: any ClosableTransport,
        in session: Session
    ) async throws(CommandFailure) -> EndpointServer {
        let variables = session.context.variables
        try await google?.refuseMissingMachine(transport)
        try await google?.refuseOtherProject(than: account, variables: variables, over: transport)
        let tokens: TokenSupply? =
            if let google {
                // Always the real clock, even if HERALD_NOW is set, because Google checks the
                // dates.
                try await TokenSupply(
                    google.credential,
                    over: transport,
                    clock: session.context.systemClock,
                    from: google.source
                )
            } else {
                nil
            }
        let endpoint = FCMEndpoint(
            messaging: account.endpoint ?? ServerAddress.messaging,
            instanceID: account.endpoint ?? ServerAddress.instanceID,
            deliveryData: account.endpoint ?? ServerAddress.deliveryData,
            project: account.projectID,
            sender: account.senderID,
            quotaProject: google?.quotaProject(of: account, variables: variables),
            bearer: tokens?.bearer ?? Bearer(fixed: "")
        )
        return EndpointServer(endpoint: endpoint, transport: transport, tokens: tokens)
    }

    private init(
        endpoint: FCMEndpoint,
        transport: any ClosableTransport,
        embedded: EmulatorService? = nil,
        tokens: TokenSupply? = nil
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.embedded = embedded
        self.tokens = tokens
    }

    /// The lifetime of the first access token; nil if any token is accepted.
    var tokenLife: Duration? { tokens?.life }

    func stop() async {
        tokens?.stop()
        await transport.shutdown()
        await embedded?.stop()
    }
}

/// Performs work whose failures are about the credential.
private func aboutCredential<Value>(
    _ work: () async throws(CommandFailure) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await work() } catch { throw error.ofCredential }
}

extension ClosableTransport {
    /// Closes the transport if the work fails.
    fileprivate func endingOnFailure(
        _ work: () async throws(CommandFailure) -> EndpointServer
    ) async throws(CommandFailure) -> EndpointServer {
        do throws(CommandFailure) {
            return try await work()
        } catch {
            await shutdown()
            throw error
        }
    }
}

extension CurlTransport.Configuration {
    /// Trusts the authorities in `ca`, otherwise those in OpenSSL's variables, otherwise the
    /// system's.
    fileprivate init(
        for environment: CampaignModel.Environment,
        parallelism: Int,
        session: Session
    ) throws(CommandFailure) {
        guard case .emulator(_, let authority?, _) = environment.endpoint else {
            try self.init(parallelism: parallelism, session: session)
            return
        }
        let isAbsolute = authority.hasPrefix("/")
        let path = isAbsolute ? authority : session.options.directory + "/" + authority
        try session.trust.requirePath(path)
        try self.init(
            parallelism: parallelism,
            trusting: try Self.readable(path),
            session: session
        )
    }

    /// Trusts the authorities in the file, otherwise those in OpenSSL's variables, otherwise the
    /// system's.
    init(
        parallelism: Int,
        trusting authorities: String? = nil,
        session: Session
    ) throws(CommandFailure) {
        self.init(maximumConnections: parallelism)
        let variables = session.context.variables
        if let authorities {
            trustedCertificates = authorities
        } else if let path = variables["SSL_CERT_FILE"], !path.isEmpty {
            trustedCertificates = try Self.readable(path)
        } else {
            trustedCertificates = SystemAuthorities.file()
        }
        if let path = variables["SSL_CERT_DIR"], !path.isEmpty { trustedFolder = path }
    }

    /// Checks that a certificate authority's file is readable.
    ///
    /// A missing file would be reported as a failed handshake.
    private static func readable(_ path: String) throws(CommandFailure) -> String {
        _ = try KeyFile(path).contents()
        return path
    }
}

/// The directory in which a project's own emulator keeps its request log.
struct EmulatorFolder {
    let path: String

    init(_ options: some CommandOptions) {
        path = "\(options.directory)/\(Session.stateFolder)/emulator"
    }

    /// Whether an emulator has run here before.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// `port`: 0 for any free port.
    func start(
        _ setup: EmulatorSetup = EmulatorSetup(),
        port: Int = 0,
        transport: TransportFlags? = nil,
        logger: Logger? = nil
    ) async throws(CommandFailure) -> EmulatorService {
        let quiet = Logger(label: "emulator", factory: { _ in SwiftLogNoOpLogHandler() })
        var configuration = EmulatorConfiguration(
            directory: path,
            port: port,
            setup: setup,
            logger: logger ?? quiet
        )
        try transport?.apply(to: &configuration)
        if !configuration.isLoopback { configuration.controlToken = EmulatorToken.given }
        if let token = configuration.controlToken,
            token.utf8.count < ControlAccess.shortestToken
        {
            throw CommandFailure(
                .shortControlToken(EmulatorToken.variable, least: ControlAccess.shortestToken),
                exit: .usage
            )
        }
        do throws(EmulatorError) {
            if !configuration.isLoopback, configuration.controlToken == nil {
                configuration.controlToken = try EmulatorDirectory.controlToken(in: path)
            }
            return try await EmulatorService.start(configuration)
        } catch {
            throw CommandFailure(error, folder: path)
        }
    }
}

extension EmulatorFolder {
    /// Deletes what the emulator remembers.
    func erase() throws(CommandFailure) {
        do throws(EmulatorError) {
            try EmulatorService.erase(directory: path)
        } catch {
            throw CommandFailure(error, folder: path)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: EmulatorError, folder: String) {
        let exit: ExitReason = if case .faultsRefused = error { .invalidFiles } else { .error }
        self.init(ErrorText(error, folder: folder), exit: exit)
    }
}

extension EmulatorSetup {
    /// The project's devices, for this process alone.
    ///
    /// Herald checks the limit of topic messages itself, and a comment may lift it.
    fileprivate init(of devices: [VirtualDevice]) throws(CommandFailure) {
        self.init(
            devices: try devices.map(DeviceSpecification.init),
            limits: DeliveryLimits(topicPayloadBytes: DeliveryLimits.messagePayloadBytes)
        )
    }
}

extension DeviceSpecification {
    init(_ device: VirtualDevice) throws(CommandFailure) {
        guard let registration = DeviceRegistration(device.registration.token) else {
            throw CommandFailure(.unacceptedRegistration(of: device.name))
        }
        self.init(
            name: device.name,
            platform: device.platform.onDevice,
            registration: registration,
            isOnline: device.isOnline,
            isInForeground: device.isInForeground,
            topics: device.topics.compactMap { TopicName($0.name) }
        )
        isDozing = device.isDozing
        isForceStopped = device.isForceStopped
    }
}

extension Platform {
    fileprivate var onDevice: DevicePlatform {
        switch self {
        case .android: .android
        case .apple: .apple
        case .web: .web
        }
    }
}

extension CampaignModel.Environment {
    /// Whether the server is an emulator, which knows only its own devices.
    var isEmulator: Bool {
        switch endpoint {
        case .embeddedEmulator, .emulator: true
        case .fcm, .unresolved: false
        }
    }
}
