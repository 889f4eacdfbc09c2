import FoundationEssentials
import State
import SystemIO
import Time

extension Worker {
    /// Describes this process.
    ///
    /// `origin`: required if the command records a run. `bypasses`: the options that switch guards
    /// off.
    static func this(
        command: String,
        since moment: Instant,
        origin: RunOrigin = .unknown,
        bypasses: [String] = []
    ) -> Worker {
        let variables = CommandContext.current.variables
        let user = variables["USER"] ?? variables["LOGNAME"] ?? "uid \(CurrentProcess.userID)"
        return Worker(
            command: command.bounded,
            user: user.bounded,
            host: ProcessInfo.processInfo.hostName,
            processID: CurrentProcess.id,
            since: moment,
            origin: origin,
            bypasses: bypasses
        )
    }
}

extension RunOrigin {
    /// The origin of a project's files, according to Git and to the CI system.
    ///
    /// Takes a few seconds at most and never fails. Missing information stays unknown.
    static func of(_ directory: String, variables: [String: String]) -> RunOrigin {
        let integration = ContinuousIntegration(variables)
        let tree = GitWorkTree.of(directory, variables: variables)
        return RunOrigin(
            commit: tree?.commit ?? integration?.commit,
            isDirty: tree?.isDirty,
            ciRun: integration?.run,
            ciActor: integration?.actor
        )
    }
}

extension String {
    /// The text limited to 500 Unicode scalars, because other programs set these variables.
    var bounded: String { String(unicodeScalars.prefix(500)) }
}
