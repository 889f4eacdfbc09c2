import ArgumentParser
import Presentation

/// An error that ends a command: message, advice and exit code.
struct CommandFailure: Error {
    let text: ErrorText
    let exit: ExitReason

    init(_ text: ErrorText, exit: ExitReason = .error) {
        self.text = text
        self.exit = exit
    }

    init(_ message: String, help: String? = nil, exit: ExitReason = .error) {
        self.init(ErrorText(message, help: help), exit: exit)
    }
}

extension GlobalOptions {
    /// Runs a command's work.
    ///
    /// Prints a failure to standard error and exits with its code.
    func reportingFailure(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let failure as CommandFailure {
            let style = errorStyle
            Output.message("\(style.paint("error", .bad)): \(failure.text.message)\n")
            if let help = failure.text.help {
                Output.message("\(style.paint("help", .good)): \(help)\n")
            }
            throw failure.exit.code
        }
    }
}
