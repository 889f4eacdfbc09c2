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
    /// Maximum number of concurrent requests on one HTTP/2 connection.
    package var maxConcurrentStreams = 100
    /// Whether answers have a content length.
    package var sendsContentLength = true
    package var setup: EmulatorSetup
    /// The logger (default: silent).
    package var logger: Logger

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
