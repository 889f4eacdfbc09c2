import ArgumentParser

/// Options with which the operator allows what a project's files cannot allow themselves.
struct TrustOptions: ParsableArguments {
    @Flag(help: "Run the commands that the project's files name.")
    var allowCommands = false

    @Flag(
        inversion: .prefixedNo,
        help: "Run the programs and queries under `sources` in herald.yaml."
    )
    var allowSources: Bool?

    @Option(
        help: "Read files in this directory outside of the project. Repeatable.",
        completion: .directory
    )
    var allowPath: [String] = []

    @Option(help: "Send identities and access tokens to this host. Repeatable.")
    var allowHost: [String] = []

    @Option(help: "Show the value of this variable, which herald.yaml inserts. Repeatable.")
    var allowVariable: [String] = []

    @Flag(help: "Write the keys of TLS connections to the file that SSLKEYLOGFILE names.")
    var allowKeyLog = false
}
