package import CampaignModel
import GRDB
package import State

extension SQLiteStore {
    package func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) async throws(StateStoreError) {
        let notes = flights[unit]
        let lost: StateStoreError?
        do throws(StateStoreError) {
            lost = try await writeTogether { [self] db in
                try record(outcomes, released: released, of: unit, in: db)
            }
        } catch {
            // A full disk changes nothing; after any other error, the state on disk is uncertain.
            if case .diskFull = error {} else { notes?.void() }
            throw error
        }
        notes?.didCommit(outcomes)
        if let lost { throw lost }
    }

    package func outcomes(
        of unit: UnitID,
        in range: Range<Int>
    ) throws(StateStoreError) -> [Outcome] {
        try read { db in try outcomes(of: stored(unit, in: db), in: range, on: db) }
    }

    package func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) throws(StateStoreError) -> [RequestOutcome] {
        try read { db in
            let found = try requests(in: stored(unit, in: db), with: outcome, limit: limit, on: db)
            return try found.map { index, stored in
                RequestOutcome(
                    index: index,
                    outcome: outcome,
                    detail: try stored.detail ?? detail(of: index, in: unit, on: db)
                )
            }
        }
    }
}

extension SQLiteStore {
    /// Returns why message IDs could not be stored; nil if that is not so.
    func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID,
        in db: Database
    ) throws -> StateStoreError? {
        let stored = try stored(unit, in: db)
        guard (0...stored.count).contains(released ?? 0) else { throw beyond(stored) }
        flights[unit]?.willCommit(stored.commits + 1)
        let change = try replace(outcomes, of: stored, in: db)
        try add(change, released: released ?? 0, to: unit, in: db)
        try countCapped(outcomes, of: unit, in: db)
        return try keepIDs(of: outcomes, in: stored, on: db)
    }

    func outcomes(
        of unit: StoredUnit,
        in range: Range<Int>,
        on db: Database
    ) throws -> [Outcome] {
        guard range.lowerBound >= 0, range.upperBound <= unit.count else { throw beyond(unit) }
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(range.count)
        try walk(unit, over: range, in: db) { _, outcome in
            outcomes.append(outcome.outcome)
            return true
        }
        return outcomes
    }

    /// Returns the first requests of a unit with an outcome, in order.
    func numbers(
        in unit: StoredUnit,
        with outcome: Outcome,
        limit: Int,
        on db: Database
    ) throws -> [Int] {
        try requests(in: unit, with: outcome, limit: limit, on: db).map(\.index)
    }

    private func requests(
        in unit: StoredUnit,
        with outcome: Outcome,
        limit: Int,
        on db: Database
    ) throws -> [(index: Int, stored: StoredOutcome)] {
        guard limit > 0 else { return [] }
        var found: [(index: Int, stored: StoredOutcome)] = []
        try walk(unit, over: 0..<unit.count, in: db) { index, candidate in
            if candidate.outcome == outcome { found.append((index, candidate)) }
            return found.count < limit
        }
        return found
    }

    func walk(
        _ unit: StoredUnit,
        over range: Range<Int>,
        in db: Database,
        body: (Int, StoredOutcome) -> Bool
    ) throws {
        guard !unit.isCompacted else {
            throw failed("the outcomes of unit \(unit.id.number) were compacted")
        }
        guard try OutcomeChunks(of: unit).walk(range, in: db, body: body) else {
            throw unreadable(unit)
        }
    }

    private func beyond(_ unit: StoredUnit) -> StateStoreError {
        failed("unit \(unit.id.number) has only \(unit.count) requests")
    }

    private func unreadable(_ unit: StoredUnit) -> StateStoreError {
        damaged("the outcomes of unit \(unit.id.number) cannot be read")
    }

    /// Replaces outcomes and their details, and returns the change of the tally, including the
    /// replaced outcomes.
    func replace(
        _ outcomes: [RequestOutcome],
        of unit: StoredUnit,
        in db: Database
    ) throws -> OutcomeTally {
        var chunks = OutcomeChunks(of: unit)
        var change = OutcomeTally()
        for new in outcomes {
            guard (0..<unit.count).contains(new.index) else { throw beyond(unit) }
            let stored = StoredOutcome(new)
            guard let before = try chunks.replace(new.index, with: stored, in: db) else {
                throw unreadable(unit)
            }
            change[before] -= 1
            change[new.outcome] += 1
            let detail = stored.detail == nil ? new.detail : nil
            try replaceDetail(of: new, with: detail, before: before, in: unit.id, on: db)
        }
        try chunks.save(db)
        return change
    }

    /// A suppressed request has no later outcome, so it is counted once.
    private func countCapped(
        _ outcomes: [RequestOutcome],
        of unit: UnitID,
        in db: Database
    ) throws {
        let capped = outcomes.count { $0.outcome == .suppressed && $0.detail == OutcomeDetail.cap }
        guard capped > 0 else { return }
        try db.run(
            "UPDATE units SET capped = capped + ? WHERE id = ?",
            arguments: [capped, unit.number]
        )
    }

    /// The high-water mark never goes down.
    func add(
        _ change: OutcomeTally,
        released: Int,
        to unit: UnitID,
        in db: Database
    ) throws {
        var values = [released]
        var sql = "UPDATE units SET commits = commits + 1, released = max(released, ?)"
        for (outcome, addition) in zip(Outcome.allCases, OutcomeTally.additions)
        where change[outcome] != 0 {
            values.append(change[outcome])
            sql += addition
        }
        values.append(Int(unit.number))
        try db.run(sql + " WHERE id = ?", arguments: StatementArguments(values))
    }

    /// Replaces a detail; most requests have none before or after, and cost nothing here.
    ///
    /// `detail`: nil if there is none, or if the chunk has it.
    private func replaceDetail(
        of new: RequestOutcome,
        with detail: String?,
        before: Outcome,
        in unit: UnitID,
        on db: Database
    ) throws {
        if let detail, new.outcome != .intended {
            try db.run(
                "INSERT OR REPLACE INTO outcome_details (unit, request, detail) VALUES (?, ?, ?)",
                arguments: [unit.number, new.index, detail]
            )
        } else if before != .intended {
            try db.run(
                "DELETE FROM outcome_details WHERE unit = ? AND request = ?",
                arguments: [unit.number, new.index]
            )
        }
    }

    private func detail(of index: Int, in unit: UnitID, on db: Database) throws -> String? {
        try db.row(
            "SELECT detail FROM outcome_details WHERE unit = ? AND request = ?",
            arguments: [unit.number, index]
        )?.decode(String.self, atIndex: 0)
    }
}
