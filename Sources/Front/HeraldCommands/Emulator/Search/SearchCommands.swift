import ArgumentParser
import JSON
import Presentation

/// The `herald emulator messages` command.
struct EmulatorMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        _superCommandName: "herald emulator",
        abstract: "Search the messages on the virtual devices, newest first.",
        discussion: """
            EXAMPLES
              herald emulator messages --topic tides
              herald emulator messages --device pixel --title "High water" --json
              herald emulator messages --outcome pending
            """
    )

    @OptionGroup var options: BasicOptions
    @OptionGroup(title: "Conditions") var terms: SearchTermFlags
    @OptionGroup(title: "Conditions for messages") var messages: MessageFlags
    /// Conditions that only get a hint.
    @OptionGroup(visibility: .private) var others: RequestFlags
    @OptionGroup var target: EmulatorTargetFlags

    @Option(help: "Maximum number of messages.")
    var limit = 100

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try terms.parameters())
            try others.parameters.refuse(becauseOf: "`herald emulator requests`")
            query.add(messages.parameters)
            query.add("limit", limit)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show(.messages, from: "/search/messages", query: query)
        }
    }
}

/// The `herald emulator requests` command.
struct EmulatorRequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        _superCommandName: "herald emulator",
        abstract: "Search the emulator's request log, newest first.",
        discussion: """
            EXAMPLES
              herald emulator requests --status 404
              herald emulator requests --path /v1 --error UNREGISTERED --json
            """
    )

    @OptionGroup var options: BasicOptions
    @OptionGroup(title: "Conditions") var terms: SearchTermFlags
    @OptionGroup(title: "Conditions for requests") var requests: RequestFlags
    /// Conditions that only get a hint.
    @OptionGroup(visibility: .private) var others: MessageFlags
    @OptionGroup var target: EmulatorTargetFlags

    @Option(help: "Maximum number of requests.")
    var limit = 100

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try terms.parameters())
            try others.parameters.refuse(becauseOf: "`herald emulator messages`")
            query.add(requests.parameters)
            query.add("limit", limit)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show(.requests, from: "/search/requests", query: query)
        }
    }
}

/// The conditions of `wait` and `assert`.
struct ExpectationFlags: ParsableArguments {
    @Flag(help: "Count requests instead of messages.")
    var requests = false

    @OptionGroup(title: "Conditions") var terms: SearchTermFlags
    @OptionGroup(title: "Conditions for messages") var ofMessages: MessageFlags
    @OptionGroup(title: "Conditions for requests (with --requests)") var ofRequests: RequestFlags

    var kind: FoundTextView.Kind { requests ? .requests : .messages }

    func parameters() throws(CommandFailure) -> SearchParameters {
        if requests {
            try ofMessages.parameters.refuse(becauseOf: "it without --requests")
        } else {
            try ofRequests.parameters.refuse(becauseOf: "it with --requests")
        }
        var query = SearchParameters()
        query.add("for", requests ? "requests" : "messages")
        query.add(try terms.parameters())
        query.add(requests ? ofRequests.parameters : ofMessages.parameters)
        return query
    }
}

/// The `herald emulator wait` command.
struct EmulatorWaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        _superCommandName: "herald emulator",
        abstract: "Wait for messages or requests, and print them.",
        discussion: """
            EXAMPLES
              herald emulator wait --topic tides --title "High water"
              herald emulator wait --device pixel --count 2 --timeout 30s --json
              herald emulator wait --requests --status 503

            Earlier messages and requests count, too. Exits with 1 if too few match before the \
            timeout.
            """
    )

    @OptionGroup var options: BasicOptions

    @Option(help: "Minimum number of matches.")
    var count = 1

    @Option(help: "Maximum wait, up to 60s.")
    var timeout = TimeSpan(seconds: 10)

    @OptionGroup var expectation: ExpectationFlags
    @OptionGroup var target: EmulatorTargetFlags
    @OptionGroup var output: FormatOptions<TextOrJSON>

    /// Checked after parsing, so that an unknown option is reported first.
    private func check() throws(CommandFailure) {
        if count < 1 {
            throw CommandFailure(.wrongExpectation("--count must be at least 1"), exit: .usage)
        }
        if timeout.seconds > 60 {
            throw CommandFailure(.wrongExpectation("--timeout must be at most 60s"), exit: .usage)
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            try check()
            var query = target.query
            query.add(try expectation.parameters())
            query.add("count", count)
            query.add("timeout", "\(timeout.seconds)s")
            var search = EmulatorSearch(options: options, target: target, format: output.format)
            search.needsRunning = timeout.seconds > 0
            try await search.show(expectation.kind, from: "/wait", query: query)
        }
    }
}

/// The `herald emulator assert` command.
struct EmulatorAssertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assert",
        _superCommandName: "herald emulator",
        abstract: "Check the number of matching messages or requests.",
        discussion: """
            EXAMPLES
              herald emulator assert --topic tides --count 3
              herald emulator assert --title "High water" --at-least 1
              herald emulator assert --requests --error UNREGISTERED --at-most 0

            Exits with 1 if the number is not the expected one.
            """
    )

    @OptionGroup var options: BasicOptions

    @Option(help: "The exact number of matches.")
    var count: Int?

    @Option(name: .customLong("at-least"), help: "Minimum number of matches.")
    var atLeast: Int?

    @Option(name: .customLong("at-most"), help: "Maximum number of matches.")
    var atMost: Int?

    @OptionGroup var expectation: ExpectationFlags
    @OptionGroup var target: EmulatorTargetFlags
    @OptionGroup var output: FormatOptions<TextOrJSON>

    /// Checked after parsing, so that an unknown option is reported first.
    private func check() throws(CommandFailure) {
        let isRange = atLeast != nil || atMost != nil
        let problem: String? =
            if (count != nil) == isRange {
                "give --count, or at least one of --at-least and --at-most"
            } else if [count, atLeast, atMost].contains(where: { $0 ?? 0 < 0 }) {
                "a number of matches must not be negative"
            } else if (atLeast ?? 0) > (atMost ?? .max) {
                "--at-most must not be below --at-least"
            } else {
                nil
            }
        guard let problem else { return }
        throw CommandFailure(.wrongExpectation(problem), exit: .usage)
    }

    func run() async throws {
        try await options.reportingFailure {
            try check()
            var query = target.query
            query.add(try expectation.parameters())
            query.add("count", count)
            query.add("at_least", atLeast)
            query.add("at_most", atMost)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show(expectation.kind, from: "/assert", query: query)
        }
    }
}
