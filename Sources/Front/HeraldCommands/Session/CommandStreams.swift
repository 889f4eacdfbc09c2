import SystemIO

/// The standard input of a command.
struct CommandInput: Sendable {
    let isTerminal: Bool
    /// Returns the next line without its line break; nil at the end.
    let readLine: @Sendable () -> String?

    /// The standard input of this process.
    static let standard = CommandInput(
        isTerminal: StandardStream.input.isTerminal,
        readLine: { Swift.readLine() }
    )
}

/// The standard output or standard error of a command.
struct CommandOutput: Sendable {
    let isTerminal: Bool
    /// Returns the current width of the terminal; nil if unknown.
    let columns: @Sendable () -> Int?
    let write: @Sendable (String) -> Void
}

extension CommandOutput {
    /// A stream of this process.
    init(_ stream: StandardStream) {
        self.init(
            isTerminal: stream.isTerminal,
            columns: { stream.columns },
            write: { stream.write($0) }
        )
    }
}

/// Reads the input of the running command.
enum Input {
    static var isTerminal: Bool { CommandContext.current.input.isTerminal }

    /// Returns the next line without its line break; nil at the end.
    static func line() -> String? { CommandContext.current.input.readLine() }
}

/// Writes to the streams of the running command.
///
/// Data goes to standard output, everything else to standard error. A callback outside of the
/// command's tasks must capture a stream instead.
enum Output {
    static func data(_ text: String) { CommandContext.current.output.write(text) }
    static func message(_ text: String) { CommandContext.current.error.write(text) }
}
