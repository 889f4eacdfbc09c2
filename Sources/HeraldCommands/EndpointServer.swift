import CampaignExecution
import CampaignModel
import CampaignReporting
import CurlTransport
import FCMDelivery
import FCMEmulator
import FCMWire
import Logging

/// What answers an environment's requests: a server that is running, or one started inside.
struct EndpointServer {
    let endpoint: FCMEndpoint
    /// Carries the requests; ends with `stop`.
    let transport: CurlTransport
    private let embedded: EmulatorServer?

    /// Unless told otherwise, emulators take any bearer token that is not empty.
    private static let emulatorBearer = "owner"

    /// `parallelism`: how many requests may be open at once.
    static func reach(
        _ environment: CampaignModel.Environment,
        of project: Project,
        needed: Bool,
        parallelism: Int = Applier.standardParallelism,
        _ pipeline: Pipeline
    ) async throws(CommandFailure) -> EndpointServer {
        var configuration = CurlTransport.Configuration(maximumConnections: parallelism)
        switch environment.endpoint {
        case .emulator(let url, let authority, let credentials):
            if let authority {
                configuration.trustedCertificates = try trusted(authority, pipeline)
            }
            let transport = CurlTransport(configuration: configuration)
            guard needed, let credentials else {
                return EndpointServer(url, project, nil, transport)
            }
            do throws(CommandFailure) {
                let key = try EmulatorCredentials(credentials, pipeline)
                let token = try await key.bearer(from: url, over: transport)
                let bearer = Bearer(token) { () throws(BearerError) in
                    try await key.renewed(from: url, over: transport)
                }
                return EndpointServer(url, project, nil, transport, bearer: bearer)
            } catch {
                await transport.shutdown()
                throw error
            }
        case .fcm, .unresolved:
            throw CommandFailure(
                "sending to Firebase is not built yet",
                help: "choose an environment with an emulator",
                exit: .invalidFiles
            )
        case .embeddedEmulator:
            let folder = EmulatorFolder(pipeline.options)
            let running = RunningEmulator.find(in: folder.path)
            let server =
                running == nil && needed
                ? try await folder.start(devices: project.devices, port: 0) : nil
            let url = running?.url ?? server?.url ?? ""
            let transport = CurlTransport(configuration: configuration)
            return EndpointServer(url, project, server, transport)
        }
    }

    private init(
        _ url: String,
        _ project: Project,
        _ embedded: EmulatorServer?,
        _ transport: CurlTransport,
        bearer: Bearer = Bearer(fixed: emulatorBearer)
    ) {
        endpoint = FCMEndpoint(
            server: url,
            project: project.id.rawValue,
            bearer: bearer
        )
        self.transport = transport
        self.embedded = embedded
    }

    /// The path of a certificate authority's file, which must be readable: one that is missing would
    /// be told as a failed handshake.
    private static func trusted(
        _ authority: String,
        _ pipeline: Pipeline
    ) throws(CommandFailure) -> String {
        let isAbsolute = authority.hasPrefix("/")
        let path = isAbsolute ? authority : pipeline.options.directory + "/" + authority
        _ = try KeyFile(path).contents()
        return path
    }

    func stop() async {
        await transport.shutdown()
        await embedded?.stop()
    }
}

/// Where a project's own emulator keeps its request log.
struct EmulatorFolder {
    let path: String

    init(_ options: GlobalOptions) {
        path = "\(options.directory)/\(Pipeline.stateFolder)/emulator"
    }

    func start(
        devices: [VirtualDevice],
        port: Int,
        faults: JSONValue? = nil,
        transport: TransportFlags? = nil,
        clock: EmulatorClockStart? = nil,
        limits: DeliveryLimits = DeliveryLimits(),
        delivery: DeliveryOptions? = nil,
        serviceAccounts: [ServiceAccountFile] = [],
        requiresTokens: Bool = false,
        logger: Logger? = nil
    ) async throws(CommandFailure) -> EmulatorServer {
        let quiet = Logger(label: "emulator", factory: { _ in SwiftLogNoOpLogHandler() })
        var configuration = EmulatorConfiguration(
            directory: path,
            port: port,
            devices: try devices.map(DeviceSpecification.init),
            faults: faults,
            clock: clock,
            limits: limits,
            serviceAccounts: serviceAccounts,
            requiresTokens: requiresTokens,
            logger: logger ?? quiet
        )
        configuration.delivery = delivery
        transport?.apply(to: &configuration)
        do throws(EmulatorError) {
            return try await EmulatorServer.start(configuration)
        } catch {
            throw CommandFailure(error, folder: path)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: EmulatorError, folder: String) {
        switch error {
        case .portInUse(let port):
            self.init(
                "port \(port) is in use",
                help: "choose another with --port, or 0 for any that is free"
            )
        case .cannotListen(let reason): self.init("the emulator can't listen: \(reason)")
        case .directoryInUse(let pid):
            self.init(
                "another emulator works in \(folder)" + (pid.map { ", process \($0)" } ?? ""),
                help: "use that one, or end it"
            )
        case .directoryUnusable(let reason): self.init("the emulator can't work: \(reason)")
        case .damagedLog(let line):
            self.init(
                "\(folder)/requests.ndjson:\(line) is not a line of a request log",
                help: "the devices' memory is made from it; move the file away to begin anew"
            )
        case .registrationTaken(let device, let other):
            self.init(
                "the devices \(device) and \(other) have the same registration",
                help: "a registration belongs to one device: give one of them another"
            )
        case .tooManyTopics(let device):
            self.init(
                "the device \(device) has more than \(DeliveryModel.topicsPerDevice) topics",
                help: "an app instance can be subscribed to no more (Firebase documentation, "
                    + "Topic messaging): take some away"
            )
        case .faultsRefused(let mistakes):
            self.init(
                "the fault script has mistakes:\n  " + mistakes.joined(separator: "\n  "),
                exit: .invalidFiles
            )
        case .unusableServiceAccount(let path, let reason):
            self.init(
                "\(TextStyle.safe(path)) is no service account's file: \(reason)",
                help: "make one with `herald emulator make-key`"
            )
        }
    }
}

extension DeviceSpecification {
    fileprivate init(_ device: VirtualDevice) throws(CommandFailure) {
        guard let registration = DeviceRegistration(device.registration.token) else {
            throw CommandFailure(
                "the emulator does not take the registration of device \(device.name)",
                help: "use letters, digits, `:`, `_`, `.` and `-`"
            )
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
