import CLibPrctl
import SystemIO

/// Prevents memory dumps, because the process's memory contains registrations and access tokens.
enum DumpProtection {
    /// Disables core files (getrlimit(2)), core pipes and inspection by the user's other processes
    /// (prctl(2), `PR_SET_DUMPABLE`), and memory dumps on standard error.
    static func enable() {
        CurrentProcess.forbidCoreFiles()
        _ = herald_forbid_dumps()
        CurrentProcess.removeCrashHandlers()
    }
}
