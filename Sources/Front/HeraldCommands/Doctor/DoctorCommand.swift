import ArgumentParser
import Preflight
import Presentation

/// The `herald doctor` command, which checks everything that sending depends on.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        _superCommandName: "herald",
        abstract: "Check everything that sending depends on. Sends nothing.",
        discussion: """
            EXAMPLES
              herald doctor
              herald doctor -e production
              herald doctor -e production --format json
              herald doctor --network              firewall rules, and each host by port
              herald doctor --network --goog-json goog.json
              herald doctor --network --hold 31m   check that idle connections stay open

            Checks the files, state, credentials, token, project, sender ID, proxy, connection, \
            clock, a message with validate_only, and memberships. Prints each result and, for a \
            problem, what to do. The exit code is 1 if there is a problem, else 0.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var server: EndpointOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    @Flag(help: "Print firewall rules and connect to each host by port.")
    var network = false

    @Option(
        help: ArgumentHelp(
            "Google's address list. Checks its age and the addresses that were reached.",
            valueName: "file"
        ),
        completion: .file()
    )
    var googJson: String?

    @Option(
        help: ArgumentHelp(
            "Keep an idle connection open to test a firewall.",
            valueName: "duration"
        )
    )
    var hold: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Connect to another address in place of a host, like curl. Repeatable.",
            discussion: "An empty host or port matches any. Use it with --network if names "
                + "resolve to other addresses inside your network.",
            valueName: "host:port:host:port"
        )
    )
    var connectTo: [String] = []

    @Option(help: "Time limit in seconds for opening a connection of --network.")
    var connectTimeout = 5

    var format: TextOrJSON { output.format }

    func validate() throws {
        guard network || (googJson == nil && hold == nil && connectTo.isEmpty) else {
            throw ValidationError(
                "--goog-json, --hold and --connect-to require --network"
            )
        }
        guard (1...60).contains(connectTimeout) else {
            throw ValidationError("--connect-timeout must be from 1 to 60 seconds")
        }
        for rule in connectTo
        where rule.split(separator: ":", omittingEmptySubsequences: false).count < 4 {
            throw ValidationError("--connect-to takes HOST:PORT:HOST:PORT, not `\(rule)`")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let view = CheckupTextView(style: options.outputStyle)
            let show: ([CheckupFinding]) -> Void = { findings in
                if format == .text { Output.data(view.render(findings)) }
            }
            if network { return try finish(try checkNetwork(session, show: show)) }
            if format == .text { Output.data(view.renderBeginning(environment.environment)) }
            var checkup = EnvironmentCheckup(
                session: session,
                options: environment,
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
