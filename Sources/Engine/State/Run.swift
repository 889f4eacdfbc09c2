package import Time

/// The store's number of a run in the history.
package struct RunID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// A process with its user and command, recorded with a run and in a lock.
package struct Worker: Hashable, Sendable {
    package let command: String
    package let user: String
    package let host: String
    package let processID: Int32
    package let since: Instant
    /// The origin of its files, and the user who started it.
    package var origin: RunOrigin
    /// The digest of the reviewed plan that it applies, without a serial.
    package var digest: String?
    /// The guards that were switched off, by the names of their options.
    package var bypasses: [String]
    /// The signers who approved the plan.
    package var approvals: [RecordedApproval]

    package init(
        command: String,
        user: String,
        host: String,
        processID: Int32,
        since: Instant,
        origin: RunOrigin = .unknown,
        digest: String? = nil,
        bypasses: [String] = [],
        approvals: [RecordedApproval] = []
    ) {
        self.command = command
        self.user = user
        self.host = host
        self.processID = processID
        self.since = since
        self.origin = origin
        self.digest = digest
        self.bypasses = bypasses
        self.approvals = approvals
    }
}

/// The origin of a run's files and the user who started it; nil if unknown.
package struct RunOrigin: Hashable, Sendable {
    /// The commit of the work tree, in hexadecimal digits.
    package let commit: String?
    /// Whether the work tree differs from the commit.
    package let isDirty: Bool?
    /// The identifier of the continuous integration run.
    package let ciRun: String?
    /// The user who started that run.
    package let ciActor: String?

    package init(commit: String?, isDirty: Bool?, ciRun: String?, ciActor: String?) {
        self.commit = commit
        self.isDirty = isDirty
        self.ciRun = ciRun
        self.ciActor = ciActor
    }

    package static let unknown = RunOrigin(commit: nil, isDirty: nil, ciRun: nil, ciActor: nil)
}

/// The holder of the write lock.
package enum CurrentWriter: Hashable, Sendable {
    case nobody
    /// Nil if the holder has not described itself yet.
    case somebody(Worker?)
}

/// The raw values are stored: they never change.
package enum RunStatus: UInt8, Hashable, Sendable, CaseIterable {
    case running = 0
    case complete = 1
    /// Ended for a reason other than single requests; unsent requests stay intended.
    case stopped = 2
    case interrupted = 3
    /// Found unfinished by a later run: its process died.
    case abandoned = 4
}
