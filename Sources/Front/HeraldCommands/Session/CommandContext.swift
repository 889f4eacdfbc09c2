import CurlTransport
import FoundationEssentials
import Presentation
import SystemIO
import Time

/// Everything that a command uses of its process and of the network.
///
/// Commands read `current`. Tests run a command with another value.
struct CommandContext: Sendable {
    /// The environment variables.
    let variables: [String: String]
    /// The clock of the operating system, which `HERALD_NOW` replaces in `clock()`.
    let systemClock: WallClock
    let input: CommandInput
    let output: CommandOutput
    let error: CommandOutput
    /// Calls a function for each request to end until the returned function is called.
    let watchSignals: @Sendable (@escaping @Sendable (EndRequest) -> Void) -> () -> Void
    /// Keeps secrets in memory out of dumps and other processes.
    let protectMemory: @Sendable () -> Void
    /// Opens the transport for a command's requests.
    let openTransport: @Sendable (CurlTransport.Configuration) -> any ClosableTransport

    /// Hides values of environment variables in both outputs.
    let mask: VariableMask

    init(
        variables: [String: String],
        systemClock: WallClock,
        input: CommandInput,
        output: CommandOutput,
        error: CommandOutput,
        watchSignals: @escaping @Sendable (@escaping @Sendable (EndRequest) -> Void) -> () -> Void,
        protectMemory: @escaping @Sendable () -> Void = {},
        openTransport: @escaping @Sendable (CurlTransport.Configuration) -> any ClosableTransport
    ) {
        self.variables = variables
        self.systemClock = systemClock
        self.input = input
        self.watchSignals = watchSignals
        self.protectMemory = protectMemory
        self.openTransport = openTransport
        mask = VariableMask()
        self.output = output.masking(mask)
        self.error = error.masking(mask)
    }

    /// The context of the running command.
    @TaskLocal static var current = process

    /// The context of this process.
    static let process = CommandContext(
        variables: ProcessInfo.processInfo.environment,
        systemClock: .system,
        input: .standard,
        output: CommandOutput(.output),
        error: CommandOutput(.error),
        watchSignals: { receive in
            let watch = SignalWatch(receive)
            return { watch.cancel() }
        },
        protectMemory: { DumpProtection.enable() },
        openTransport: { CurlTransport(configuration: $0) }
    )

    /// The clock that `HERALD_NOW` sets, otherwise the system's.
    ///
    /// - Throws: A failure if `HERALD_NOW` is set and is not an RFC 3339 timestamp.
    func clock() throws(CommandFailure) -> WallClock {
        guard let text = variables["HERALD_NOW"], !text.isEmpty else { return systemClock }
        guard let moment = Instant(rfc3339: text) else {
            throw CommandFailure(.invalidClock(text), exit: .usage)
        }
        return .fixed(moment)
    }

    /// Whether `HERALD_NOW` sets the clock.
    var hasFixedClock: Bool { !(variables["HERALD_NOW"] ?? "").isEmpty }

    var zones: TimeZoneDatabase { .system(environment: variables) }

    var outputWidth: TextWidth { width(of: output) }
    var errorWidth: TextWidth { width(of: error) }

    /// The current width of the terminal on a stream, otherwise `COLUMNS`.
    private func width(of stream: CommandOutput) -> TextWidth {
        TextWidth(terminal: stream.columns(), variable: variables["COLUMNS"])
    }

    /// Whether standard error is a terminal that can redraw a line.
    var canRedraw: Bool { error.isTerminal && variables["TERM"] != "dumb" }
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
