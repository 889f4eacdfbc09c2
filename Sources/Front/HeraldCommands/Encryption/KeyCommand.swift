import Glibc
import Presentation

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
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure("it can't be started") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process: pid_t
        do throws(CommandFailure) {
            process = try start(writingTo: ends[1])
            close(ends[1])
        } catch {
            for end in ends { close(end) }
            throw error
        }
        let output = read(ends[0])
        close(ends[0])
        guard let output else {
            kill(process, SIGKILL)
            _ = ending(of: process)
            throw failure("it took longer than \(Self.patience) s")
        }
        guard ending(of: process) == 0 else { throw failure("it failed") }
        return output
    }

    private func start(writingTo end: Int32) throws(CommandFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        var process = pid_t()
        let shell = "/bin/sh"
        let arguments = [shell, "-c", Self.script, shell, directory, command]
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let result = posix_spawn(&process, shell, &actions, nil, words + [nil], environ)
        guard result == 0 else { throw failure("it can't be started") }
        return process
    }

    /// The complete output; nil if it is too long or takes too long.
    private func read(_ end: Int32) -> [UInt8]? {
        var found: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        while found.count <= Self.longest {
            let left = ContinuousClock.now.duration(to: deadline).components.seconds
            var ready = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            let count = poll(&ready, 1, Int32(max(0, left) * 1_000))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            let size = Glibc.read(end, &buffer, buffer.count)
            if size < 0, errno == EINTR { continue }
            if size <= 0 { return found }
            found += buffer.prefix(size)
        }
        return nil
    }

    /// The command's exit code; nil if a signal terminated it.
    private func ending(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            "`\(TextStyle.safe(command))` printed no state key: \(reason)",
            help: "fix the command in herald.yaml; it runs in the project directory"
        )
    }
}
