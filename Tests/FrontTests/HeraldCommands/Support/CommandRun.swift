import Synchronization
import TestSupport
import Testing
import Time

@testable import HeraldCommands

/// What a command printed, and its exit code.
struct CommandRun {
    let code: Int32
    let out: String
    let err: String
}

/// The standard input of a command.
enum TypedInput: Sendable {
    /// Lines of a pipe or a file.
    case pipe([String])
    /// Answers that a user types; the end of the list is Ctrl-D.
    case terminal([String])

    static let empty = TypedInput.pipe([])
}

/// Runs a command in process, with a fixed clock and without the variables of the test's process.
///
/// `columns`: the width of the terminal; nil if the output is not a terminal.
func runHerald(
    _ arguments: [String],
    in project: TemporaryFolder,
    at now: String = "2037-03-20T08:30:00Z",
    variables: [String: String] = [:],
    input: TypedInput = .empty,
    columns: Int? = nil,
    server: FakeServer = FakeServer()
) async throws -> CommandRun {
    let out = TextBuffer()
    let err = TextBuffer()
    let context = CommandContext(
        variables: ["HOME": project.path + "/home", "USER": "ines", "NO_COLOR": "1"]
            .merging(variables) { $1 },
        systemClock: .fixed(try #require(Instant(rfc3339: now))),
        input: CommandInput(input),
        output: CommandOutput(out, columns: columns),
        error: CommandOutput(err, columns: columns),
        watchSignals: { receive in
            server.onInterrupt(receive)
            return { server.onInterrupt(nil) }
        },
        openTransport: { _ in server }
    )
    let code = await CommandContext.$current.withValue(context) {
        await Program.run(arguments + ["-C", project.path])
    }
    return CommandRun(code: code, out: out.text, err: err.text)
}

/// A text that any task can append to; a class, because both sides share it.
private final class TextBuffer: Sendable {
    private let content = Mutex("")

    var text: String { content.withLock { $0 } }

    func append(_ text: String) { content.withLock { $0 += text } }
}

extension CommandOutput {
    fileprivate init(_ buffer: TextBuffer, columns: Int?) {
        self.init(isTerminal: columns != nil, columns: { columns }, write: buffer.append)
    }
}

extension CommandInput {
    fileprivate init(_ input: TypedInput) {
        let (lines, isTerminal) =
            switch input {
            case .pipe(let lines): (lines, false)
            case .terminal(let lines): (lines, true)
            }
        let reader = LineQueue(lines)
        self.init(isTerminal: isTerminal, readLine: reader.next)
    }
}

/// The lines that are not read yet; a class, because reading changes it.
private final class LineQueue: Sendable {
    private let lines: Mutex<ArraySlice<String>>

    init(_ lines: [String]) {
        self.lines = Mutex(lines[...])
    }

    func next() -> String? { lines.withLock { $0.popFirst() } }
}
