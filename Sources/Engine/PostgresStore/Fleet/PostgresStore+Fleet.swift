import CampaignModel
import Fleet
import FoundationEssentials
package import JSON
package import State
import StoreTables

// What the fleet gets from the record of an occurrence, and what returns to it. In between, the row of
// `units` has only what is merged.
extension PostgresStore: FleetLedger {
    package func entrust(_ requests: EntrustedRequests) throws(StateStoreError) {
        let omitted = OmittedBits.pack(allBut: requests.requests)
        try write { db in
            let plain = requests.terms.compactText
            let isSecret = requests.terms["message"]?.isEncryptedMessage ?? false
            let terms = isSecret ? try sealer.concealed(plain) : plain
            try db.run(
                """
                INSERT INTO fleet_occurrences
                    (unit, count, omitted, first_unit, due, priority, until, ready, unit_size, terms)
                SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM units WHERE id = ? AND count >= ?
                """,
                arguments: [
                    requests.end, omitted, Self.drawFirstUnit(), requests.turn.due,
                    requests.turn.priority, requests.until,
                    requests.window.map { Int64($0.end) } ?? .max, requests.window?.unitSize,
                    terms,
                    requests.unit.number, requests.end,
                ]
            )
            guard try db.changes() == 1 else {
                throw failed("unit \(requests.unit.number) has no such requests")
            }
        }
    }

    /// Draws the number of the first work unit.
    ///
    /// The numbers are never used again: a failover may bring back outcomes of work units that were merged.
    /// There is room for 4 million work units.
    private static func drawFirstUnit() -> Int { .random(in: 1..<1 << 40) << 22 }

    package func entrustedUnits() throws(StateStoreError) -> [UnitID] {
        try read { db in
            try db.allRows("SELECT unit FROM fleet_occurrences ORDER BY due, priority DESC, unit")
                .map { UnitID(number: try $0.decode(Int64.self, atIndex: 0)) }
        }
    }

    package func terms(ofEntrusted unit: UnitID) throws(StateStoreError) -> JSONValue? {
        try read { db in
            let row = try db.row(
                "SELECT terms FROM fleet_occurrences WHERE unit = ?",
                arguments: [unit.number]
            )
            guard let text = try row?.decode(String.self, atIndex: 0) else { return nil }
            guard let terms = JSONValue(parsing: try sealer.revealed(text)) else {
                throw damaged("the terms of unit \(unit.number) are not readable")
            }
            return terms
        }
    }

    package func allow(below end: Int, of unit: UnitID) throws(StateStoreError) {
        try write { db in
            try db.run(
                "UPDATE fleet_occurrences SET ready = ? WHERE unit = ? AND ready < ?",
                arguments: [end, unit.number, end]
            )
        }
    }

    package func recall(_ unit: UnitID) throws(StateStoreError) {
        try write { db in
            try db.run(
                "UPDATE fleet_occurrences SET recalled = 1 WHERE unit = ? AND recalled = 0",
                arguments: [unit.number]
            )
        }
    }

    /// Moves the outcomes of finished work units into the record of their occurrence.
    ///
    /// The outcomes, the tally, the details and the message IDs are then those that a single process
    /// would have recorded. The mark is the first request of the first work unit that is not merged.
    /// With the last one, the mark is the number of entrusted requests, and the occurrence leaves the
    /// fleet. Work units of a recalled occurrence are finished as soon as no living worker has them.
    ///
    /// - Throws: The problem with the server, or a damaged row.
    package func collect(from unit: UnitID) throws(StateStoreError) -> FleetCollection {
        let collection = try collectOutcomes(from: unit)
        if collection.isWhole {
            try write { db in
                try db.run("SELECT fleet_drop_partitions(?)", arguments: [unit.number])
            }
        }
        return collection
    }

    private func collectOutcomes(from unit: UnitID) throws(StateStoreError) -> FleetCollection {
        try write { db in
            let row = try db.row(
                """
                SELECT fleet_is_recalled(o), problem, held FROM fleet_occurrences o WHERE unit = ?
                """,
                arguments: [unit.number]
            )
            guard let row else { return FleetCollection([], isWhole: true) }
            if try row.decode(Bool.self, atIndex: 0) {
                if try removeUndivided(unit, in: db) {
                    return FleetCollection(
                        [],
                        isWhole: true,
                        problem: try row.decode(String?.self, atIndex: 1)
                    )
                }
                try withdraw(unit, in: db)
            }
            let stored = try stored(unit, in: db)
            var outcomes: [RequestOutcome] = []
            let parts = try finishedParts(of: stored, in: db)
            for part in parts {
                let own = try self.outcomes(of: part, in: db)
                _ = try record(own, released: nil, of: stored, in: db)
                try db.run("DELETE FROM work_units WHERE id = ?", arguments: [part.unit.id.number])
                outcomes += own
            }
            if !parts.isEmpty { try countIDs(of: stored, in: db) }
            return FleetCollection(
                outcomes,
                isWhole: try raiseMark(of: stored, after: !parts.isEmpty, in: db),
                problem: try row.decode(String?.self, atIndex: 1),
                isHeld: try row.decode(Bool.self, atIndex: 2)
            )
        }
    }

    /// Removes an occurrence that was not divided; returns false if it was.
    ///
    /// None of its requests was released, so that the mark and the outcomes stay as they are.
    private func removeUndivided(_ unit: UnitID, in db: any StateDatabase) throws -> Bool {
        try db.run(
            "DELETE FROM fleet_occurrences WHERE unit = ? AND state = 0",
            arguments: [unit.number]
        )
        return try db.changes() == 1
    }

