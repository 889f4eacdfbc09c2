import ArgumentParser
import EmulatorAPI
import EmulatorServer
import Presentation

/// Options for the listeners of `herald emulator`, in addition to its cleartext port.
struct TransportFlags: ParsableArguments {
    @Option(
        help: """
            Address to listen on. Beyond 127.0.0.1, the control API and the page require a token.
            """
    )
    var host = "127.0.0.1"

    @Option(
        name: .customLong("tls-port"),
        help: "Serve TLS on this port, too. 0 selects a free port."
    )
    var tlsPort: Int?

    @Flag(
        name: .customLong("tls-intercept"),
        help: "Run an HTTPS proxy that answers only for Google's hosts."
    )
    var intercepts = false

    @Option(
        name: .customLong("proxy-port"),
        help: "Port of the proxy with --tls-intercept. (default: a free port)"
    )
    var proxyPort: Int?

    @Option(
        name: .customLong("xmpp-port"),
        help: "Serve app servers over XMPP on this port. 0 selects a free port."
    )
    var xmppPort: Int?

    @Option(
        name: .customLong("server-key"),
        help: ArgumentHelp(
            "Password of app servers over XMPP, in this variable. (default: any)",
            valueName: "env:name"
        )
    )
    var serverKey: VariableArgument?

    @Option(
        name: .customLong("max-streams"),
        help: "Maximum concurrent requests per HTTP/2 connection."
    )
    var maxStreams = 100

    @Flag(
        name: .customLong("no-content-length"),
        help: "Leave content-length out of responses."
    )
    var hidesContentLength = false

    @Flag(
        name: .customLong("print-setup"),
        help: "Print how to point each official SDK at the emulator."
    )
    var printSetup = false

    static let ports = 0...65_535
    private static let loopback = ["127.0.0.1", "localhost", "::1"]

    func validate() throws {
        guard [tlsPort, proxyPort, xmppPort].allSatisfy({ $0.map(Self.ports.contains) ?? true })
        else {
            throw ValidationError("a port must be from 0 to 65535")
        }
        guard proxyPort == nil || intercepts else {
            throw ValidationError("--proxy-port requires --tls-intercept")
        }
        guard serverKey == nil || xmppPort != nil else {
            throw ValidationError("--server-key requires --xmpp-port")
        }
        guard xmppPort == nil || serverKey != nil || Self.loopback.contains(host) else {
            throw ValidationError("--xmpp-port with --host \(host) needs --server-key")
        }
        guard (1...1_000_000).contains(maxStreams) else {
            throw ValidationError("--max-streams must be from 1 to 1000000")
        }
    }

    /// The options that a running emulator does not satisfy according to its addresses.
    ///
    /// Options that addresses do not reveal count as not satisfied.
    func unmet(by running: EmulatorAddresses) -> [String] {
        func isMet(_ port: Int?, _ url: String?) -> Bool {
            guard let port else { return true }
            guard let url else { return false }
            return port == 0 || url.hasSuffix(":\(port)")
        }
        let wishes = [
            ("--host", host == "127.0.0.1" || running.url.contains("//\(host):")),
            ("--tls-port", isMet(tlsPort, running.tlsURL)),
            ("--tls-intercept", !intercepts || running.proxyURL != nil),
            ("--proxy-port", isMet(proxyPort, running.proxyURL)),
            ("--xmpp-port", isMet(xmppPort, running.xmpp)),
            ("--server-key", serverKey == nil),
            ("--max-streams", maxStreams == 100),
            ("--no-content-length", !hidesContentLength),
        ]
        return wishes.filter { !$0.1 }.map(\.0)
    }

    func apply(to configuration: inout EmulatorConfiguration) throws(CommandFailure) {
        configuration.host = host
        configuration.tlsPort = tlsPort
        configuration.proxyPort = intercepts ? proxyPort ?? 0 : nil
        configuration.xmppPort = xmppPort
        configuration.serverKey = try serverKey.map { variable throws(CommandFailure) in
            guard let key = CommandContext.current.variables[variable.name], !key.isEmpty else {
                throw CommandFailure(
                    .unsetListenVariable(variable.name, for: "the server key"),
                    exit: .usage
                )
            }
            return key
        }
        configuration.maxConcurrentStreams = maxStreams
        configuration.sendsContentLength = !hidesContentLength
    }
}
