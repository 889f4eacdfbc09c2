import ArgumentParser
import CampaignModel
import Presentation
import Text

/// The emulator and the project that a command asks.
struct EmulatorTargetFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Address of a running emulator. Its token is in HERALD_EMULATOR_TOKEN. (default: the \
            project's own)
            """,
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        name: .customLong("project-id"),
        help: "Project ID with separate state in the emulator. (default: the default project)"
    )
    var projectID: String?

    func validate() throws {
        guard let url else { return }
        guard ServerAddress(of: url) != nil else {
            throw ValidationError("--url must be an address such as http://127.0.0.1:9099")
        }
    }

    var query: SearchParameters {
        var query = SearchParameters()
        query.add("project", projectID)
        return query
    }

    /// Connects to the emulator at `--url`, otherwise to the directory's own.
    func client(
        _ options: some CommandOptions
    ) async throws(CommandFailure) -> EmulatorControlClient {
        if let url { return EmulatorControlClient(at: url.withoutFinalSlash) }
        return try await EmulatorControlClient.open(options)
    }
}

extension String {
    fileprivate var withoutFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

/// The query of a request to the control API.
struct SearchParameters {
    private(set) var pairs: [(name: String, value: String)] = []

    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    mutating func add(_ name: String, _ value: Int?) { add(name, value.map(String.init)) }

    mutating func add(_ other: SearchParameters) { pairs += other.pairs }

    /// Refuses conditions that another search has, which `command` names.
    func refuse(becauseOf command: String) throws(CommandFailure) {
        guard let first = pairs.first else { return }
        let option = "--" + first.name.replacing("_", with: "-")
        throw CommandFailure(.misplacedCondition(option, command: command), exit: .usage)
    }

    /// The text after the path, or an empty text.
    var text: String {
        let parts = pairs.map { "\($0.name)=\($0.value.percentEncoded(keeping: ":/"))" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}

/// Conditions that messages and requests share.
struct SearchTermFlags: ParsableArguments {
    @Option(
        help: """
            Part of a title, body, data entry, topic, condition, label or tag, regardless of case. \
            Of a request: part of any text in its body or path.
            """
    )
    var text: String?

    @Option(help: "The title.")
    var title: String?

    @Option(help: "The body.")
    var body: String?

    @Option(help: ArgumentHelp("A data key, or a key and its value.", valueName: "key[=value]"))
    var data: String?

    @Option(help: "The topic.")
    var topic: String?

    @Option(help: "The condition.")
    var condition: String?

    @Option(help: "The analytics label.")
    var label: String?

    @Option(
        help: ArgumentHelp(
            """
            Fingerprint as in `herald emulator messages --json`, @FILE with a registration, or - for \
            standard input.
            """,
            valueName: "registration"
        )
    )
    var registration: String?

    @Option(help: "Earliest time, such as 2026-03-20T07:30:00Z.")
    var since: String?

    @Option(help: "Latest time.")
    var until: String?

    func parameters() throws(CommandFailure) -> SearchParameters {
        var query = SearchParameters()
        let texts = [
            ("text", text), ("title", title), ("body", body), ("data", data), ("topic", topic),
            ("condition", condition), ("label", label), ("since", since), ("until", until),
        ]
        for (name, value) in texts { query.add(name, value) }
        guard let registration else { return query }
        let people = try RegistrationArguments.read(registration, of: "--registration")
        guard people.count == 1 else {
            throw CommandFailure(.severalRegistrations(in: "--registration"), exit: .usage)
        }
        switch people[0] {
        case .registration(let one): query.add("registration", one.token)
        case .fingerprint: query.add("fingerprint", registration)
        }
        return query
    }
}

/// Conditions that only messages have.
struct MessageFlags: ParsableArguments {
    @Option(help: "The name of the device.")
    var device: String?

    @Option(help: "android, apple or web.")
    var platform: String?

    @Option(name: .customLong("message-id"), help: "The message ID.")
    var messageID: String?

    @Option(help: "The number of the request that sent the message.")
    var request: Int?

    @Option(help: "delivered, pending, collapsed, or another outcome.")
    var outcome: String?

    @Option(help: "tray (shown by the system) or callback (passed to the app).")
    var how: String?

    @Option(help: "The sound.")
    var sound: String?

    @Option(help: "The number on the app's icon.")
    var badge: Int?

    var parameters: SearchParameters {
        var query = SearchParameters()
        query.add("device", device)
        query.add("platform", platform)
        query.add("message_id", messageID)
        query.add("request", request)
        query.add("outcome", outcome)
        query.add("how", how)
        query.add("sound", sound)
        query.add("badge", badge)
        return query
    }
}

/// Conditions that only requests have.
struct RequestFlags: ParsableArguments {
    @Option(help: "The HTTP method.")
    var method: String?

    @Option(help: "Start of the path.")
    var path: String?

    @Option(help: "The HTTP status of the answer.")
    var status: Int?

    @Option(help: "The error code, such as UNREGISTERED.")
    var error: String?

    @Option(help: "The fault rule that changed the answer.")
    var fault: String?

    @Flag(help: "Include requests to the emulator's own routes.")
    var control = false

    var parameters: SearchParameters {
        var query = SearchParameters()
        query.add("method", method)
        query.add("path", path)
        query.add("status", status)
        query.add("error", error)
        query.add("fault", fault)
        query.add("control", control ? "true" : nil)
        return query
    }
}
