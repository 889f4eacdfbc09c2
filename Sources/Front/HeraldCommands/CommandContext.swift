import FoundationEssentials
import Glibc
import Presentation
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

    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The current width of the terminal on standard error; 80 if unknown.
    static var errorColumns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether standard error is a terminal that can redraw a line.
    var canRedraw: Bool { Self.isErrorTerminal && variables["TERM"] != "dumb" }
}

/// Writes to the process's streams.
///
/// Data goes to standard output, everything else to standard error.
enum Output {
    static func data(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func message(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes all bytes.
    ///
    /// A closed pipe ends the process, as for other tools.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
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
