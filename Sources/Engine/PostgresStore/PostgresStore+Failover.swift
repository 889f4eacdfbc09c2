import CampaignModel
import FoundationEssentials
package import State
import StoreTables
import Time

// A failover may lose the last commits. Then nothing is sent before the state again has what this process
// sent, because the lost requests would look unsent. What another process may have sent is held.
extension PostgresStore {
    /// Whether the server may lack what this process sent, so that the lock must be taken to record it
    /// again.
    package func hasLostCommits() throws(StateStoreError) -> Bool {
        guard !sent.isEmpty else { return false }
        let actual = try read { db in
            try db.row("SELECT fleet_timeline()")?.decode(Int64.self, atIndex: 0)
        }
        return actual.map { failover.mayLack(on: $0) } ?? false
    }

    /// Ends what the process does under its lock if a failover lost commits of it.
    ///
    /// `actual`: the timeline of the server.
    ///
    /// - Throws: `.lostCommits`, after what was sent is recorded again.
    func checkCommits(on actual: Int64) throws {
        guard lease != nil, !failover.isRestoring, failover.mayLack(on: actual) else { return }
        // Until it is restored, nothing may be written.
        failover.lose(.server(path: path, .lostCommits(isRestored: false)))
        do throws(StateStoreError) {
            try restore(holdsOthers: false)
            failover.lose(.server(path: path, .lostCommits(isRestored: true)))
        } catch {
            // The next holder of the lock restores or holds it.
        }
        if let loss = failover.loss { throw loss }
    }

    /// Makes the state complete before the holder of the lock reads it.
    func settleFailover(_ taken: TakenLock) throws(StateStoreError) {
        let isForeign = taken.doubted.map { !failover.tokens.contains($0) } ?? false
        let mustRestore = failover.mayLack(on: taken.timeline) && !sent.isEmpty
        if taken.doubted != nil || mustRestore { try restore(holdsOthers: isForeign) }
        failover.confirm(taken.timeline)
    }

    /// Confirms that the server has every commit of this process, or restores what it sent; then the lock
    /// can be released.
    func confirmLock() {
        _ = try? write { db in try db.run("UPDATE writer SET epoch = epoch WHERE id = 1") }
    }

    /// Records again what this process sent, if it may be lost.
    ///
    /// `holdsOthers`: whether an earlier holder of the lock may have sent more than the state shows.
    private func restore(holdsOthers: Bool) throws(StateStoreError) {
        failover.isRestoring = true
        defer { failover.isRestoring = false }
        let (actual, numbers) = try write { db -> (Int64, [UnitID: UnitID]) in
            guard let row = try db.row("SELECT fleet_timeline()") else { throw UnexpectedValue() }
            let actual = try row.decode(Int64.self, atIndex: 0)
            if holdsOthers { try holdOpenSends(in: db) }
            let numbers = failover.mayLack(on: actual) ? try restoreUnits(in: db) : [:]
            try db.run("UPDATE writer SET doubted = NULL WHERE id = 1")
            return (actual, numbers)
        }
        sent.renumber(numbers)
        failover.confirm(actual)
    }

    /// Holds the sends of an earlier holder of the lock of which something seems to be unsent.
    ///
    /// The workers of a fleet restore what they sent.
    private func holdOpenSends(in db: any StateDatabase) throws {
        try db.run(
            """
            UPDATE occurrences SET hold = ?
            WHERE status = ? AND hold IS NULL
                AND unit NOT IN (SELECT unit FROM fleet_occurrences)
                AND unit IN (
                    SELECT id FROM units
                    WHERE intended + returned > greatest(0, released - (count - intended)))
            """,
            arguments: [Hold.lostWorker.rawValue, OccurrenceStatus.dispatching.rawValue]
        )
    }
}

// MARK: - Units

extension PostgresStore {
    /// Returns the new numbers of units that have others than before.
    private func restoreUnits(in db: any StateDatabase) throws -> [UnitID: UnitID] {
        let units = sent.sent
        let found = try db.rows(
            "SELECT unit, status, campaign, slot, revision FROM occurrences WHERE",
            arguments: [],
            where: "unit",
            isAmong: units.map { .integer($0.id.number) }
        )
        var known: [UnitID: (id: OccurrenceID, status: OccurrenceStatus?)] = [:]
        for row in found {
            let unit = UnitID(number: try row.decode(Int64.self, atIndex: 0))
            let status = OccurrenceStatus(rawValue: try row.decode(UInt8.self, atIndex: 1))
            known[unit] = (try occurrenceID(row, from: 2), status)
        }
        let entrusted = Set(try db.numbers("SELECT unit FROM fleet_occurrences"))
        var numbers: [UnitID: UnitID] = [:]
        for unit in units where !entrusted.contains(unit.id.number) {
            if let same = known[unit.id], same.id == unit.occurrence.id {
                // The records of an occurrence that has ended are older than its end.
                if same.status == .dispatching { try restore(unit, as: unit.id, in: db) }
            } else {
                numbers[unit.id] = try restoreLost(unit, in: db)
            }
        }
        return numbers
    }

