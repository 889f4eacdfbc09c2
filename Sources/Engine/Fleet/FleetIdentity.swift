/// Identifies a registration of a worker; drawn at random, never used again.
package struct WorkerID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// A random number that names one claim, because epochs can repeat after a failover.
package struct ClaimToken: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// The number of a work unit in the state.
package struct WorkUnitID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The number of an occurrence in the state.
package struct OccurrenceNumber: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a statement about a claimed unit, or about the writer, is checked against.
package struct ClaimFence: Hashable, Sendable {
    /// Raised by each claim.
    package let epoch: Int
    package let token: ClaimToken

    package init(epoch: Int, token: ClaimToken) {
        self.epoch = epoch
        self.token = token
    }
}

/// What each commit of a worker is checked against.
package struct WorkerFence: Hashable, Sendable {
    package let worker: WorkerID
    package let incarnation: Int
    /// The number of the worker's commits before this one.
    package let commits: Int
    /// The timeline that the worker has confirmed; the server's must be the same.
    package let timeline: Timeline

    package init(worker: WorkerID, incarnation: Int, commits: Int, timeline: Timeline) {
        self.worker = worker
        self.incarnation = incarnation
        self.commits = commits
        self.timeline = timeline
    }
}

/// The server's timeline, which each promotion raises.
package struct Timeline: Hashable, Comparable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A position in the server's write-ahead log, in bytes.
package struct LogPosition: Hashable, Comparable, Sendable {
    package let bytes: Int

    package init(_ bytes: Int) { self.bytes = bytes }

    package static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}

/// What each answer tells about the server.
package struct ServerState: Hashable, Sendable {
    package let timeline: Timeline
    /// A position at or after the answered commit; if it only changes units that the worker keeps, at or after
    /// the claims of the units that it lost.
    package let position: LogPosition
    /// What every standby that may be promoted has stored: the least of their positions; `position` if no
    /// standby is configured, and 0 if the answer does not tell.
    package let safe: LogPosition

    package init(timeline: Timeline, position: LogPosition, safe: LogPosition) {
        self.timeline = timeline
        self.position = position
        self.safe = safe
    }
}
