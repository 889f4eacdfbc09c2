import ArgumentParser
import Presentation
import SystemIO

/// The program's entry point, which runs the command that the arguments name.
package enum Program {
    @MainActor
    package static func main() async { await main(listening: false) }

    /// `listening`: whether this is `herald-listen`, which has only one command.
    @MainActor
    static func main(listening: Bool) async {
        let words = CurrentProcess.arguments
        // Without the program's name, all arguments are missing.
        guard !words.isEmpty else {
            Output.message(ErrorTextView(style: .plain).render(.noArguments))
            CurrentProcess.exit(ExitReason.error.rawValue)
        }
        let arguments = Array(words.dropFirst())
        // Before any thread or library reads it.
        if !arguments.contains("--allow-key-log") {
            CurrentProcess.removeVariable(Self.keyLogVariable)
        }
        let code = listening ? await listen(arguments) : await run(arguments)
        CurrentProcess.exit(failureOfOutput(after: code) ?? code)
    }

    /// OpenSSL and libcurl write the keys of connections, which carry registrations, to the file
    /// that it names.
    private static let keyLogVariable = "SSLKEYLOGFILE"

    /// Reports that standard output lacks something, if the exit code does not say so yet.
    private static func failureOfOutput(after code: Int32) -> Int32? {
        let isGood = code == ExitCode.success.rawValue || code == ExitReason.changesPending.rawValue
        guard let problem = StandardStream.outputProblem, isGood else { return nil }
        Output.message(ErrorTextView(style: .plain).render(.unwritableOutput(problem.reason)))
        return ExitReason.error.rawValue
    }

    /// Runs a command in the current context, and reports its error.
    ///
    /// Returns the exit code.
    @MainActor
    static func run(_ arguments: [String]) async -> Int32 {
        // Answered here, because ArgumentParser takes longer to begin than the rest of the program.
        if arguments == ["--version"] {
            Output.data(Herald.configuration.version + "\n")
            return ExitCode.success.rawValue
        }
        var words = arguments[...]
        if words.first == "help" { words = words.dropFirst() }
        if let unknown = UnknownCommand.find(in: words, of: Herald.self) {
            let usage = Herald.usageString(for: unknown.parent)
            let view = UnknownCommandView(of: unknown.commandLine, usage: usage)
            Output.message(view.render(unknown.word, suggestion: unknown.suggestion))
            return ExitReason.usage.rawValue
        }
        do {
            var command = try parse(arguments)
            if let command = command as? any MainThreadCommand {
                try await command.runOnMainThread()
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch {
            return report(error, of: Herald.self)
        }
    }

    /// Runs `herald listen`, named or not, without the other commands.
    @MainActor
    private static func listen(_ arguments: [String]) async -> Int32 {
        let words = arguments.first == "listen" ? Array(arguments.dropFirst()) : arguments
        if words == ["--version"] {
            Output.data(Herald.wording.line + "\n")
            return ExitCode.success.rawValue
        }
        do {
            let command = try ListenCommand.parse(words)
            try await command.run()
            return ExitCode.success.rawValue
        } catch {
            return report(error, of: ListenCommand.self)
        }
    }

    /// Parses with the named command alone if that succeeds.
    ///
    /// ArgumentParser reads the declarations of all commands otherwise. Help and errors come from the root command.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if let named = NamedCommand.find(in: arguments[...], of: Herald.self),
            let command = try? named.type.parseAsRoot(Array(named.arguments))
        {
            return command
        }
        return try Herald.parseAsRoot(arguments)
    }

    /// Writes help to standard output, and an error of the arguments to standard error.
    private static func report(
        _ error: any Error,
        of command: any ParsableCommand.Type
    ) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        let context = CommandContext.current
        let columns = context.variables["COLUMNS"].flatMap { Int($0) } ?? context.output.columns()
        let text = command.fullMessage(for: error, columns: columns)
        let code = command.exitCode(for: error)
        if !text.isEmpty { (code.isSuccess ? Output.data : Output.message)(text + "\n") }
        return code.rawValue
    }
}

/// A command that usually ends without waiting.
///
/// It runs on the main thread, so that no other thread starts.
protocol MainThreadCommand: AsyncParsableCommand {
    nonisolated(nonsending) func runOnMainThread() async throws
}

extension MainThreadCommand {
    func run() async throws { try await runOnMainThread() }
}
