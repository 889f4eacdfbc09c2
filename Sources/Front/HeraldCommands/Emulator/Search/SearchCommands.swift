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

    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "Conditions") var terms: SearchTermFlags
    @OptionGroup(title: "Conditions for messages") var messages: MessageFlags
    @OptionGroup var target: EmulatorTargetFlags

    @Option(help: "Maximum number of messages.")
    var limit = 100

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try terms.parameters())
            query.add(messages.parameters)
            query.add("limit", limit)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show("/search/messages", query: query)
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

    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "Conditions") var terms: SearchTermFlags
    @OptionGroup(title: "Conditions for requests") var requests: RequestFlags
    @OptionGroup var target: EmulatorTargetFlags

    @Option(help: "Maximum number of requests.")
    var limit = 100

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try terms.parameters())
            query.add(requests.parameters)
            query.add("limit", limit)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show("/search/requests", query: query)
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

    func validate() throws {
        let isWrong = requests ? !ofMessages.parameters.pairs.isEmpty : ofRequests.areGiven
        guard isWrong else { return }
        throw ValidationError(
            requests
                ? "--requests can't be combined with conditions for messages"
                : "conditions for requests require --requests"
        )
    }

    func parameters() throws(CommandFailure) -> SearchParameters {
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
        abstract: "Wait until a message arrives, and print it.",
        discussion: """
            EXAMPLES
              herald emulator wait --topic tides --title "High water"
              herald emulator wait --device pixel --count 2 --timeout 30s --json
              herald emulator wait --requests --status 503

            Exits with 1 if too few messages match before the timeout.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "Minimum number of matches.")
    var count = 1

    @Option(help: "Maximum wait, up to 60s.")
    var timeout = TimeSpan(seconds: 10)

    @OptionGroup var expectation: ExpectationFlags
    @OptionGroup var target: EmulatorTargetFlags
    @OptionGroup var output: FormatOptions<TextOrJSON>

    func validate() throws {
        guard count > 0, timeout.seconds <= 60 else {
            throw ValidationError("--count must be at least 1, and --timeout at most 60s")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try expectation.parameters())
            query.add("count", count)
            query.add("timeout", "\(timeout.seconds)s")
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show("/wait", query: query)
        }
    }
}

/// The `herald emulator assert` command.
struct EmulatorAssertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assert",
        _superCommandName: "herald emulator",
        abstract: "Compare the number of matching messages with the expected one.",
        discussion: """
            EXAMPLES
              herald emulator assert --topic tides --count 3
              herald emulator assert --title "High water" --at-least 1
              herald emulator assert --requests --error UNREGISTERED --at-most 0

            Exits with 1 if the number differs.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "The exact number of matches.")
    var count: Int?

    @Option(name: .customLong("at-least"), help: "Minimum number of matches.")
    var atLeast: Int?

    @Option(name: .customLong("at-most"), help: "Maximum number of matches.")
    var atMost: Int?

    @OptionGroup var expectation: ExpectationFlags
    @OptionGroup var target: EmulatorTargetFlags
    @OptionGroup var output: FormatOptions<TextOrJSON>

    func validate() throws {
        let isRange = atLeast != nil || atMost != nil
        guard (count != nil) != isRange else {
            throw ValidationError("give either --count, or --at-least and --at-most")
        }
        guard [count, atLeast, atMost].allSatisfy({ $0 ?? 0 >= 0 }) else {
            throw ValidationError("a number of matches must not be negative")
        }
        guard (atLeast ?? 0) <= (atMost ?? .max) else {
            throw ValidationError("--at-most must not be below --at-least")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            var query = target.query
            query.add(try expectation.parameters())
            query.add("count", count)
            query.add("at_least", atLeast)
            query.add("at_most", atMost)
            let search = EmulatorSearch(options: options, target: target, format: output.format)
            try await search.show("/assert", query: query)
        }
    }
}
