import Presentation
import FoundationEssentials
import Time

import Glibc

/// What a command gets from outside: environment variables, clock and streams, all from here.
struct Surroundings: Sendable {
    let variables: [String: String]
    let clock: WallClock

    /// - Throws: a failure where `HERALD_NOW` is set and is no moment.
    static func current() throws(CommandFailure) -> Surroundings {
        let variables = ProcessInfo.processInfo.environment
        return Surroundings(variables: variables, clock: try clock(variables))
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

    /// How wide the terminal behind standard error is at the moment; 80 where it does not say.
    static var errorColumns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether standard error is a terminal on which a line can be drawn again.
    var canRedraw: Bool { Self.isErrorTerminal && variables["TERM"] != "dumb" }
}

/// Writes to the process's streams.
///
/// Data goes to standard output, all else to standard error.
enum Output {
    static func data(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func message(_ text: String) { write(text, to: STDERR_FILENO) }

    /// A closed pipe ends the process as it ends other tools; nothing else is to be done there.
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

extension Surroundings {
    /// The IANA name of the system's time zone: of `TZ`, else of what `/etc/localtime` leads to; nil
    /// where neither names one of the database.
    var timeZone: String? {
        let named = variables["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        let linked = RealPath.of("/etc/localtime").map { path in
            path.split(separator: "/").drop { $0 != "zoneinfo" }.dropFirst().joined(separator: "/")
        }
        return [named, linked].compactMap(\.self).first { (try? zones.rules(named: $0)) != nil }
    }
}
