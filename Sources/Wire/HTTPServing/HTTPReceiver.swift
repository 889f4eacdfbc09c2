package import HTTPTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemIO

/// An HTTP/1.1 server that receives requests with bodies, with or without TLS.
///
/// A class, because it owns threads and a port until `stop`.
package final class HTTPReceiver: Sendable {
    /// Answers a request; the next one of the same connection waits for the answer.
    package typealias Respond = @Sendable (ReceivedRequest) async -> HTTPAnswer

    /// The actual port.
    package let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    /// Where to listen, and what a client may send.
    package struct Configuration: Sendable {
        package let host: String
        package let port: Int
        /// Nil for no TLS.
        package let identity: Identity?
        /// In bytes.
        package let longestBody: Int

        package init(host: String, port: Int, identity: Identity?, longestBody: Int) {
            self.host = host
            self.port = port
            self.identity = identity
            self.longestBody = longestBody
        }
    }

    /// Paths of PEM files.
    package struct Identity: Hashable, Sendable {
        package let certificate: String
        package let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Why a server cannot start.
    package enum Failure: Error, Hashable, Sendable {
        case addressInUse
        case cannotListen(reason: String)
        /// The file is not readable, or does not contain what it should.
        case unusableFile(path: String, reason: String)
    }

    private static let mostConnections = 1_024

    private init(channel: any Channel, port: Int, group: MultiThreadedEventLoopGroup) {
        self.channel = channel
        self.port = port
        self.group = group
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen.
    ///   - respond: Decides the answers.
    /// - Returns: The running server.
    /// - Throws: The reason if it cannot listen there.
    package static func start(
        _ configuration: Configuration,
        respond: @escaping Respond
    ) async throws(Failure) -> HTTPReceiver {
        let tls = try configuration.identity.map { identity throws(Failure) in
            try context(of: identity)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let limit = ConnectionLimit(most: mostConnections)
        let longestBody = configuration.longestBody
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionLimitHandler(limit))
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(IdleStateHandler(readTimeout: Self.longestSilence))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(
                        ReceivingHandler(longestBody: longestBody, respond: respond)
                    )
                }
            }
        do {
            let channel = try await bootstrap.bind(
                host: configuration.host,
                port: configuration.port
            ).get()
            let port = channel.localAddress?.port ?? configuration.port
            return HTTPReceiver(channel: channel, port: port, group: group)
        } catch {
            try? await group.shutdownGracefully()
            let isInUse = (error as? IOError)?.errnoCode == SystemError.addressInUse.number
            throw isInUse ? .addressInUse : .cannotListen(reason: "\(error)")
        }
    }

    /// How long a client may be silent, between two requests or within one.
    private static let longestSilence = TimeAmount.seconds(60)

    private static func context(of identity: Identity) throws(Failure) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
        } catch {
            throw .unusableFile(path: identity.certificate, reason: "\(error)")
        }
        do {
            let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unusableFile(path: identity.key, reason: "\(error)")
        }
    }

    /// Accepts no further connections.
    package func close() async { try? await channel.close() }

    /// Closes the port and every connection.
    package func stop() async {
        try? await group.shutdownGracefully()
    }
}
