/// A transaction that a driver performs in one pipeline with its `COMMIT`.
///
/// Each is checked against the fences in it. Without an answer, it is in doubt.
package enum FleetTransaction: Hashable, Sendable {
    /// Adds a row for the worker, with the server's timeline as confirmed; does nothing if it exists.
    case register(WorkerID, isSynchronous: Bool)
    /// Renews the lease of the worker, and marks other workers without a recent beat as suspects.
    ///
    /// A suspect's incarnation is raised, so it cannot commit before it has settled.
    case beat(WorkerID)
    /// Asks for a slice of the quota and for permits.
    case ask(WorkerID, SliceRequest)
    /// Raises marks and records outcomes; returns permits.
    case commit(WorkerFence, [UnitChange], returnedPermits: Int)
    /// Claims as many units as there are tokens.
    ///
    /// Nothing is claimed while a worker has not confirmed the timeline, nor a unit that the worker
    /// has. A unit of a worker whose lease ended is locked first, then its outcomes are read; its
    /// released requests without an outcome become unknown, and the worker's losses are raised.
    case claim(WorkerFence, [ClaimToken])
    /// Adds the answers of a former owner.
    case addLateAnswers(WorkerFence, [LateAnswer])
    /// Raises the worker's incarnation, so that no earlier commit can happen any more; reads its row,
    /// its units, and the units that these tokens claimed.
    case settle(WorkerID, claims: [ClaimToken])
    /// Confirms the timeline of the fence and restores units; sets the row's commits to the fence's.
    ///
    /// The row's permits become the unanswered requests of the units that the worker still owns: the
    /// others may be lost, and granted again.
    ///
    /// Earlier parts of a restoration only merge units. Units that other workers have claimed are
    /// stored as possibly doubled up to their marks, because this worker may end before it reports them.
    case restore(WorkerFence, [RestoredUnit], isLast: Bool)
    /// Removes a worker that has not confirmed the timeline, and holds the occurrences that it may
    /// have sent.
    case strikeOff(WorkerFence, WorkerID)
    /// Removes the worker's own row.
    case leave(WorkerFence)
    /// Becomes the writer if there is none or it is this one; reads the occurrences to cut.
    case takeWriter(
        ClaimToken,
        former: ClaimFence?,
        lease: Duration = LeaseTerms.writerLifetime
    )
    /// Renews the lease of the writer, grants slices and permits, and reads requests for them.
    ///
    /// Permits are granted only on the timeline on which they were counted, and only if every worker
    /// has confirmed it.
    case divide(ClaimFence, on: Timeline?, [Grant], terms: WriterTerms = WriterTerms())
    /// Reads the requests that caps, arms and stages leave out of an occurrence.
    case readOmitted(ClaimFence, OccurrenceNumber)
    /// Stores the units of an occurrence, which nothing can claim yet.
    case cut(ClaimFence, OccurrenceNumber, [WorkUnit])
    /// Lets workers claim the units of an occurrence.
    case open(ClaimFence, OccurrenceNumber)
    /// Ends the lease of the writer, so that another worker becomes the writer at once.
    case endWriter(ClaimFence)
}

extension FleetTransaction {
    /// Whether its commit waits for the disk and for synchronous standbys.
    ///
    /// A failover may lose beats and grants: leases begin again, and permits are used only by later
    /// commits.
    package var isDurable: Bool {
        switch self {
        case .beat, .ask, .divide, .takeWriter, .readOmitted, .endWriter: false
        case .register, .commit, .claim, .addLateAnswers, .settle, .restore, .strikeOff, .leave,
            .cut, .open:
            true
        }
    }
}

/// What a commit changes in one unit, if its claim is still current.
package struct UnitChange: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        /// Every request has a last outcome; the outcomes are merged.
        case finished
        /// Another worker may claim the unit.
        case givenBack
    }

    package let unit: WorkUnitID
    package let fence: ClaimFence
    /// The new mark; it never goes down.
    package let mark: Int?
    /// Outcomes, and repeats with the outcome `released`.
    package let records: [AttemptRecord]
    package let ending: Ending?

    package init(
        _ unit: WorkUnitID,
        fence: ClaimFence,
        mark: Int?,
        records: [AttemptRecord],
        ending: Ending?
    ) {
        self.unit = unit
        self.fence = fence
        self.mark = mark
        self.records = records
        self.ending = ending
    }
}

/// An answer that arrives after the unit was taken over.
///
/// It replaces `unknown`, and `released` if the unit has no owner, if the request has no later
/// attempt and the unit is not merged.
package struct LateAnswer: Hashable, Sendable {
    package let unit: WorkUnitID
    package let record: AttemptRecord

    package init(_ record: AttemptRecord, of unit: WorkUnitID) {
        self.unit = unit
        self.record = record
    }
}

/// A unit in the memory of a worker after a failover.
package struct RestoredUnit: Hashable, Sendable {
    package enum Holding: Hashable, Sendable {
        case owned
        case finished
        /// Given back, or lost to another worker.
        case former
        /// Owned when a failover or another worker removed the worker's row, or when the lease had
        /// ended before the failover was noticed: a lost commit may have taken it over. It becomes
        /// free, and its requests are named if another worker has claimed it.
        case abandoned
    }

    package let unit: WorkUnitID
    package let fence: ClaimFence
    package let mark: Int
    package let records: [AttemptRecord]
    /// The number of released requests without an outcome, if the worker owns the unit.
    package let unanswered: Int
    package let holding: Holding

    package init(
        _ unit: WorkUnitID,
        fence: ClaimFence,
        mark: Int,
        records: [AttemptRecord],
        unanswered: Int,
        holding: Holding
    ) {
        self.unit = unit
        self.fence = fence
        self.mark = mark
        self.records = records
        self.unanswered = unanswered
        self.holding = holding
    }
}
