import CLibPrctl

#if canImport(Glibc)
import Glibc
#endif

/// Keeps the process's memory out of files: what is encrypted at rest is in the open there.
enum DumpProtection {
    /// No core file (getrlimit(2)), none for a program that the kernel pipes it to either, and no other
    /// process of the user looks in (prctl(2), `PR_SET_DUMPABLE`).
    static func enable() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = herald_forbid_dumps()
    }
}
