import EmulatorAPI
import NIOCore
import NIOPosix
import NIOSSL
import SystemIO

/// The ports of one emulator.
struct Listeners {
    private let configuration: EmulatorConfiguration
    private let service: ExchangeService
    private let group: any EventLoopGroup

    /// How long a connection stays open on which nothing is received or sent.
    private static let longestSilence = TimeAmount.minutes(10)

    private typealias Handlers = @Sendable () -> [any ChannelHandler]

    init(
        configuration: EmulatorConfiguration,
        service: ExchangeService,
        group: any EventLoopGroup
    ) {
        self.configuration = configuration
        self.service = service
        self.group = group
    }

    /// Opens every configured port.
    func listen() async throws(EmulatorError) -> EmulatorAddresses {
        let service = service
        let plain = try await bind(to: configuration.port) {
            [ProtocolRecognition(service: service)]
        }
        guard configuration.tlsPort != nil || configuration.proxyPort != nil else {
            return EmulatorAddresses(
                url: url("http", port: plain),
                tlsURL: nil,
                proxyURL: nil,
                certificateAuthority: nil
            )
        }
        let folder = RealPath.of(configuration.directory) ?? configuration.directory
        let tls = try CertificateAuthority.kept(in: folder).serverContext()
        let secured = try await bind(toAny: configuration.tlsPort) {
            [NIOSSLServerHandler(context: tls), ProtocolRecognition(service: service)]
        }
        let proxy = try await bind(toAny: configuration.proxyPort) {
            [InterceptingProxy(tls: tls, service: service)]
        }
        return EmulatorAddresses(
            url: url("http", port: plain),
            tlsURL: secured.map { url("https", port: $0) },
            proxyURL: proxy.map { url("http", port: $0) },
            certificateAuthority: CertificateAuthority.certificatePath(folder)
        )
    }

    private func url(_ scheme: String, port: Int) -> String {
        let host = configuration.publishedHost
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    private func bind(
        toAny port: Int?,
        handlers: @escaping Handlers
    ) async throws(EmulatorError) -> Int? {
        guard let port else { return nil }
        return try await bind(to: port, handlers: handlers)
    }

    /// Listens and returns the actual port.
    private func bind(
        to port: Int,
        handlers: @escaping Handlers
    ) async throws(EmulatorError) -> Int {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        [
                            IdleStateHandler(allTimeout: Self.longestSilence),
                            IdleConnectionHandler(), ConnectionResetHandler(),
                        ] + handlers()
                    )
                }
            }
        do {
            let channel = try await bootstrap.bind(host: configuration.host, port: port).get()
            return channel.localAddress?.port ?? port
        } catch let error as IOError where error.errnoCode == SystemError.addressInUse.number {
            throw .portInUse(port)
        } catch {
            throw .cannotListen(reason: "\(error)")
        }
    }
}
