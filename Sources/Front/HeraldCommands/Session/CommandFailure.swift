import ArgumentParser
import Presentation
import Service

/// An error that ends a command: message, advice and exit code.
struct CommandFailure: Error {
    let text: ErrorText
    let exit: ExitReason
    /// What it means for a service; nil if the exit code says enough.
    private let problem: ServiceProblem?

    init(_ text: ErrorText, exit: ExitReason = .error, problem: ServiceProblem? = nil) {
        self.text = text
        self.exit = exit
        self.problem = problem
    }

    /// The same failure, which is about the credential unless it is known to be about something else.
    var ofCredential: CommandFailure {
        CommandFailure(text, exit: exit, problem: problem ?? .credential)
    }

    /// Why a service that failed like this is not ready.
    var serviceProblem: ServiceProblem {
        if let problem { return problem }
        return switch exit {
        case .locked: .lock
        case .refusedByGuard: .guard
        case .interrupted, .stalePlan, .unknownOutcomes, .partlyApplied, .error, .changesPending,
            .invalidFiles, .usage:
            .failure
        }
    }
}

extension CommandOptions {
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
