package import CampaignModel
package import State

extension TableStore {
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
            let others = found.filter { $0.stored.detail == nil }.map(\.index)
            let details = try details(of: others, in: unit, on: db)
            return found.map { index, stored in
                RequestOutcome(
                    index: index,
                    outcome: outcome,
                    detail: stored.detail ?? details[index]
                )
            }
        }
    }
}

extension TableStore {
    /// Records outcomes and, if given, raises the released mark.
    ///
    /// - Returns: Why message IDs could not be stored; nil if they were stored.
    package func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: StoredUnit,
        in db: any StateDatabase
    ) throws -> StateStoreError? {
        guard (0...unit.count).contains(released ?? 0) else { throw beyond(unit) }
        let change = try replace(outcomes, of: unit, in: db)
        try add(change, released: released ?? 0, to: unit.id, in: db)
        try countCapped(outcomes, of: unit.id, in: db)
        return try keepIDs(of: outcomes, in: unit, on: db)
    }

    func outcomes(
        of unit: StoredUnit,
        in range: Range<Int>,
        on db: any StateDatabase
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
        on db: any StateDatabase
    ) throws -> [Int] {
        try requests(in: unit, with: outcome, limit: limit, on: db).map(\.index)
    }

    private func requests(
        in unit: StoredUnit,
        with outcome: Outcome,
        limit: Int,
        on db: any StateDatabase
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
        in db: any StateDatabase,
        body: (Int, StoredOutcome) -> Bool
    ) throws {
        guard !unit.isCompacted else {
            throw failed("the outcomes of unit \(unit.id.number) were compacted")
        }
        guard try db.walkOutcomes(of: unit, over: range, body: body) else {
            throw unreadable(unit)
        }
    }

    package func beyond(_ unit: StoredUnit) -> StateStoreError {
        failed("unit \(unit.id.number) has only \(unit.count) requests")
    }

    package func unreadable(_ unit: StoredUnit) -> StateStoreError {
        damaged("the outcomes of unit \(unit.id.number) cannot be read")
    }

    /// Replaces outcomes and their details, and returns the change of the tally, including the
    /// replaced outcomes.
    func replace(
        _ outcomes: [RequestOutcome],
        of unit: StoredUnit,
        in db: any StateDatabase
    ) throws -> OutcomeTally {
        for new in outcomes {
            guard (0..<unit.count).contains(new.index) else { throw beyond(unit) }
        }
        guard let before = try db.replaceOutcomes(outcomes, of: unit) else {
            throw unreadable(unit)
        }
        var change = OutcomeTally()
        for (new, before) in zip(outcomes, before) {
            change[before] -= 1
            change[new.outcome] += 1
            let detail = StoredOutcome(new).detail == nil ? new.detail : nil
            try replaceDetail(of: new, with: detail, before: before, in: unit.id, on: db)
        }
        return change
    }

    /// A suppressed request has no later outcome, so it is counted once.
    private func countCapped(
        _ outcomes: [RequestOutcome],
        of unit: UnitID,
        in db: any StateDatabase
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
        in db: any StateDatabase
    ) throws {
        var values = [released]
        let greatest = db.dialect.greatest
        var sql = "UPDATE units SET commits = commits + 1, released = \(greatest)(released, ?)"
        for (outcome, addition) in zip(Outcome.allCases, OutcomeTally.additions)
        where change[outcome] != 0 {
            values.append(change[outcome])
            sql += addition
        }
        values.append(Int(unit.number))
        try db.run(sql + " WHERE id = ?", arguments: StatementValues(values))
    }

    /// Replaces a detail; most requests have none before or after, and cost nothing here.
    ///
    /// `detail`: nil if there is none, or if the stored outcome has it.
    private func replaceDetail(
        of new: RequestOutcome,
        with detail: String?,
        before: Outcome,
        in unit: UnitID,
        on db: any StateDatabase
    ) throws {
        if let detail, new.outcome != .intended {
            try db.run(
                """
                INSERT INTO outcome_details (unit, request, detail) VALUES (?, ?, ?)
                ON CONFLICT (unit, request) DO UPDATE SET detail = excluded.detail
                """,
                arguments: [unit.number, new.index, detail]
            )
        } else if before != .intended {
            try db.run(
                "DELETE FROM outcome_details WHERE unit = ? AND request = ?",
                arguments: [unit.number, new.index]
            )
        }
    }

    private func details(
        of requests: [Int],
        in unit: UnitID,
        on db: any StateDatabase
    ) throws -> [Int: String] {
        let rows = try db.rows(
            "SELECT request, detail FROM outcome_details WHERE unit = ? AND",
            arguments: [unit.number],
            where: "request",
            isAmong: requests.map { .integer(Int64($0)) }
        )
        var details: [Int: String] = [:]
        for row in rows {
            details[try row.decode(Int.self, atIndex: 0)] =
                try row.decode(String.self, atIndex: 1)
        }
        return details
    }
}
