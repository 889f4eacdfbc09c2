import CLibPrctl

import Glibc

/// Keeps the process's memory out of files: what is encrypted at rest is in the open there.
enum DumpProtection {
    /// What a crash ends a process with, and Swift's runtime shows the registers and the memory
    /// behind them for.
    private static let crashes = [
        SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP,
    ]

    /// No core file (getrlimit(2)), none for a program that the kernel pipes it to either, no other
    /// process of the user that looks in (prctl(2), `PR_SET_DUMPABLE`), and no look at the memory
    /// on standard error.
    static func enable() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = herald_forbid_dumps()
        for number in crashes { signal(number, SIG_DFL) }
    }
}
