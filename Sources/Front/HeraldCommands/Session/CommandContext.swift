import FoundationEssentials
import Presentation
import SystemIO
import Time

/// A command's environment variables, clock and streams.
struct CommandContext: Sendable {
    let variables: [String: String]
    let clock: WallClock

    /// - Throws: A failure if `HERALD_NOW` is set and is not an RFC 3339 timestamp.
    static func current() throws(CommandFailure) -> CommandContext {
        let variables = ProcessInfo.processInfo.environment
        return CommandContext(variables: variables, clock: try clock(variables))
    }

    /// Whether `HERALD_NOW` sets the clock.
    var hasFixedClock: Bool { !(variables["HERALD_NOW"] ?? "").isEmpty }

    private static func clock(
        _ variables: [String: String]
    ) throws(CommandFailure) -> WallClock {
        guard let text = variables["HERALD_NOW"], !text.isEmpty else { return .system }
        guard let moment = Instant(rfc3339: text) else {
            throw CommandFailure(
                "HERALD_NOW is not an RFC 3339 timestamp: `\(TextStyle.safe(text))`",
                help: "write a timestamp such as 2037-03-20T08:30:00Z",
                exit: .usage
            )
        }
        return .fixed(moment)
    }

    var zones: TimeZoneDatabase { .system(environment: variables) }

    static var isInputTerminal: Bool { StandardStream.input.isTerminal }
    static var isOutputTerminal: Bool { StandardStream.output.isTerminal }
    static var isErrorTerminal: Bool { StandardStream.error.isTerminal }

    static var outputWidth: TextWidth { width(of: .output) }
    static var errorWidth: TextWidth { width(of: .error) }

    /// The current width of the terminal on a stream, otherwise `COLUMNS`.
    private static func width(of stream: StandardStream) -> TextWidth {
        TextWidth(
            terminal: stream.columns,
            variable: ProcessInfo.processInfo.environment["COLUMNS"]
        )
    }

    /// Whether standard error is a terminal that can redraw a line.
    var canRedraw: Bool { Self.isErrorTerminal && variables["TERM"] != "dumb" }
}

/// Writes to the process's streams.
///
/// Data goes to standard output, everything else to standard error.
enum Output {
    static func data(_ text: String) { StandardStream.output.write(text) }
    static func message(_ text: String) { StandardStream.error.write(text) }
}

extension CommandContext {
    /// The IANA name of the system's time zone, from `TZ` or from the link `/etc/localtime`; nil if
    /// neither names a zone of the database.
    var timeZone: String? {
        let named = variables["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        let linked = RealPath.of("/etc/localtime").map { path in
            path.split(separator: "/").drop { $0 != "zoneinfo" }.dropFirst().joined(separator: "/")
        }
        return [named, linked].compactMap(\.self).first { (try? zones.rules(named: $0)) != nil }
    }
}
