package import EmulatorAPI
package import Logging

/// The address, the protocols and the content of an emulator.
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
    /// The port for XMPP, nil for none, or 0 for any free port.
    package var xmppPort: Int?
    /// The password of app servers over XMPP, or nil to accept any.
    package var serverKey: String?
    /// Maximum number of concurrent requests on one HTTP/2 connection.
    package var maxConcurrentStreams = 100
    /// Whether answers have a content length.
    package var sendsContentLength = true
    /// The token of the control API and the page, or nil if they need none.
    package var controlToken: String?
    package var setup: EmulatorSetup
    /// The logger (default: silent).
    package var logger: Logger

    /// Whether only programs on this machine can connect.
    ///
    /// Other addresses of 127.0.0.0/8 count as beyond loopback, because containers and network
    /// namespaces forward to them.
    package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    /// The host in the published addresses; programs on this machine use loopback.
    var publishedHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    package init(
        directory: String,
        host: String = "127.0.0.1",
        port: Int = 0,
        setup: EmulatorSetup = EmulatorSetup(),
        logger: Logger = Logger(label: "herald.emulator") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.directory = directory
        self.host = host
        self.port = port
        self.setup = setup
        self.logger = logger
    }
}
