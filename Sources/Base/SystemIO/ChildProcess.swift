import Glibc

/// Another program that runs without a shell, and whose standard output is read.
///
/// Its standard input is empty, and no other descriptors are open in it. The caller must call
/// `exitCode` once.
package struct ChildProcess: ~Copyable {
    package enum Surroundings: Sendable {
        /// The child has this process's environment, standard error and process group.
        case shared
        /// The child has these variables, its own process group and no blocked signals.
        ///
        /// Its standard error is discarded.
        case separate(variables: [String: String])
    }

    private let id: pid_t
    private let output: File
    private let isGroup: Bool

    /// Starts a program; nil if that is impossible.
    ///
    /// The first argument is the program, which is searched on `PATH` unless it is a path.
    package init?(running arguments: [String], in surroundings: Surroundings) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let outlet = File(owning: ends[0])
        let inlet = File(owning: ends[1])
        guard let id = Self.start(arguments, in: surroundings, output: inlet.descriptor) else {
            return nil
        }
        self.id = id
        output = outlet
        isGroup =
            switch surroundings {
            case .shared: false
            case .separate: true
            }
    }

    /// Reads to the end of the output, or until there are `limit` bytes.
    ///
    /// Nil if the deadline passes before that, or if reading fails.
    package func read(
        until deadline: ContinuousClock.Instant,
        atMost limit: Int
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard InputReadiness.wait(for: output.descriptor, until: deadline),
                let count = try? output.append(
                    to: &bytes,
                    atMost: min(65_536, limit - bytes.count)
                )
            else { return nil }
            if count == 0 { return bytes }
        }
        return bytes
    }

    /// Kills the program, and its process group if it has its own.
    package func kill() {
        Glibc.kill(isGroup ? -id : id, SIGKILL)
    }

    /// Waits for the end of the program and returns its exit code; nil if a signal ended it.
    ///
    /// At the deadline, if there is one, kills the program.
    package func exitCode(until deadline: ContinuousClock.Instant? = nil) -> CInt? {
        var status: CInt = 0
        while true {
            let isOver = deadline.map { $0 <= .now } ?? false
            if isOver { kill() }
            let waits = isOver || deadline == nil
            let ended = waitpid(id, &status, waits ? 0 : WNOHANG)
            if ended == id { return status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
            guard ended == 0 || errno == EINTR else { return nil }
            if !waits { usleep(500) }
        }
    }
}

extension ChildProcess {
    /// Starts the program with only its standard streams open.
    private static func start(
        _ arguments: [String],
        in surroundings: Surroundings,
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
        var environment: [UnsafeMutablePointer<CChar>?]?
        if case .separate(let variables) = surroundings {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            separate(&attributes)
            environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        }
        let words = arguments.map { strdup($0) } + [nil]
        defer { for text in words + (environment ?? []) { free(text) } }
        var child = pid_t()
        let program = arguments[0]
        let failure =
            if let environment {
                posix_spawnp(&child, program, &actions, &attributes, words, environment)
            } else {
                posix_spawnp(&child, program, &actions, &attributes, words, environ)
            }
        return failure == 0 ? child : nil
    }

    /// Requests a new process group and no blocked signals.
    private static func separate(_ attributes: inout posix_spawnattr_t) {
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    }
}
