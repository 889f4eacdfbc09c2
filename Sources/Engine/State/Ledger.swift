package import CampaignModel
package import JSON
package import Time

/// Records the work units of occurrences, and the outcome of each request.
package protocol Ledger: Sendable {
    /// Begins to store a list; this does not need the writer's lock.
    func draftList(_ shape: ListShape) -> any ListDraft

    /// Keeps a list that a definition or an occurrence uses, for an occurrence that is opened next.
    ///
    /// - Returns: False if there is no such list.
    func keepStoredList(_ list: ListID) async throws(StateStoreError) -> Bool

    /// Marks an occurrence as dispatching and creates its unit, with every request intended.
    func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) async throws(StateStoreError) -> WorkUnitRecord

    /// Opens occurrences and makes the first record of each, in one transaction.
    ///
    /// The notes about their requests begin before it is committed. If it fails, nothing is opened, and
    /// there are no notes.
    ///
    /// - Returns: The units, in the same order.
    func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID
    ) async throws(StateStoreError) -> [StartedUnit]

    /// Makes the last record of occurrences, adds them to the history of the run and closes them as
    /// finished, in one transaction; then removes the notes about them.
    func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID
    ) async throws(StateStoreError)

    /// Records outcomes and, if given, raises the released mark, in one transaction.
    ///
    /// The message IDs of a unit that stores them are durable before the outcomes. If only the IDs
    /// cannot be stored, the rest is recorded before the error is thrown.
    func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) async throws(StateStoreError)

    /// Records when FCM had accepted the share of an occurrence's objective; an earlier time stays.
    func record(
        _ reached: ReachedObjective,
        of occurrence: OccurrenceID
    ) async throws(StateStoreError)

    /// Begins notes about the requests of a unit, which replace earlier notes.
    ///
    /// `room`: the largest number of requests that are written and have no recorded outcome.
    ///
    /// - Returns: Nil if this machine cannot keep notes.
    func beginFlightNotes(
        of unit: UnitID,
        room: Int
    ) async throws(StateStoreError) -> (any FlightNotes)?

    /// Removes the notes about a unit, each of whose released requests has a recorded outcome.
    func endFlightNotes(of unit: UnitID) async

    /// The notes about a unit's requests by the run in progress, whose process has ended.
    ///
    /// A released request without an outcome and a record was not written in that run.
    ///
    /// - Returns: Nil if there are no complete notes of that run, from this boot of this machine.
    func flightRecords(of unit: UnitID) async throws(StateStoreError) -> [Int: FlightRecord]?

    /// Gives a scheduled or dispatching occurrence its final status, and drops its stored list when
    /// no occurrence, unknown request or hold needs it.
    func close(
        _ occurrence: OccurrenceID,
        as status: OccurrenceStatus
    ) async throws(StateStoreError)

    /// Drops single outcomes, their details and message IDs of occurrences that finished before
    /// `limit`; unknown and held ones stay, those that frequency caps may count stay, and all counts
    /// stay.
    ///
    /// - Returns: The number of occurrences.
    func compact(
        finishedBefore limit: Instant,
        at now: Instant
    ) async throws(StateStoreError) -> Int

    /// The outcomes of the requests in a range of a unit, one per request.
    func outcomes(
        of unit: UnitID,
        in range: Range<Int>
    ) async throws(StateStoreError) -> [Outcome]

    /// The requests of a unit with this outcome, in order, with their details; at most `limit`.
    func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) async throws(StateStoreError) -> [RequestOutcome]

    /// The details of the requests in a range of a unit that have any.
    func details(
        of unit: UnitID,
        in range: Range<Int>
    ) async throws(StateStoreError) -> [Int: String]

    /// The number of a unit's requests that were retried under the policy.
    func repeatCount(of unit: UnitID) async throws(StateStoreError) -> Int

    /// The IDs of accepted messages of a unit that stores them, from request `first` on, in the
    /// order of the requests.
    ///
    /// - Throws: `.damagedIDs` if their file is missing or damaged; the ledger uses it for nothing
    ///   else.
    func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) async throws(StateStoreError) -> [(request: Int, id: String)]
}

