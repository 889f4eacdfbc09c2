/// The answer to a transaction that is committed.
package enum FleetAnswer: Hashable, Sendable {
    case registered(ServerState)
    case beat(BeatAnswer)
    case asked(ServerState, SliceAnswer)
    /// Changes of units whose claim was no longer current were not made.
    case committed(ServerState, lost: [WorkUnitID])
    case claimed(ServerState, [ClaimedUnit])
    /// `dropped`: the number of answers that were not added.
    case lateAnswersAdded(ServerState, dropped: Int)
    /// Nil if the worker was struck off.
    case settled(ServerState, SettledWorker?)
    /// Other workers have claimed these units, so requests below this worker's mark are named.
    case restored(ServerState, taken: [WorkUnitID])
    case struckOff(ServerState)
    case left(ServerState)
    /// Nil if another worker is the writer.
    case writer(ServerState, ClaimFence?)
    /// Nil if another worker is the writer.
    case divided(DivisionAnswer?)
    /// In order, counted from the first request of the occurrence.
    case omitted(ServerState, [Int])
    case cut(ServerState)
    case opened(ServerState)
    case writerEnded(ServerState)
}

/// Why there is no answer that a transaction is committed.
package enum FleetFailure: Hashable, Sendable {
    /// It is rolled back, and can be tried again.
    case notCommitted
    /// It is rolled back, because a fence was not current.
    case fenced
    /// Its answer is missing, or has a warning.
    case inDoubt
}

/// The answer to a beat.
package struct BeatAnswer: Hashable, Sendable {
    package let server: ServerState
    /// The incarnation of the worker; nil if it was struck off.
    package let incarnation: Int?
    /// A worker whose lease ended and which has not confirmed the timeline, so that nothing is claimed.
    package let straggler: WorkerID?

    package init(server: ServerState, incarnation: Int?, straggler: WorkerID?) {
        self.server = server
        self.incarnation = incarnation
        self.straggler = straggler
    }
}

/// A unit that a worker has claimed.
package struct ClaimedUnit: Hashable, Sendable {
    package let unit: WorkUnit
    package let fence: ClaimFence
    package let mark: Int
    /// What former owners recorded, and what the claim made unknown.
    package let records: [AttemptRecord]

    package init(_ unit: WorkUnit, fence: ClaimFence, mark: Int, records: [AttemptRecord]) {
        self.unit = unit
        self.fence = fence
        self.mark = mark
        self.records = records
    }
}

/// The row of a worker and its units, after its incarnation was raised.
package struct SettledWorker: Hashable, Sendable {
    package let incarnation: Int
    package let commits: Int
    /// The timeline that the worker has confirmed.
    package let confirmed: Timeline
    /// Whether other workers had missed its beats.
    package let wasSuspect: Bool
    package let permits: Int
    /// The number of units that others have taken from the worker.
    package let losses: Int
    package let units: [WorkUnitID: ClaimFence]
    /// The units that the tokens of the question claimed.
    package let claims: [ClaimedUnit]

    package init(
        incarnation: Int,
        commits: Int,
        confirmed: Timeline,
        wasSuspect: Bool,
        permits: Int,
        losses: Int = 0,
        units: [WorkUnitID: ClaimFence],
        claims: [ClaimedUnit]
    ) {
        self.incarnation = incarnation
        self.commits = commits
        self.confirmed = confirmed
        self.wasSuspect = wasSuspect
        self.permits = permits
        self.losses = losses
        self.units = units
        self.claims = claims
    }
}
