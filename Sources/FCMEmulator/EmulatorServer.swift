package import FCMDelivery
package import FCMWire
import FoundationEssentials
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package struct EmulatorConfiguration: Sendable {
    /// Where the request log lies; made where it is missing.
    package var directory: String
    package var host: String
    /// 0 for any port that is free.
    package var port: Int
    /// Devices that must exist; those that the directory knows keep what they remember.
    package var devices: [DeviceSpecification]
    /// The script of the faults that happen from the start on; nil for none.
    package var faults: JSONValue?
    /// Silent unless given.
    package var logger: Logger

    package init(
        directory: String,
        host: String = "127.0.0.1",
        port: Int = 0,
        devices: [DeviceSpecification] = [],
        faults: JSONValue? = nil,
        logger: Logger = Logger(label: "herald.emulator") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.directory = directory
        self.host = host
        self.port = port
        self.devices = devices
        self.faults = faults
        self.logger = logger
    }
}

/// A running emulator.
///
/// A class because it owns a thread, a port and a lock until `stop`.
///
/// The model is changed on one event loop, request by request.
package final class EmulatorServer: Sendable {
    /// `http://HOST:PORT`, with the port that was given by the system where none was asked for.
    package let url: String
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    /// Nil once the server has been stopped.
    private let directory: Mutex<EmulatorDirectory?>

    private init(
        url: String,
        group: MultiThreadedEventLoopGroup,
        logger: Logger,
        directory: consuming sending EmulatorDirectory
    ) {
        self.url = url
        self.group = group
        self.logger = logger
        self.directory = Mutex(directory)
    }

    /// Restores what the directory remembers, and serves.
    package static func start(
        _ configuration: EmulatorConfiguration
    ) async throws(EmulatorError) -> EmulatorServer {
        let directory = try EmulatorDirectory.locked(configuration.directory)
        var core = try EmulatorCore(
            logPath: directory.logPath,
            logger: configuration.logger,
            clock: systemClock
        )
        try core.seed(configuration.devices)
        try core.setFaults(configuration.faults)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(EmulatorError) {
            let port = try await listen(configuration, SharedCore(core), on: group)
            let host = configuration.host
            let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
            try directory.publish(url: url)
            configuration.logger.info("emulator is listening", metadata: ["url": "\(url)"])
            return EmulatorServer(
                url: url,
                group: group,
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

/// The port that is listened on.
private func listen(
    _ configuration: EmulatorConfiguration,
    _ core: SharedCore,
    on group: any EventLoopGroup
) async throws(EmulatorError) -> Int {
    let bootstrap = ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 1_024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.configureHTTPServerPipeline()
                try pipeline.addHandler(HTTPExchangeHandler(core: core))
            }
        }
    do {
        let channel = try await bootstrap.bind(
            host: configuration.host,
            port: configuration.port
        ).get()
        return channel.localAddress?.port ?? configuration.port
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw .portInUse(configuration.port)
    } catch {
        throw .cannotListen(reason: "\(error)")
    }
}
