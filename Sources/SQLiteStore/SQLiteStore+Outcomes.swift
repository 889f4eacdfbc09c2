package import CampaignModel
package import CampaignState
import GRDB

extension SQLiteStore {
    package func record(
        _ outcomes: [UnitOutcome],
        released: Int?,
        of unit: UnitID
    ) throws(StateStoreError) {
        try write { db in
            let count = try count(of: unit, db)
            guard outcomes.allSatisfy({ (0..<count).contains($0.index) }),
                (0...count).contains(released ?? 0)
            else { throw failed("unit \(unit.number) has only \(count) requests") }
            let change = try replace(outcomes, of: unit, count: count, db)
            for outcome in outcomes { try recordDetail(of: outcome, in: unit, db) }
            try add(change, released: released ?? 0, to: unit, db)
        }
    }

    package func outcomes(
        of unit: UnitID,
        in range: Range<Int>
    ) throws(StateStoreError) -> [Outcome] {
        try read { db in
            let count = try count(of: unit, db)
            guard range.lowerBound >= 0, range.upperBound <= count else {
                throw failed("unit \(unit.number) has only \(count) requests")
            }
            var outcomes: [Outcome] = []
            outcomes.reserveCapacity(range.count)
            try walk(unit, count: count, range, db) { _, outcome in
                outcomes.append(outcome)
                return true
            }
            return outcomes
        }
    }

    package func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) throws(StateStoreError) -> [UnitOutcome] {
        try read { db in
            guard limit > 0 else { return [] }
            let count = try count(of: unit, db)
            var found: [Int] = []
            try walk(unit, count: count, 0..<count, db) { index, candidate in
                if candidate == outcome { found.append(index) }
                return found.count < limit
            }
            return try found.map { index in
                UnitOutcome(
                    index: index,
                    outcome: outcome,
                    detail: try detail(of: index, in: unit, db)
                )
            }
        }
    }
}

extension SQLiteStore {
    private func count(of unit: UnitID, _ db: Database) throws -> Int {
        guard let row = try db.row("SELECT count FROM units WHERE id = ?", [unit.number]) else {
            throw failed("there is no unit \(unit.number)")
        }
        return try row.decode(Int.self, atIndex: 0)
    }

    private func walk(
        _ unit: UnitID,
        count: Int,
        _ range: Range<Int>,
        _ db: Database,
        _ body: (Int, Outcome) -> Bool
    ) throws {
        let chunks = OutcomeChunks(unit: unit, count: count)
        guard try chunks.walk(range, db, body) else { throw unreadable(unit) }
    }

    private func unreadable(_ unit: UnitID) -> StateStoreError {
        damaged("the outcomes of unit \(unit.number) are not readable")
    }

    /// By how much the tally changes; an outcome that replaces another takes from its count.
    private func replace(
        _ outcomes: [UnitOutcome],
        of unit: UnitID,
        count: Int,
        _ db: Database
    ) throws -> OutcomeTally {
        var chunks = OutcomeChunks(unit: unit, count: count)
        var change = OutcomeTally()
        for new in outcomes {
            guard let before = try chunks.replace(new.index, with: new.outcome, db) else {
                throw unreadable(unit)
            }
            change[before] -= 1
            change[new.outcome] += 1
        }
        try chunks.save(db)
        return change
    }

    /// The released mark never goes down.
    private func add(
        _ change: OutcomeTally,
        released: Int,
        to unit: UnitID,
        _ db: Database
    ) throws {
        let values = [released] + change.values + [Int(unit.number)]
        try db.run(
            """
            UPDATE units SET released = max(released, ?), intended = intended + ?,
                accepted = accepted + ?, rejected = rejected + ?, unknown = unknown + ?,
                expired = expired + ?, suppressed = suppressed + ?, cancelled = cancelled + ?,
                returned = returned + ?
            WHERE id = ?
            """,
            StatementArguments(values)
        )
    }

    private func recordDetail(of outcome: UnitOutcome, in unit: UnitID, _ db: Database) throws {
        guard let detail = outcome.detail else {
            return try db.run(
                "DELETE FROM outcome_details WHERE unit = ? AND request = ?",
                [unit.number, outcome.index]
            )
        }
        try db.run(
            "INSERT OR REPLACE INTO outcome_details (unit, request, detail) VALUES (?, ?, ?)",
            [unit.number, outcome.index, detail]
        )
    }

    private func detail(of index: Int, in unit: UnitID, _ db: Database) throws -> String? {
        try db.row(
            "SELECT detail FROM outcome_details WHERE unit = ? AND request = ?",
            [unit.number, index]
        )?.decode(String.self, atIndex: 0)
    }
}
