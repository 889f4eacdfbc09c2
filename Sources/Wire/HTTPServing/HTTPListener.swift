package import HTTPTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemIO

/// A small HTTP/1.1 server for a program's own pages, such as its health.
///
/// It answers GET and HEAD, and ignores request bodies. A class, because it owns a thread and a port
/// until `stop`.
package final class HTTPListener: Sendable {
    /// Returns the answer to a path, which begins with a slash and has no query.
    ///
    /// Called on the server's thread; it must return at once.
    package typealias Respond = @Sendable (_ path: String) -> HTTPAnswer

    /// The actual port.
    package let port: Int
    private let group: MultiThreadedEventLoopGroup

    /// Why a server cannot start.
    package enum Failure: Error, Hashable, Sendable {
        case addressInUse
        case cannotListen(reason: String)
    }

    /// How long a connection stays open on which nothing is received or sent; longer than the
    /// interval of scrapes.
    private static let longestSilence = TimeAmount.seconds(120)

    private init(port: Int, group: MultiThreadedEventLoopGroup) {
        self.port = port
        self.group = group
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: An IP address, or a name of this machine.
    ///   - port: The port, or 0 for any free port.
    ///   - respond: Decides the answers.
    /// - Returns: The running server.
    /// - Throws: The reason if it cannot listen there.
    package static func start(
        host: String,
        port: Int,
        respond: @escaping Respond
    ) async throws(Failure) -> HTTPListener {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let limit = ConnectionLimit(most: 64)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionLimitHandler(limit))
                    try pipeline.addHandler(IdleStateHandler(allTimeout: longestSilence))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(PageHandler(respond))
                }
            }
        do {
            let channel = try await bootstrap.bind(host: host, port: port).get()
            return HTTPListener(port: channel.localAddress?.port ?? port, group: group)
        } catch {
            try? await group.shutdownGracefully()
            if let error = error as? IOError,
                error.errnoCode == SystemError.addressInUse.number
            {
                throw .addressInUse
            }
            throw .cannotListen(reason: "\(error)")
        }
    }

    /// Closes the port and every connection.
    package func stop() async {
        try? await group.shutdownGracefully()
    }
}
