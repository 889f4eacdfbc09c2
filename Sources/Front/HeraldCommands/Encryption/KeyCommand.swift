import Presentation
import SystemIO

/// A shell command that writes a key to its standard output.
///
/// It runs in the project's directory. Its standard error goes to Herald's standard error.
struct KeyCommand {
    private let command: String
    private let directory: String

    /// Timeout in seconds, long enough for a user to unlock a key chain.
    private static let patience = 30
    /// The maximum output in bytes, more than any key needs.
    private static let longest = 4_096

    private static let script = #"cd -- "$1" && exec /bin/sh -c "$2""#

    init(_ command: String, directory: String) {
        self.command = command
        self.directory = directory
    }

    func output() throws(CommandFailure) -> [UInt8] {
        let shell = "/bin/sh"
        let arguments = [shell, "-c", Self.script, shell, directory, command]
        guard let process = ChildProcess(running: arguments, in: .shared) else {
            throw failure(StateKeyCommandWording.unstarted)
        }
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        let output = process.read(until: deadline, atMost: Self.longest + 1)
        guard let output, output.count <= Self.longest else {
            process.kill()
            _ = process.exitCode()
            throw failure(StateKeyCommandWording.slow(limit: Self.patience))
        }
        guard process.exitCode() == 0 else { throw failure(StateKeyCommandWording.failed) }
        return output
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(.noStateKey(from: command, because: reason))
    }
}
