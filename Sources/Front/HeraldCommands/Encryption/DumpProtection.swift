import CLibPrctl
import Glibc

/// Prevents memory dumps, because the process's memory contains decrypted state.
enum DumpProtection {
    /// The signals of a crash.
    ///
    /// On these, Swift's runtime prints registers and memory.
    private static let crashes = [
        SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP,
    ]

    /// Disables core files (getrlimit(2)), core pipes and inspection by the user's other processes
    /// (prctl(2), `PR_SET_DUMPABLE`), and memory dumps on standard error.
    static func enable() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = herald_forbid_dumps()
        for number in crashes { signal(number, SIG_DFL) }
    }
}
