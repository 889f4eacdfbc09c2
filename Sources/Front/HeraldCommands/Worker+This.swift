import State
import FoundationEssentials
import Time

import Glibc

extension Worker {
    /// This process; `origin` is asked for by whoever writes a run.
    static func this(
        command: String,
        since moment: Instant,
        origin: RunOrigin = .unknown
    ) -> Worker {
        let variables = ProcessInfo.processInfo.environment
        let user = variables["USER"] ?? variables["LOGNAME"] ?? "uid \(getuid())"
        return Worker(
            command: command.bounded,
            user: user.bounded,
            host: ProcessInfo.processInfo.hostName,
            processID: getpid(),
            since: moment,
            origin: origin
        )
    }
}

extension RunOrigin {
    /// Where a project's files come from: what git says of its folder, and what the continuous
    /// integration says of itself.
    ///
    /// Takes a few seconds at most, and never fails: what nobody says stays unknown.
    static func of(_ directory: String, _ variables: [String: String]) -> RunOrigin {
        let integration = ContinuousIntegration(variables)
        let tree = GitWorkTree.of(directory, variables)
        return RunOrigin(
            commit: tree?.commit ?? integration?.commit,
            isDirty: tree?.isDirty,
            ciRun: integration?.run,
            ciActor: integration?.actor
        )
    }
}

extension String {
    /// What somebody else's variable says, in a length that a history can bear.
    var bounded: String { String(unicodeScalars.prefix(500)) }
}
