import Glibc

/// The process that runs this code.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// The number of the user on whose behalf it runs.
    package static var userID: UInt32 { getuid() }

    /// Ends the process.
    package static func exit(_ status: CInt) -> Never {
        Glibc.exit(status)
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

    /// Removes all handlers of signals for crashes, such as the one of the Swift runtime, which
    /// prints registers and memory.
    package static func removeCrashHandlers() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }
}

/// The system's clock.
package enum SystemClock {
    package static var secondsSince1970: Int64 { Int64(time(nil)) }
}
