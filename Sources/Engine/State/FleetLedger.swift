package import JSON

/// Lets a fleet of workers send requests of an occurrence (decision 75).
///
/// The caller holds the writer's lock. Between `entrust` and the end of `collect`, only the fleet sends
/// these requests, and the record of the unit has only what was collected.
package protocol FleetLedger: Sendable {
    /// Lets the fleet send requests.
    ///
    /// - Throws: `.failed` if the fleet has the unit, or the problem with the state.
    func entrust(_ requests: EntrustedRequests) async throws(StateStoreError)

    /// The units that the fleet has, the oldest first.
    func entrustedUnits() async throws(StateStoreError) -> [UnitID]

    /// What workers need to send a unit; nil if the fleet does not have it.
    func terms(ofEntrusted unit: UnitID) async throws(StateStoreError) -> JSONValue?

    /// Lets workers send the entrusted requests below a number, which was lower before.
    func allow(below end: Int, of unit: UnitID) async throws(StateStoreError)

    /// Asks the workers to send nothing more of a unit.
    func recall(_ unit: UnitID) async throws(StateStoreError)

    /// Moves what workers have finished into the record of the unit.
    ///
    /// Requests that were not sent are recorded as returned. When nothing is left in the fleet, the mark
    /// is the end of the entrusted requests.
    func collect(from unit: UnitID) async throws(StateStoreError) -> FleetCollection
}

/// Requests of a unit for the fleet.
package struct EntrustedRequests: Sendable {
    package let unit: UnitID
    /// The requests, in ascending order and not empty; all others before the last one have outcomes.
    package let requests: [Range<Int>]
    package let turn: FleetTurn
    /// Nothing is sent from this time on, in nanoseconds since 1970, by the clocks of the server and of the
    /// workers; nil if there is no such time.
    package let until: Int64?
    /// Which requests workers may send at first; nil if they may send all.
    package let window: FleetWindow?
    /// What workers need to know.
    package let terms: JSONValue

    package init(
        _ requests: [Range<Int>],
        of unit: UnitID,
        turn: FleetTurn,
        until: Int64? = nil,
        window: FleetWindow? = nil,
        terms: JSONValue
    ) {
        self.unit = unit
        self.requests = requests
        self.turn = turn
        self.until = until
        self.window = window
        self.terms = terms
    }

    /// The number of requests up to the last one.
    package var end: Int { requests.last?.upperBound ?? 0 }
}

/// Where an occurrence is in the order in which the fleet sends.
package struct FleetTurn: Hashable, Sendable {
    /// Earlier occurrences are sent first; in nanoseconds since 1970.
    package let due: Int64
    /// Of occurrences with the same due time, the higher goes first.
    package let priority: Int

    package init(due: Int64, priority: Int = 0) {
        self.due = due
        self.priority = priority
    }
}

/// What returned from the fleet.
package struct FleetCollection: Hashable, Sendable {
    /// The outcomes that are now recorded, in order.
    package let outcomes: [RequestOutcome]
    /// Whether the fleet has nothing more of the unit.
    package let isWhole: Bool
    /// Why workers stopped; nil if they did not.
    package let problem: String?
    /// Whether the unit is held, because a worker that may have sent requests is gone after a failover.
    package let isHeld: Bool

    package init(
        _ outcomes: [RequestOutcome],
        isWhole: Bool,
        problem: String? = nil,
        isHeld: Bool = false
    ) {
        self.outcomes = outcomes
        self.isWhole = isWhole
        self.problem = problem
        self.isHeld = isHeld
    }
}
