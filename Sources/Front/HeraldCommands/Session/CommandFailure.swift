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
}

extension GlobalOptions {
    /// Runs a command's work.
    ///
    /// Prints a failure to standard error and exits with its code.
    nonisolated(nonsending) func reportingFailure(
        _ work: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do {
            try await work()
        } catch let failure as CommandFailure {
            Output.message(ErrorTextView(style: errorStyle).render(failure.text))
            throw failure.exit.code
        }
    }
}
