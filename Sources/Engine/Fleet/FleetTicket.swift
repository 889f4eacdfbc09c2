/// Identifies a transaction of a machine; its answer has the same ticket.
///
/// Each lane has at most one transaction in progress, and should have its own connection.
package struct FleetTicket: Hashable, Sendable {
    package enum Lane: String, Hashable, Sendable {
        /// Everything that counts as a commit of the worker.
        case ledger
        case beats
        case slices
        case writer
    }

    package let lane: Lane
    package let number: Int

    package init(_ lane: Lane, number: Int) {
        self.lane = lane
        self.number = number
    }
}

/// What a driver does for a machine.
package enum FleetCommand: Hashable, Sendable {
    /// Performs a transaction, and reports its answer or failure once.
    case perform(FleetTransaction, FleetTicket)
    /// Sends requests, and reports the result of each once.
    case send(SendOrder)
    /// Reports the time at this time, unless a later command names another time.
    case wake(at: Duration)
    case report(FleetNotice)
    /// Drops the message IDs and details of a unit.
    ///
    /// A driver keeps them from the answer to a request until then, and adds them to each transaction
    /// with an outcome of that request: a failover may lose a commit, which is then restored.
    case forget(WorkUnitID)
}

/// What a user may need to know.
package enum FleetNotice: Hashable, Sendable {
    /// Another worker took over these units.
    case lost([WorkUnitID])
    /// Requests of these units below this worker's marks may have been sent twice.
    case possiblyDoubled([MarkedUnit])
    /// This number of late answers was not recorded, because their units are merged, or their
    /// requests were released again or already had an outcome.
    case droppedAnswers(Int)
    /// A server with an older timeline answered, so that nothing is sent.
    case formerPrimary(Timeline)
    /// The server has another timeline, or lost commits of this worker.
    case failover(Timeline)
    /// Nothing is committed, claimed or opened, because no standby has stored a position for 30 s.
    case waitsForStandby
    /// The server answers after this long, so that nothing is sent between two slices.
    case farServer(Duration)
    /// The worker was struck off, and registers again.
    case struckOff
    /// The worker gave back everything and is no longer in the table.
    case left
}

/// A unit, and the mark up to which a worker may have sent it.
package struct MarkedUnit: Hashable, Sendable {
    package let unit: WorkUnitID
    /// The number of requests of the unit that were released.
    package let mark: Int

    package init(_ unit: WorkUnitID, mark: Int) {
        self.unit = unit
        self.mark = mark
    }
}

/// What happens to a machine.
package enum FleetEvent: Hashable, Sendable {
    case time
    case answered(FleetTicket, FleetAnswer)
    case failed(FleetTicket, FleetFailure)
    case sent(SendResult)
    /// Send nothing before this time, and afterwards have at most so many requests open.
    ///
    /// Released requests that were not sent are taken back, so that a crash leaves none of them unknown.
    case limited(until: Duration, open: Int)
    /// Claim nothing more, give everything back, and end the lease of the writer.
    case drain
}

/// One transaction in progress at a time.
struct FleetLane<Work: Sendable>: Sendable {
    let lane: FleetTicket.Lane
    private(set) var work: Work?
    private(set) var begin = Duration.zero
    private var number = 0

    init(_ lane: FleetTicket.Lane) { self.lane = lane }

    var isFree: Bool { work == nil }

    mutating func start(_ work: Work, at now: Duration) -> FleetTicket {
        number += 1
        self.work = work
        begin = now
        return FleetTicket(lane, number: number)
    }

    /// Ends the transaction of a ticket; nil if it is not the one in progress.
    mutating func end(_ ticket: FleetTicket) -> Work? {
        guard ticket.lane == lane, ticket.number == number else { return nil }
        defer { work = nil }
        return work
    }
}

/// The numbers of a machine, from a seed that its driver draws at random.
struct DrawnNumbers: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
