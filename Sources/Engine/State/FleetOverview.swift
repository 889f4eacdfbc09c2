package import CampaignModel

/// The processes that send from a state together, and the occurrences that they send, at one time.
package struct FleetOverview: Hashable, Sendable {
    /// In the order of their registrations.
    package let workers: [WorkerOverview]
    /// In the order in which they are sent.
    package let occurrences: [EntrustedOccurrence]
    /// By campaign, slot and revision.
    package let doubled: [DoubledRequests]

    /// A state without a fleet.
    package static let none = FleetOverview(workers: [], occurrences: [], doubled: [])

    package init(
        workers: [WorkerOverview],
        occurrences: [EntrustedOccurrence],
        doubled: [DoubledRequests]
    ) {
        self.workers = workers
        self.occurrences = occurrences
        self.doubled = doubled
    }

    package var isEmpty: Bool { workers.isEmpty && occurrences.isEmpty && doubled.isEmpty }
}

/// A process of a fleet.
package struct WorkerOverview: Hashable, Sendable {
    /// Whether it has confirmed the timeline of the server.
    ///
    /// The raw values are those of the query.
    package enum TimelineStatus: Int, Hashable, Sendable, CaseIterable {
        case confirmed
        /// It has not, but cannot have sent what a failover lost.
        case unneeded
        /// Until it has, no worker claims a work unit.
        case awaited
    }

    package let host: String
    package let processID: Int
    /// Seconds since its last beat, by the server's clock.
    package let silence: Int64
    /// Whether other workers may take over its work units.
    package let isLeaseOver: Bool
    package let timeline: TimelineStatus
    /// The format of the state for which its program was written.
    package let format: Int
    /// Whether this program was written for another format.
    package let isOfOtherFormat: Bool
    /// The number of its work units that are not finished.
    package let units: Int
    /// The sends per minute that it may make now.
    package let sendsPerMinute: Int
    /// The number of its requests that may be without an answer.
    package let permits: Int

    package init(
        host: String,
        processID: Int,
        silence: Int64 = 0,
        isLeaseOver: Bool = false,
        timeline: TimelineStatus = .confirmed,
        format: Int,
        isOfOtherFormat: Bool = false,
        units: Int = 0,
        sendsPerMinute: Int = 0,
        permits: Int = 0
    ) {
        self.host = host
        self.processID = processID
        self.silence = silence
        self.isLeaseOver = isLeaseOver
        self.timeline = timeline
        self.format = format
        self.isOfOtherFormat = isOfOtherFormat
        self.units = units
        self.sendsPerMinute = sendsPerMinute
        self.permits = permits
    }

    /// Seconds after which other workers suspect a worker without a beat; it makes one every 5 s.
    package static let longestSilence: Int64 = 7

    package var isSilent: Bool { isLeaseOver || silence > Self.longestSilence }
}

/// An occurrence that a fleet sends.
package struct EntrustedOccurrence: Hashable, Sendable {
    /// Work units that the fleet has not returned to the record of their occurrence.
    package struct Units: Hashable, Sendable {
        /// No worker has them.
        package let free: Int
        package let owned: Int
        /// Finished, but their outcomes are not recorded yet.
        package let finished: Int

        package init(free: Int, owned: Int, finished: Int) {
            self.free = free
            self.owned = owned
            self.finished = finished
        }
    }

    package let id: OccurrenceID
    /// The outcomes that the fleet has returned, and those that were recorded before.
    package let tally: OutcomeTally
    /// The requests that may have been sent and whose outcomes are not in `tally`.
    package let released: Int
    package let units: Units
    /// The number of workers that have a unit.
    package let workers: Int
    /// Whether workers give it back to the service.
    package let isRecalled: Bool
    /// Why the fleet stopped; nil if it did not.
    package let problem: String?
    /// Whether a worker that may have sent requests is gone after a failover.
    package let isHeld: Bool

    package init(
        id: OccurrenceID,
        tally: OutcomeTally,
        released: Int,
        units: Units,
        workers: Int,
        isRecalled: Bool = false,
        problem: String? = nil,
        isHeld: Bool = false
    ) {
        self.id = id
        self.tally = tally
        self.released = released
        self.units = units
        self.workers = workers
        self.isRecalled = isRecalled
        self.problem = problem
        self.isHeld = isHeld
    }

    /// The number of requests.
    package var count: Int { tally.total }

    /// The requests that are not left out.
    package var sendable: Int {
        count - tally[.suppressed] - tally[.expired] - tally[.cancelled]
    }

    /// The requests that may have been sent.
    package var sent: Int {
        tally[.accepted] + tally[.rejected] + tally[.unknown] + released
    }
}

/// The requests of an occurrence that two workers may have sent after a failover.
package struct DoubledRequests: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let count: Int

    package init(occurrence: OccurrenceID, count: Int) {
        self.occurrence = occurrence
        self.count = count
    }
}

/// Reads what several workers do with a state; needs no lock.
package protocol FleetReader: Sendable {
    /// The workers and the occurrences in progress; empty if one process sends at a time.
    func fleet() async throws(StateStoreError) -> FleetOverview
}
