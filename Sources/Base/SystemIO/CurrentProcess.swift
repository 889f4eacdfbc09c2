import Glibc

/// The process that runs this code.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// The number of the user on whose behalf it runs.
    package static var userID: UInt32 { getuid() }

    /// The program's name and its arguments.
    ///
    /// Swift finds them from the place of the environment, which moves if a preloaded library sets a
    /// variable before the program starts. The kernel keeps them. Empty if neither has them.
    package static var arguments: [String] {
        let found = CommandLine.arguments
        return found.isEmpty ? recordedArguments(in: "/proc/self/cmdline") : found
    }

    /// Returns the arguments in a file in the format of `/proc/PID/cmdline` (proc(5)); none if it
    /// cannot be read.
    static func recordedArguments(in path: String) -> [String] {
        // A file of `/proc` has no length, and the kernel bounds the arguments.
        guard let bytes = try? File(path, for: .reading).readToEnd(limit: .max) else { return [] }
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Ends the process.
    package static func exit(_ status: CInt) -> Never {
        Glibc.exit(status)
    }

    /// Continues as another program, with the same process ID, descriptors and variables.
    ///
    /// - Returns: Why that is impossible; it returns only then.
    package static func replace(
        with path: String,
        arguments: [String]
    ) -> SystemError {
        var pointers = ([path] + arguments).map { strdup($0) }
        pointers.append(nil)
        execv(path, pointers)
        let error = SystemError.last
        for pointer in pointers { free(pointer) }
        return error
    }

    /// Ends the process at once, without deinitializers and exit handlers.
    package static func exitNow(_ status: CInt) -> Never {
        _exit(status)
    }

    /// Disables core files (getrlimit(2)).
    package static func forbidCoreFiles() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Raises the limit of open descriptors as far as this process may.
    ///
    /// Returns the limit: larger by one than the highest number of a descriptor.
    package static func raiseOpenFileLimit(to wanted: Int) -> Int {
        var limits = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limits) == 0 else { return .max }
        if limits.rlim_cur < rlim_t(wanted), limits.rlim_cur < limits.rlim_max {
            var raised = limits
            raised.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
            if setrlimit(kind, &raised) == 0 { limits = raised }
        }
        return Int(clamping: limits.rlim_cur)
    }

    /// Removes a variable, so that no library reads it; before other threads start.
    package static func removeVariable(_ name: String) {
        unsetenv(name)
    }

    /// Removes all handlers of signals for crashes, such as the one of the Swift runtime, which
    /// prints registers and memory.
    package static func removeCrashHandlers() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }
}

/// The machine's current boot.
package enum CurrentBoot {
    /// A random number that the kernel chooses when the machine starts (random(4)); nil if it
    /// cannot be read.
    package static var id: String? {
        do throws(SystemError) {
            let file = try File("/proc/sys/kernel/random/boot_id", for: .reading)
            let text = String(decoding: try file.readToEnd(limit: 100), as: UTF8.self)
            let id = text.filter { $0.isHexDigit || $0 == "-" }
            return id.isEmpty ? nil : id
        } catch {
            return nil
        }
    }
}

/// The system's clock.
package enum SystemClock {
    package static var secondsSince1970: Int64 { Int64(time(nil)) }

    /// The monotonic clock that the service manager compares with (clock_gettime(2)).
    package static var monotonicMicroseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }
}
