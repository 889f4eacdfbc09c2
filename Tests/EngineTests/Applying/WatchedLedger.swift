import CampaignModel
import State
import Synchronization
import Time

/// A ledger that counts the commits of outcomes and can fail from one of them on.
///
/// A class, so that its users share the count.
final class WatchedLedger: Ledger {
    private let ledger: any Ledger
    private let failsAtCommit: Int
    private let count = Mutex(0)
    private let hasCommitted: @Sendable (Int) async -> Void

    /// `hasCommitted` gets the number of each commit.
    init(
        _ ledger: any Ledger,
        failsAtCommit: Int = .max,
        hasCommitted: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.failsAtCommit = failsAtCommit
        self.hasCommitted = hasCommitted
    }

    var commits: Int { count.withLock { $0 } }

    func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) async throws(StateStoreError) {
        let number = try beginCommit()
        try await ledger.record(outcomes, released: released, of: unit)
        await hasCommitted(number)
    }

    func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID
    ) async throws(StateStoreError) -> [StartedUnit] {
        let number = try beginCommit()
        let units = try await ledger.start(occurrences, in: run)
        await hasCommitted(number)
        return units
    }

    func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID
    ) async throws(StateStoreError) {
        let number = try beginCommit()
        try await ledger.finish(occurrences, in: run)
        await hasCommitted(number)
    }

    private func beginCommit() throws(StateStoreError) -> Int {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number < failsAtCommit else { throw .diskFull(path: "full") }
        return number
    }
}

// MARK: - Forwarding

extension WatchedLedger {
    func draftList(_ shape: ListShape) -> any ListDraft { ledger.draftList(shape) }

    func keepStoredList(_ list: ListID) async throws(StateStoreError) -> Bool {
        try await ledger.keepStoredList(list)
    }

    func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) async throws(StateStoreError) -> WorkUnitRecord {
        try await ledger.open(occurrence, in: run)
    }

    func record(
        _ reached: ReachedObjective,
        of occurrence: OccurrenceID
    ) async throws(StateStoreError) {
        try await ledger.record(reached, of: occurrence)
    }

    func beginFlightNotes(
        of unit: UnitID,
        room: Int
    ) async throws(StateStoreError) -> (any FlightNotes)? {
        try await ledger.beginFlightNotes(of: unit, room: room)
    }

    func endFlightNotes(of unit: UnitID) async { await ledger.endFlightNotes(of: unit) }

    func flightRecords(of unit: UnitID) async throws(StateStoreError) -> [Int: FlightRecord]? {
        try await ledger.flightRecords(of: unit)
    }

    func close(
        _ occurrence: OccurrenceID,
        as status: OccurrenceStatus
    ) async throws(StateStoreError) {
        try await ledger.close(occurrence, as: status)
    }

    func compact(
        finishedBefore limit: Instant,
        at now: Instant
    ) async throws(StateStoreError) -> Int {
        try await ledger.compact(finishedBefore: limit, at: now)
    }

    func outcomes(
        of unit: UnitID,
        in range: Range<Int>
    ) async throws(StateStoreError) -> [Outcome] {
        try await ledger.outcomes(of: unit, in: range)
    }

    func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) async throws(StateStoreError) -> [RequestOutcome] {
        try await ledger.requests(of: unit, with: outcome, limit: limit)
    }

    func details(
        of unit: UnitID,
        in range: Range<Int>
    ) async throws(StateStoreError) -> [Int: String] {
        try await ledger.details(of: unit, in: range)
    }

    func repeatCount(of unit: UnitID) async throws(StateStoreError) -> Int {
        try await ledger.repeatCount(of: unit)
    }

    func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) async throws(StateStoreError) -> [(request: Int, id: String)] {
        try await ledger.messageIDs(of: unit, from: first, count: count)
    }
}
