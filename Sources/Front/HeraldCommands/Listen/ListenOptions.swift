import ArgumentParser

/// Where a listener receives over XMPP.
struct XMPPOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect to this XMPP server, with TLS from the first byte.",
            valueName: "host:port"
        )
    )
    var server: ListenAddress?

    @Option(help: "XMPP domain, which the server's certificate has to name.")
    var domain = "fcm.googleapis.com"

    @Option(help: ArgumentHelp("Number of connections, from 1 to 900.", valueName: "n"))
    var connections = 1

    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp(
            "Also trust the authorities of this PEM file.",
            valueName: "path"
        ),
        completion: .file()
    )
    var authorities: String?

    @Option(
        help: ArgumentHelp(
            "Send a directed presence to this XMPP address after each connect.",
            discussion: "A component of an XMPP server, such as Prosody, learns of the "
                + "connections by it. FCM needs none.",
            valueName: "jid"
        )
    )
    var announce: String?

    func validate() throws {
        guard (1...900).contains(connections) else {
            throw ValidationError("--connections must be from 1 to 900")
        }
        guard server?.port != 0 else { throw ValidationError("--server needs a port") }
    }
}

/// Where a listener receives over HTTP, and what proves the origin of a message.
struct IntakeOptions: ParsableArguments {
    @Flag(help: "Receive messages over HTTP: POST /v1/upstream/messages.")
    var http = false

    @Option(help: "Address to receive HTTP on. Beyond this machine, TLS is required.")
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("Port to receive HTTP on; 0 is any free port.", valueName: "port"))
    var port = 8_435

    @Option(
        help: ArgumentHelp("Certificate chain in PEM, for TLS.", valueName: "path"),
        completion: .file()
    )
    var certificate: String?

    @Option(
        name: .customLong("certificate-key"),
        help: ArgumentHelp("Private key of the certificate in PEM.", valueName: "path"),
        completion: .file()
    )
    var certificateKey: String?

    @Option(
        name: .customLong("hmac-key"),
        help: ArgumentHelp(
            "Accept requests signed with the key in this variable.",
            valueName: "env:name"
        )
    )
    var signatureKey: VariableArgument?

    @Option(
        name: .customLong("token-keys"),
        help: ArgumentHelp(
            "Accept Firebase ID tokens signed with the keys in this file.",
            discussion: "A JSON Web Key Set, or a JSON object with a certificate per key ID, as "
                + "Google publishes them.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tokenKeys: String?

    @Option(
        name: .customLong("token-project"),
        help: ArgumentHelp("Project whose ID tokens are accepted.", valueName: "id")
    )
    var tokenProject: String?

    @Option(
        help: ArgumentHelp("Messages per minute and device over HTTP.", valueName: "n")
    )
    var rate = 1_000

    private static let loopback: Set<String> = ["127.0.0.1", "::1", "localhost"]

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--certificate and --certificate-key belong together")
        }
        guard (tokenKeys == nil) == (tokenProject == nil) else {
            throw ValidationError("--token-keys and --token-project belong together")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 0 to 65535")
        }
        guard (1...1_000_000).contains(rate) else {
            throw ValidationError("--rate must be from 1 to 1000000")
        }
        guard http else { return }
        guard Self.loopback.contains(host) || certificate != nil else {
            throw ValidationError(
                "--host \(host) needs --certificate and --certificate-key: only this machine may post without TLS"
            )
        }
        guard signatureKey != nil || tokenKeys != nil else {
            throw ValidationError(
                "--http needs --hmac-key, or --token-keys and --token-project"
            )
        }
    }
}

/// The name of a variable, written as `env:NAME`.
struct VariableArgument: ExpressibleByArgument, Hashable {
    let name: String

    init?(argument: String) {
        guard argument.hasPrefix("env:"), argument.count > 4, !argument.contains("=") else {
            return nil
        }
        name = String(argument.dropFirst(4))
    }
}
