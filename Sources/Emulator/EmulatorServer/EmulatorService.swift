package import EmulatorAPI
import EmulatorWeb
import Logging
import NIOCore
import NIOPosix
import Synchronization

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

    /// Deletes the request log, from which the emulator restores its state; keys and certificates
    /// stay.
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
        let logger = configuration.logger
        let core = try EmulatorCore.restored(
            from: directory,
            setup: configuration.setup,
            routes: .served
        ) { sequence in
            logger.warning(
                "a recorded request is now refused and was skipped",
                metadata: ["seq": "\(sequence)"]
            )
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(EmulatorError) {
            let shared = SharedCore(core)
            let access = configuration.controlToken.map { ControlAccess(token: $0) }
            let service = ExchangeService(
                respond: { request in
                    if let refusal = access?.refusal(of: request) { return refusal }
                    let answer = shared.take(request)
                    logger.debug("\(request.summary) \(answer.loggedStatus)")
                    return answer
                },
                settle: { shared.settle() },
                repeating: { shared.repeating($0, after: $1, on: $2) },
                maxConcurrentStreams: configuration.maxConcurrentStreams,
                sendsContentLength: configuration.sendsContentLength
            )
            let appServers = AppServerHub(
                core: shared,
                serverKey: configuration.serverKey,
                logger: logger
            )
            if configuration.xmppPort != nil { appServers.start(on: group.next()) }
            let listeners = Listeners(
                configuration: configuration,
                service: service,
                appServers: appServers,
                group: group
            )
            var addresses = try await listeners.listen()
            addresses.token = configuration.controlToken
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

extension EmulatorRequest {
    /// Method and path, without the query, which may contain a secret.
    fileprivate var summary: String { "\(method) \(RequestTarget(target).path)" }
}
