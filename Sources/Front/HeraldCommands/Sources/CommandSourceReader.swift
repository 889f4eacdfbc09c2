import CampaignModel
import Presentation
import RegistrationLists
import SystemIO

/// Runs the program of a source and stores its output.
struct CommandSourceReader {
    let source: ListSource
    let command: SourceCommand
    let situation: SourceSituation

    /// The variables that every program gets, if they are set.
    private static let usualVariables = ["PATH", "HOME", "LANG", "TZ"]
    /// The number of lines of standard error that a failure shows.
    private static let shownLines = 10

    func read() throws(CommandFailure) -> SourceOutput {
        let variables = try variables
        let spool = try SourceSpool(of: source.id, in: situation.folder)
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(
                starting: command.arguments,
                in: .supervised(variables: variables, directory: situation.directory)
            )
        } catch {
            throw failure(.unstarted(reason: error.reason.lowercased()), lines: [])
        }
        var errors = LastLines(Self.shownLines)
        let end = child.supervise(
            until: .now + .seconds(source.timeout),
            isStopped: situation.isStopped
        ) { stream, bytes in
            switch stream {
            case .output: return spool.append(bytes)
            case .errors:
                errors.append(bytes)
                return true
            }
        }
        switch end {
        case .ended(.exited(code: 0)): return try spool.finish()
        case .stopped:
            throw spool.failure
                ?? CommandFailure(.interruptedSource(source.id), exit: .interrupted)
        case .ended(.exited(let code)): throw failure(.exited(code: code), lines: errors.lines)
        case .ended(.killed(let signal)):
            throw failure(.killed(signal: signal), lines: errors.lines)
        case .timedOut(isOutputHeld: false):
            throw failure(.timedOut(source.timeout), lines: errors.lines)
        case .timedOut(isOutputHeld: true):
            throw failure(.outputHeld(source.timeout), lines: errors.lines)
        case .unreadable(let error):
            throw failure(.unstarted(reason: error.reason.lowercased()), lines: errors.lines)
        }
    }

    /// The program gets no other variables: Herald's own may be credentials.
    private var variables: [String: String] {
        get throws(CommandFailure) {
            let usual = situation.variables.filter { Self.usualVariables.contains($0.key) }
            let named = try situation.values(of: command.variables, for: source.id)
            return usual.merging(named) { $1 }
        }
    }

    private func failure(
        _ problem: ErrorText.SourceCommandProblem,
        lines: [String]
    ) -> CommandFailure {
        CommandFailure(
            .failedSource(source.id, running: command.program, because: problem, lines: lines)
        )
    }
}
