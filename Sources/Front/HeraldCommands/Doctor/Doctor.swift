import Preflight
import ArgumentParser
import Applying
import Presentation

/// The `herald doctor` command, which checks everything that sending depends on.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whatever sending rests on, one by one; nothing is sent.",
        discussion: """
            EXAMPLES
              herald doctor
              herald doctor -e production
              herald doctor -e production --format json
              herald doctor --network              the firewall sheet, and each host by port
              herald doctor --network --goog-json goog.json
              herald doctor --network --hold 31m   whether idle connections are kept

            Looks at the files, the state, credentials, token, project, sender id, proxy, connection, \
            the clock, a message with validate_only, and memberships; says what it saw and what to \
            do. Exit code 0 where there is no problem, 1 where there is one. \
            Documentation/Operations/Doctor.md tells more.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var server: EndpointOptions

    @Option(help: "How it is written.")
    var format = Status.Format.text

    @Flag(help: "Print what firewalls must let through, and connect to each host by port.")
    var network = false

    @Option(
        help: ArgumentHelp(
            "Google's list of addresses: whether it is fresh, and holds those that were reached.",
            valueName: "file"
        ),
        completion: .file()
    )
    var googJson: String?

    @Option(
        help: ArgumentHelp(
            "Hold an idle connection open for so long, to prove that a firewall keeps it.",
            valueName: "duration"
        )
    )
    var hold: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Connect to another address in place of a host, as curl does; for --network, repeatable.",
            discussion: "The first two may be empty, for any. For networks whose names resolve to "
                + "something else inside.",
            valueName: "host:port:host:port"
        )
    )
    var connectTo: [String] = []

    @Option(help: "Seconds that a connection of --network may take to be open.")
    var connectTimeout = 5

    func validate() throws {
        guard network || (googJson == nil && hold == nil && connectTo.isEmpty) else {
            throw ValidationError(
                "--goog-json, --hold and --connect-to are about --network: give that too"
            )
        }
        guard (1...60).contains(connectTimeout) else {
            throw ValidationError("--connect-timeout is from 1 to 60 seconds")
        }
        for rule in connectTo
        where rule.split(separator: ":", omittingEmptySubsequences: false).count < 4 {
            throw ValidationError("--connect-to takes HOST:PORT:HOST:PORT, not `\(rule)`")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let view = CheckupTextView(style: options.outputStyle)
            let show: (CheckupFinding) -> Void = { finding in
                if format == .text { Output.data(view.render([finding])) }
            }
            if network { return try finish(try checkNetwork(pipeline, show)) }
            if format == .text { Output.data(view.renderBeginning(environment.environment)) }
            var checkup = EnvironmentCheckup(
                pipeline,
                environment,
                allowsAnyServer: server.allowsAnyServer,
                show: show
            )
            try await checkup.perform()
            if format == .json {
                Output.data(
                    CheckupJSONView().render(checkup.findings, of: environment.environment)
                )
            }
            try finish(checkup.findings)
        }
    }

    private func finish(_ findings: [CheckupFinding]) throws {
        if format == .text {
            Output.data(CheckupTextView(style: options.outputStyle).renderEnd(findings))
        }
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitReason.error.code }
    }
}