    /// Finishes the work units that no living worker has.
    ///
    /// Work units that are not open need it, too: a failover can lose that they were opened, and a worker
    /// restores what it has sent.
    private func withdraw(_ unit: UnitID, in db: any StateDatabase) throws {
        try db.run(
            "UPDATE fleet_occurrences SET state = 2 WHERE unit = ? AND state = 1",
            arguments: [unit.number]
        )
        _ = try db.row(
            "SELECT fleet_withdraw(?, ?)",
            arguments: [unit.number, Int64.random(in: .min ... .max)]
        )
    }

    /// Reads which requests two workers may have sent after a failover, in order.
    ///
    /// - Throws: The problem with the server.
    package func possiblyDoubled(in unit: UnitID) throws(StateStoreError) -> [Range<Int>] {
        try read { db in
            try db.allRows(
                "SELECT first, count FROM fleet_doubled WHERE unit = ? ORDER BY first",
                arguments: [unit.number]
            ).map { row in
                let first = try row.decode(Int.self, atIndex: 0)
                return first..<first + (try row.decode(Int.self, atIndex: 1))
            }
        }
    }

    private struct FinishedPart {
        let unit: WorkUnit
        let history: UnitHistory
    }

    /// At most 16, because one transaction has them all in memory.
    private func finishedParts(
        of unit: StoredUnit,
        in db: any StateDatabase
    ) throws -> [FinishedPart] {
        let rows = try db.allRows(
            """
            SELECT id, first, count, omitted, released FROM work_units
            WHERE unit = ? AND finished = 1 ORDER BY id LIMIT 16 FOR UPDATE
            """,
            arguments: [unit.id.number]
        )
        return try rows.map { row in
            let first = try row.decode(Int.self, atIndex: 1)
            let count = try row.decode(Int.self, atIndex: 2)
            let part = WorkUnit(
                WorkUnitID(try row.decode(Int.self, atIndex: 0)),
                of: OccurrenceNumber(Int(unit.id.number)),
                requests: first..<first + count,
                omitted: OmittedBits.unpack(try row.decode(Data.self, atIndex: 3))
            )
            let log = try db.allRows(
                "SELECT attempt, first, outcomes FROM attempt_log WHERE unit = ? AND work_unit = ?",
                arguments: [unit.id.number, part.id.number]
            )
            let history = UnitHistory(
                of: part,
                mark: try row.decode(Int.self, atIndex: 4),
                try log.map { try AttemptBlock($0, from: 0) }
            )
            return FinishedPart(unit: part, history: history)
        }
    }

    /// Takes the details out of their table, because `record` stores them as for a single process.
    private func outcomes(
        of part: FinishedPart,
        in db: any StateDatabase
    ) throws -> [RequestOutcome] {
        let first = part.unit.first
        let rows = try db.allRows(
            """
            DELETE FROM outcome_details WHERE unit = ? AND request >= ? AND request < ?
            RETURNING request, detail
            """,
            arguments: [part.unit.occurrence.number, first, first + part.unit.count]
        )
        var details: [Int: String] = [:]
        for row in rows {
            let request = try row.decode(Int.self, atIndex: 0)
            details[request] = try row.decode(String.self, atIndex: 1)
        }
        return (0..<part.unit.count).compactMap { request in
            guard !part.unit.omits(request) else { return nil }
            return RequestOutcome(
                index: first + request,
                outcome: part.history.last(of: request).map(Outcome.init) ?? .returned,
                detail: details[first + request]
            )
        }
    }

    private func countIDs(of unit: StoredUnit, in db: any StateDatabase) throws {
        try db.run(
            """
            UPDATE units SET ids = (
                SELECT coalesce(sum(length(entries)), 0) FROM message_ids WHERE unit = ?1)
            WHERE id = ?1 AND ids IS NOT NULL
            """,
            arguments: [unit.id.number]
        )
    }

    /// Returns whether the occurrence has left the fleet.
    ///
    /// `isChanged`: whether work units are merged. Otherwise nothing is written while some are left.
    private func raiseMark(
        of unit: StoredUnit,
        after isChanged: Bool,
        in db: any StateDatabase
    ) throws -> Bool {
        let next = try db.row(
            "SELECT min(first) FROM work_units WHERE unit = ?",
            arguments: [unit.id.number]
        )
        var mark = try next?.decode(Int?.self, atIndex: 0)
        var hasLeft = false
        guard isChanged || mark == nil else { return false }
        if mark == nil {
            let left = try db.row(
                """
                WITH whole AS (DELETE FROM fleet_occurrences WHERE unit = ? AND state = 2 RETURNING count)
                SELECT count FROM whole
                """,
                arguments: [unit.id.number]
            )
            mark = try left?.decode(Int.self, atIndex: 0)
            hasLeft = left != nil
            // It is not divided yet.
            if !hasLeft, !isChanged { return false }
        }
        try db.run(
            "UPDATE units SET released = greatest(released, ?) WHERE id = ?",
            arguments: [mark ?? 0, unit.id.number]
        )
        return hasLeft
    }
}

extension Outcome {
    /// The outcome of a request with this last attempt.
    ///
    /// A finished unit has no other attempts than accepted, rejected and unknown ones, unless a failover
    /// brought back a part of its history.
    fileprivate init(_ attempt: AttemptOutcome) {
        switch attempt {
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .returned, .refused: self = .returned
        case .unknown, .released: self = .unknown
        }
    }
}
