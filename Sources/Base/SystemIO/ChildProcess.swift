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
        /// Like `separate`, but the child runs in a directory and its standard error is read.
        ///
        /// A relative path of the program is relative to that directory. A shell enters it and then
        /// executes the program; if it cannot, it exits with 126 or 127 and writes the reason.
        case supervised(variables: [String: String], directory: String)
    }

    let id: pid_t
    let output: File
    /// The standard error; not open unless the child is supervised.
    let errors: File
    private let isGroup: Bool

    /// Starts a program; nil if that is impossible.
    ///
    /// The first argument is the program, which is searched on `PATH` unless it is a path.
    package init?(running arguments: [String], in surroundings: Surroundings) {
        do throws(SystemError) {
            try self.init(starting: arguments, in: surroundings)
        } catch {
            return nil
        }
    }

    /// Starts a program.
    ///
    /// - Throws: Why that is impossible.
    package init(
        starting arguments: [String],
        in surroundings: Surroundings
    ) throws(SystemError) {
        let ends = try Self.pipeEnds()
        let output = File(owning: ends.outlet)
        let childOutput = File(owning: ends.inlet)
        var errorEnds: (outlet: CInt, inlet: CInt) = (-1, -1)
        if case .supervised = surroundings { errorEnds = try Self.pipeEnds() }
        let errors = File(owning: errorEnds.outlet)
        let childErrors = File(owning: errorEnds.inlet)
        id = try Self.start(
            arguments,
            in: surroundings,
            output: childOutput.descriptor,
            errors: childErrors.descriptor
        )
        self.output = output
        self.errors = errors
        isGroup =
            switch surroundings {
            case .shared: false
            case .separate, .supervised: true
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
    /// Returns the open ends of a new pipe, which child processes do not inherit.
    private static func pipeEnds() throws(SystemError) -> (outlet: CInt, inlet: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts the program with only its standard streams open.
    private static func start(
        _ arguments: [String],
        in surroundings: Surroundings,
        output: CInt,
        errors: CInt
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        try check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var program = arguments
        var environment: [UnsafeMutablePointer<CChar>?]?
        switch surroundings {
        case .shared: break
        case .separate(let variables):
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            environment = strings(of: variables)
        case .supervised(let variables, let directory):
            posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
            program = [shell, "-c", enteringScript, shell, directory] + arguments
            environment = strings(of: variables)
        }
        if environment != nil { separate(&attributes) }
        let words = program.map { strdup($0) } + [nil]
        defer { for text in words + (environment ?? []) { free(text) } }
        var child = pid_t()
        let failure =
            if let environment {
                posix_spawnp(&child, program[0], &actions, &attributes, words, environment)
            } else {
                posix_spawnp(&child, program[0], &actions, &attributes, words, environ)
            }
        try check(failure)
        return child
    }

    private static let shell = "/bin/sh"
    private static let enteringScript = #"cd -- "$1" && shift && exec "$@""#

    private static func check(_ failure: CInt) throws(SystemError) {
        guard failure == 0 else { throw SystemError(number: failure) }
    }

    /// The caller frees the strings.
    private static func strings(
        of variables: [String: String]
    ) -> [UnsafeMutablePointer<CChar>?] {
        variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
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