    /// Restores a unit whose creation is lost.
    ///
    /// - Returns: Its new number; nil if it cannot be restored.
    private func restoreLost(
        _ unit: SentUnits.Unit,
        in db: any StateDatabase
    ) throws -> UnitID? {
        let row = try db.row(
            """
            SELECT unit, released FROM occurrences LEFT JOIN units ON units.id = unit
            WHERE campaign = ? AND slot = ? AND revision = ?
            """,
            arguments: unit.occurrence.id.arguments
        )
        guard let row, let number = try row.decode(Int64?.self, atIndex: 0) else {
            return try openAgain(unit, in: db)
        }
        // Another process opened it again.
        let id = UnitID(number: number)
        let doubled = min(try row.decode(Int.self, atIndex: 1), unit.mark)
        if doubled > 0 { try nameDoubled(doubled, of: id, in: db) }
        let record = try occurrence(with: id, in: db)
        if let record, record.status == .dispatching, record.unit?.count == unit.occurrence.count {
            try restore(unit, as: id, in: db)
        }
        return id
    }

    /// Names the first requests of a unit as possibly doubled.
    ///
    /// The numbers of a fleet's work units are greater than 0.
    private func nameDoubled(_ count: Int, of unit: UnitID, in db: any StateDatabase) throws {
        try db.run(
            """
            INSERT INTO fleet_doubled (unit, work_unit, first, count) VALUES (?, 0, 0, ?)
            ON CONFLICT (unit, work_unit)
            DO UPDATE SET count = greatest(fleet_doubled.count, excluded.count)
            """,
            arguments: [unit.number, count]
        )
    }

    private func openAgain(
        _ unit: SentUnits.Unit,
        in db: any StateDatabase
    ) throws -> UnitID? {
        let run = try lastRun(in: db)
        let opened: WorkUnitRecord
        do {
            opened = try open(unit.occurrence, released: nil, in: run, on: db)
        } catch is StateStoreError {
            // Its list is lost, too.
            try pause(unit, in: db)
            return nil
        }
        try restore(unit, as: opened.id, in: db)
        return opened.id
    }

    /// Stops a campaign whose send cannot be recorded again.
    private func pause(_ unit: SentUnits.Unit, in db: any StateDatabase) throws {
        let row = try db.row("SELECT extract(epoch FROM clock_timestamp())::bigint")
        let now = try row?.decode(Int64.self, atIndex: 0) ?? 0
        let pause = Pause(
            scope: .campaign(unit.occurrence.id.campaign),
            since: Instant(secondsSince1970: now),
            user: "a failover that lost \(unit.occurrence.id), of which \(unit.mark) requests "
                + "may have been sent",
            host: failover.holder?.host ?? ""
        )
        _ = try add(pause, in: db)
    }

    /// The run to which occurrences belong that are opened again.
    private func lastRun(in db: any StateDatabase) throws -> RunID {
        if let number = try db.row("SELECT max(id) FROM runs")?.decode(Int64?.self, atIndex: 0) {
            return RunID(number: number)
        }
        guard let holder = failover.holder else { throw failed("it has no runs") }
        return try beginRun(holder, in: db)
    }

    /// Raises the mark of a unit, and records the outcomes that are lost.
    ///
    /// A request that then has no outcome is unknown, because the next holder of the lock settles it.
    private func restore(
        _ unit: SentUnits.Unit,
        as id: UnitID,
        in db: any StateDatabase
    ) throws {
        let stored = try stored(id, in: db)
        guard !stored.isCompacted else { return }
        guard let session = db as? PostgresSession,
            let bytes = try session.outcomes(of: stored, in: 0..<stored.count)
        else { throw unreadable(stored) }
        let known = sent.outcomes(of: unit.id)
        var outcomes: [RequestOutcome] = []
        for (index, byte) in bytes.enumerated() {
            guard let recorded = StoredOutcome(byte: byte)?.outcome else {
                throw unreadable(stored)
            }
            let isAgain = recorded == .returned && unit.again?.contains(index) == true
            guard recorded == .intended || isAgain else { continue }
            if let outcome = known[index], outcome.outcome.isFinal {
                outcomes.append(outcome)
            } else if isAgain {
                // It may have been sent since then.
                outcomes.append(RequestOutcome(index: index, outcome: .intended))
            }
        }
        _ = try record(
            outcomes,
            released: min(unit.mark, stored.count),
            of: stored,
            in: db
        )
    }
}

extension Outcome {
    /// Whether a request with it is not sent again.
    fileprivate var isFinal: Bool {
        switch self {
        case .intended, .returned: false
        case .accepted, .rejected, .unknown, .expired, .suppressed, .cancelled: true
        }
    }
}
