package import Scheduling

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

    package init(command: String, user: String, host: String, processID: Int32, since: Instant) {
        self.command = command
        self.user = user
        self.host = host
        self.processID = processID
        self.since = since
    }
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
