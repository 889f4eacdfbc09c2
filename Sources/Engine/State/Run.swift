package import Time

/// A run in the state's history, by the number that the store gave it.
package struct RunID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// Who works, with what and since when: what a run records and what a lock names.
package struct Worker: Hashable, Sendable {
    package let command: String
    package let user: String
    package let host: String
    package let processID: Int32
    package let since: Instant
    /// Where the files that it works with come from, and who asked for it.
    package var origin: RunOrigin
    /// The digest of the reviewed plan that it carries out, without a serial.
    package var digest: String?
    /// The guards that somebody switched off, by the names of their options.
    package var bypasses: [String]

    package init(
        command: String,
        user: String,
        host: String,
        processID: Int32,
        since: Instant,
        origin: RunOrigin = .unknown,
        digest: String? = nil,
        bypasses: [String] = []
    ) {
        self.command = command
        self.user = user
        self.host = host
        self.processID = processID
        self.since = since
        self.origin = origin
        self.digest = digest
        self.bypasses = bypasses
    }
}

/// Where a run's files come from, and who asked for it; nil where nobody knows.
package struct RunOrigin: Hashable, Sendable {
    /// The commit of the work tree, in hexadecimal digits.
    package let commit: String?
    /// Whether the work tree differs from the commit.
    package let isDirty: Bool?
    /// What names the run of the continuous integration.
    package let ciRun: String?
    /// Who set it off there.
    package let ciActor: String?

    package init(commit: String?, isDirty: Bool?, ciRun: String?, ciActor: String?) {
        self.commit = commit
        self.isDirty = isDirty
        self.ciRun = ciRun
        self.ciActor = ciActor
    }

    package static let unknown = RunOrigin(commit: nil, isDirty: nil, ciRun: nil, ciActor: nil)
}

/// Who holds the writer's lock.
package enum CurrentWriter: Hashable, Sendable {
    case nobody
    /// Nil where he has not said yet who he is.
    case somebody(Worker?)
}

/// The raw values are stored: they never change.
package enum RunStatus: UInt8, Hashable, Sendable, CaseIterable {
    case running = 0
    case complete = 1
    /// Ended by a cause outside of single requests; what was not sent stays intended.
    case stopped = 2
    case interrupted = 3
    /// Found unfinished by a later run: its process died.
    case abandoned = 4
}