/// The store's number of a work unit in the ledger.
package struct UnitID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// Work on one target.
///
/// It is a single request to a topic, condition or device group, or one request per registration of
/// a stored list, in list order.
package struct WorkUnitRecord: Hashable, Sendable {
    package let id: UnitID
    package let target: UnitTarget
    /// The total number of requests, which are numbered from 0.
    package let count: Int
    /// The high-water mark: requests below this number may have been sent, and those without an
    /// outcome are unknown after a crash.
    ///
    /// The mark is on disk before the first byte of such a request leaves.
    package let released: Int
    package let tally: OutcomeTally
    /// Whether the IDs of its accepted messages are stored.
    package let keepsIDs: Bool
    /// When its single outcomes, details and IDs were dropped; nil if they are stored.
    package let compacted: Instant?
    /// The number of requests that were suppressed because of the frequency cap.
    package let capped: Int

    /// Number of released requests without an outcome.
    ///
    /// If no process is sending, it is unknown whether FCM accepted these.
    package var open: Int { max(0, released - (tally.total - tally[.intended])) }

    /// Whether all requests are intended and none was released.
    package var isUntouched: Bool { released == 0 && tally[.intended] == count }

    /// Whether a request may be sent: never released, or known not to have been sent.
    package func maySend(_ number: Int, outcome: Outcome) -> Bool {
        outcome == .returned || outcome == .intended && number >= released
    }

    package init(
        id: UnitID,
        target: UnitTarget,
        count: Int,
        released: Int,
        tally: OutcomeTally,
        keepsIDs: Bool = false,
        compacted: Instant? = nil,
        capped: Int = 0
    ) {
        self.id = id
        self.target = target
        self.count = count
        self.released = released
        self.tally = tally
        self.keepsIDs = keepsIDs
        self.compacted = compacted
        self.capped = capped
    }
}

package enum UnitTarget: Hashable, Sendable {
    case topic(Topic)
    /// The condition's text.
    case condition(String)
    /// A device group, whose key is fetched before the send.
    case group(DeviceGroupName)
    case registrations(ListID)
}

/// The outcome of one request, with a detail.
package struct RequestOutcome: Hashable, Sendable {
    /// The request's number within its work unit.
    package let index: Int
    package let outcome: Outcome
    /// For a topic or condition, FCM's name of the message; for any other outcome than accepted,
    /// the reason, such as `UNREGISTERED`.
    ///
    /// An intended request has none.
    package let detail: String?
    /// FCM's name of the message; stored next to the ledger if the unit keeps IDs.
    package let messageID: String?

    package init(
        index: Int,
        outcome: Outcome,
        detail: String? = nil,
        messageID: String? = nil
    ) {
        self.index = index
        self.outcome = outcome
        self.detail = detail
        self.messageID = messageID
    }
}

/// Number of requests per outcome.
///
/// The counts of a unit add up to its size.
package struct OutcomeTally: Hashable, Sendable {
    /// One count per outcome; there are eight.
    ///
    /// Not a SIMD vector: Swift 6.3 lays out the frames of asynchronous functions too small if they
    /// contain values of 64-byte alignment.
    private var counts = InlineArray<8, Int>(repeating: 0)

    package init() {}

    package subscript(outcome: Outcome) -> Int {
        get { counts[Int(outcome.rawValue)] }
        set { counts[Int(outcome.rawValue)] = newValue }
    }

    package var total: Int {
        Outcome.allCases.reduce(0) { $0 + self[$1] }
    }

    package static func + (left: OutcomeTally, right: OutcomeTally) -> OutcomeTally {
        var sum = left
        for outcome in Outcome.allCases { sum[outcome] += right[outcome] }
        return sum
    }

    package static func == (left: OutcomeTally, right: OutcomeTally) -> Bool {
        Outcome.allCases.allSatisfy { left[$0] == right[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for outcome in Outcome.allCases { hasher.combine(self[outcome]) }
    }
}

/// The values with which an occurrence is opened.
package struct OpenedOccurrence: Hashable, Sendable {
    package let id: OccurrenceID
    package let due: Instant
    /// The message as JSON text, so that the store need not write it in its transaction.
    package let message: String
    /// Whether the message has a part that is sent encrypted; the store encrypts it, too.
    package let isSecret: Bool
    package let target: UnitTarget
    /// The number of requests: 1 for a topic or condition, otherwise the length of the list.
    package let count: Int
    package let deduplicationKey: String?
    /// Whether the IDs of accepted messages are stored (`record: ids`).
    package let keepsIDs: Bool
    package let objective: Objective?
    /// Nil unless it is sent in stages.
    package let rollout: RolloutRecord?
    /// Until when its list is kept for a recall; nil if it is dropped at the end of the send.
    package let keptUntil: Instant?

    package init(
        id: OccurrenceID,
        due: Instant,
        message: JSONValue,
        target: UnitTarget,
        count: Int,
        deduplicationKey: String? = nil,
        keepsIDs: Bool = false,
        objective: Objective? = nil,
        rollout: RolloutRecord? = nil,
        keptUntil: Instant? = nil
    ) {
        self.id = id
        self.due = due
        self.keptUntil = keptUntil
        self.message = message.compactText
        isSecret = message.isEncryptedMessage
        self.target = target
        self.count = count
        self.deduplicationKey = deduplicationKey
        self.keepsIDs = keepsIDs
        self.objective = objective
        self.rollout = rollout
    }
}

/// An objective whose share of requests FCM has accepted.
package struct ReachedObjective: Hashable, Sendable {
    package let objective: Objective
    /// Since the due time, in seconds; 0 or more.
    package let seconds: Int64

    package init(_ objective: Objective, after seconds: Int64) {
        self.objective = objective
        self.seconds = seconds
    }
}
