package import DeliveryModel
package import JSON
import FoundationEssentials
package import Logging
import NIOCore
import NIOPosix
import Synchronization

package struct EmulatorConfiguration: Sendable {
    /// Where the request log lies; made where it is missing.
    package var directory: String
    package var host: String
    /// 0 for any port that is free.
    package var port: Int
    /// Where TLS is spoken; nil for nowhere, 0 for any port that is free.
    package var tlsPort: Int?
    /// Where a proxy takes tunnels to Google's hosts; nil for nowhere, 0 for any port that is free.
    package var proxyPort: Int?
    /// How many requests a client may have open on one HTTP/2 connection.
    package var maxConcurrentStreams = 100
    /// Whether answers say how long they are.
    package var sendsContentLength = true
    /// Devices that must exist; those that the directory knows keep what they remember.
    package var devices: [DeviceSpecification]
    /// The script of the faults that happen from the start on; nil for none.
    package var faults: JSONValue?
    /// Nil leaves the clock as the directory knows it; it is real in the beginning.
    package var clock: EmulatorClockStart?
    /// What FCM refuses beyond; the log is replayed without them.
    package var limits: DeliveryLimits
    /// How FCM and the devices behave; nil leaves it as the directory knows it.
    package var delivery: DeliveryOptions?
    /// Accounts that may ask for access tokens.
    package var serviceAccounts: [ServiceAccountFile]
    /// Whether requests to FCM need a token that was issued here.
    package var requiresTokens: Bool
    /// Silent unless given.
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
/// A class because it owns a thread, a port and a lock until `stop`.
///
/// The model is changed on one event loop, request by request.
package final class EmulatorService: Sendable {
    /// With the ports that were given by the system where none were asked for.
    package let addresses: EmulatorAddresses
    private let group: MultiThreadedEventLoopGroup
    private let shared: SharedCore
    private let logger: Logger
    /// Nil once the server has been stopped.
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

    /// Restores what the directory remembers, and serves.
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

    /// Closes every connection, then gives the directory back.
    ///
    /// A second call does nothing.
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
    /// Method and path; the query may hold a secret.
    fileprivate var summary: String { "\(method) \(RequestTarget(target).path)" }
}
