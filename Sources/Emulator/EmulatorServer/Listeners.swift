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
    private let appServers: AppServerHub?

    /// How long a connection stays open on which nothing is received or sent.
    private static let longestSilence = TimeAmount.minutes(10)

    private typealias Handlers = @Sendable () -> [any ChannelHandler]

    /// Without `appServers`, the port for app servers is not opened.
    init(
        configuration: EmulatorConfiguration,
        service: ExchangeService,
        appServers: AppServerHub? = nil,
        group: any EventLoopGroup
    ) {
        self.configuration = configuration
        self.service = service
        self.appServers = appServers
        self.group = group
    }

    /// Opens every configured port.
    func listen() async throws(EmulatorError) -> EmulatorAddresses {
        let service = service
        let plain = try await bind(to: configuration.port) {
            [ProtocolRecognition(service: service)]
        }
        let ports = [configuration.tlsPort, configuration.proxyPort, configuration.xmppPort]
        guard ports.contains(where: { $0 != nil }) else {
            return EmulatorAddresses(
                url: url("http", port: plain),
                tlsURL: nil,
                proxyURL: nil,
                certificateAuthority: nil
            )
        }
        let folder = RealPath.of(configuration.directory) ?? configuration.directory
        let authority = try CertificateAuthority.kept(in: folder)
        let tls = try authority.serverContext()
        let secured = try await bind(toAny: configuration.tlsPort) {
            [NIOSSLServerHandler(context: tls), ProtocolRecognition(service: service)]
        }
        let proxy = try await bind(toAny: configuration.proxyPort) {
            [InterceptingProxy(tls: tls, service: service)]
        }
        let xmpp = try await bindXMPP(trustedAs: authority)
        var addresses = EmulatorAddresses(
            url: url("http", port: plain),
            tlsURL: secured.map { url("https", port: $0) },
            proxyURL: proxy.map { url("http", port: $0) },
            certificateAuthority: CertificateAuthority.certificatePath(folder)
        )
        addresses.xmpp = xmpp.map { host + ":\($0)" }
        return addresses
    }

    /// Opens the port for app servers, whose connections may be silent.
    private func bindXMPP(
        trustedAs authority: CertificateAuthority
    ) async throws(EmulatorError) -> Int? {
        guard let port = configuration.xmppPort, let appServers else { return nil }
        let tls = try authority.serverContext(offering: [])
        return try await bind(to: port, longestSilence: nil) {
            [
                NIOSSLServerHandler(context: tls), BackPressureHandler(),
                XMPPHandler(hub: appServers),
            ]
        }
    }

    private var host: String {
        let host = configuration.publishedHost
        return host.contains(":") ? "[\(host)]" : host
    }

    private func url(_ scheme: String, port: Int) -> String {
        "\(scheme)://\(host):\(port)"
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
        longestSilence: TimeAmount? = Self.longestSilence,
        handlers: @escaping Handlers
    ) async throws(EmulatorError) -> Int {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    var first: [any ChannelHandler] = [ConnectionResetHandler()]
                    if let longestSilence {
                        first.insert(IdleConnectionHandler(), at: 0)
                        first.insert(IdleStateHandler(allTimeout: longestSilence), at: 0)
                    }
                    try channel.pipeline.syncOperations.addHandlers(first + handlers())
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
