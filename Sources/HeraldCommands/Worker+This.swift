import CampaignState
import FoundationEssentials
import Scheduling

#if canImport(Glibc)
import Glibc
#endif

extension Worker {
    /// This process.
    static func this(command: String, since moment: Instant) -> Worker {
        let variables = ProcessInfo.processInfo.environment
        return Worker(
            command: command,
            user: variables["USER"] ?? variables["LOGNAME"] ?? "uid \(getuid())",
            host: ProcessInfo.processInfo.hostName,
            processID: getpid(),
            since: moment
        )
    }
}
