package import DeliveryModel
import FoundationEssentials
package import JSON
package import Logging
import NIOCore
import NIOPosix
import Synchronization

package struct EmulatorConfiguration: Sendable {
    /// The directory of the request log; created if missing.
    package var directory: String
    package var host: String
    /// The port, or 0 for any free port.
    package var port: Int
    /// The TLS port, nil for no TLS, or 0 for any free port.
    package var tlsPort: Int?
    /// The port of the proxy for tunnels to Google's hosts, nil for no proxy, or 0 for any free
    /// port.
    package var proxyPort: Int?
    /// Maximum number of concurrent requests on one HTTP/2 connection.
    package var maxConcurrentStreams = 100
    /// Whether answers have a content length.
    package var sendsContentLength = true
    /// Devices that must exist; devices that the directory already has keep their state.
    package var devices: [DeviceSpecification]
    /// The initial fault script, or nil for none.
    package var faults: JSONValue?
    /// The clock, or nil to keep the directory's clock, which is real at first.
    package var clock: EmulatorClockStart?
    /// The limits above which FCM refuses requests; the replay of the log ignores them.
    package var limits: DeliveryLimits
    /// The behaviour of FCM and the devices, or nil to keep the directory's settings.
    package var delivery: DeliveryOptions?
    /// Accounts that may request access tokens.
    package var serviceAccounts: [ServiceAccountFile]
    /// Whether requests to FCM require a token that this emulator issued.
    package var requiresTokens: Bool
    /// The logger (default: silent).
    package var logger: Logger

    package init(
        directory: String,
        host: String = "127.0.0.1",
        port: Int = 0,
        devices: [DeviceSpecification] = [],
        faults: JSONValue? = nil,
        clock: EmulatorClockStart? = nil,
        limits: DeliveryLimits = DeliveryLimits(),
        serviceAccounts: [ServiceAccountFile] = [],
        requiresTokens: Bool = false,
        logger: Logger = Logger(label: "herald.emulator") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.directory = directory
        self.host = host
        self.port = port
        self.devices = devices
        self.faults = faults
        self.clock = clock
        self.limits = limits
        self.serviceAccounts = serviceAccounts
        self.requiresTokens = requiresTokens
        self.logger = logger
    }
}

/// A running emulator.
///
/// A class, because it owns a thread, a port and a lock until `stop`.
///
/// One event loop changes the model, request by request.
package final class EmulatorService: Sendable {
    /// The addresses, with the actual port numbers.
    package let addresses: EmulatorAddresses
    private let group: MultiThreadedEventLoopGroup
    private let shared: SharedCore
    private let logger: Logger
    /// Nil after the server has stopped.
    private let directory: Mutex<EmulatorDirectory?>

    /// `http://HOST:PORT`.
    package var url: String { addresses.url }

    private init(
        addresses: EmulatorAddresses,
        group: MultiThreadedEventLoopGroup,
        shared: SharedCore,
        logger: Logger,
        directory: consuming sending EmulatorDirectory
    ) {
        self.addresses = addresses
        self.group = group
        self.shared = shared
        self.logger = logger
        self.directory = Mutex(directory)
    }

    /// Deletes the request log, from which the memory is made; keys and certificates stay.
    ///
    /// - Throws: `.directoryInUse` if an emulator works in the directory.
    package static func erase(directory path: String) throws(EmulatorError) {
        let directory = try EmulatorDirectory.locked(path)
        try directory.removeLog()
    }

    /// Restores the state from the directory and starts serving.
    package static func start(
        _ configuration: EmulatorConfiguration
    ) async throws(EmulatorError) -> EmulatorService {
        let directory = try EmulatorDirectory.locked(configuration.directory)
        var core = try EmulatorCore(
            logPath: directory.logPath,
            limits: configuration.limits,
            authority: Authority(requiresTokens: configuration.requiresTokens),
            logger: configuration.logger,
            clock: systemClock
        )
        if let clock = configuration.clock { try core.begin(clock) }
        if let delivery = configuration.delivery { try core.set(delivery) }
        try core.seed(configuration.devices)
        try core.setFaults(configuration.faults)
        try core.register(configuration.serviceAccounts)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(EmulatorError) {
            let shared = SharedCore(core)
            let logger = configuration.logger
            let service = ExchangeService(
                respond: { request in
                    let answer = shared.take(request)
                    logger.debug("\(request.summary) \(answer.loggedStatus)")
                    return answer
                },
                settle: { shared.settle() },
                maxConcurrentStreams: configuration.maxConcurrentStreams,
                sendsContentLength: configuration.sendsContentLength
            )
            let listeners = Listeners(configuration, service, group: group)
            let addresses = try await listeners.listen()
            try directory.publish(addresses)
            configuration.logger.info(
                "emulator is listening",
                metadata: ["url": "\(addresses.url)"]
            )
            return EmulatorService(
                addresses: addresses,
                group: group,
                shared: shared,
                logger: configuration.logger,
                directory: directory
            )
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Closes every connection and then releases the directory.
    ///
    /// A second call has no effect.
    package func stop() async {
        var directory = directory.withLock { $0.take() }
        guard directory != nil else { return }
        shared.close()
        do {
            try await group.shutdownGracefully()
        } catch {
            logger.warning("the emulator's thread did not end", metadata: ["error": "\(error)"])
        }
        directory?.withdraw()
        directory = nil
    }
}

@Sendable private func systemClock() -> DeliveryMoment {
    DeliveryMoment(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
}

extension EmulatorRequest {
    /// Method and path, without the query, which may contain a secret.
    fileprivate var summary: String { "\(method) \(RequestTarget(target).path)" }
}
