import Glibc

/// Runs another program without a shell and reads its standard output.
enum ChildProcess {
    /// Returns the program's output; nil if it cannot be started, fails, or exceeds its time.
    ///
    /// The first argument is the program, which is searched on `PATH`. Its standard input is empty
    /// and its standard error is discarded. The program and its children are killed after `limit`
    /// bytes of output or at the deadline.
    static func output(
        of arguments: [String],
        variables: [String: String],
        until deadline: ContinuousClock.Instant,
        atMost limit: Int
    ) -> [UInt8]? {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = start(arguments, variables, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return nil }
        let read = read(ends[0], until: deadline, atMost: limit)
        let isCut = read.map { $0.count >= limit } ?? true
        if isCut { kill(-child, SIGKILL) }
        let status = wait(for: child, until: deadline)
        guard let read else { return nil }
        return isCut || status == 0 ? read : nil
    }

    /// Starts the program in a new process group, with only its standard streams open.
    private static func start(
        _ arguments: [String],
        _ variables: [String: String],
        output: CInt
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var child = pid_t()
        let words = arguments.map { strdup($0) } + [nil]
        let pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + pairs { free(text) } }
        let failure = posix_spawnp(&child, arguments[0], &actions, &attributes, words, pairs)
        return failure == 0 ? child : nil
    }

    /// Nil if the deadline passes before the end of the output.
    private static func read(
        _ descriptor: CInt,
        until deadline: ContinuousClock.Instant,
        atMost limit: Int
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&watched, 1, milliseconds(until: deadline))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// The child's status.
    ///
    /// Kills the child at the deadline.
    private static func wait(for child: pid_t, until deadline: ContinuousClock.Instant) -> CInt? {
        var status: CInt = 0
        while true {
            let left = milliseconds(until: deadline)
            if left == 0 { kill(-child, SIGKILL) }
            let ended = waitpid(child, &status, left == 0 ? 0 : WNOHANG)
            if ended == child { return status }
            guard ended == 0 || errno == EINTR else { return nil }
            usleep(500)
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
        let left = deadline - ContinuousClock.now
        return CInt(max(0, min(60_000, left / .milliseconds(1))).rounded(.up))
    }
}
