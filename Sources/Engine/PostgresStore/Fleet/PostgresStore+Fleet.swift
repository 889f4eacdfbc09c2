import CampaignModel
import Fleet
import FoundationEssentials
package import State
import StoreTables

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

// What the fleet gets from the record of an occurrence, and what returns to it. In between, the row of
// `units` has only what is merged.
extension PostgresStore {
    /// Lets the fleet send an occurrence; until it is merged, nothing else may send or recover it.
    ///
    /// - Parameters:
    ///   - unit: The requests of the occurrence; none of them is released.
    ///   - omitted: The requests that caps, arms and stages leave out, in order, whose outcomes the
    ///     caller has recorded.
    ///   - turn: Where it is in the order of the occurrences.
    /// - Throws: `.failed` if a request was released or the fleet has the occurrence, or the problem with
    ///   the server.
    package func entrust(
        _ unit: UnitID,
        omitting omitted: [Int],
        turn: FleetTurn
    ) throws(StateStoreError) {
        // The numbers of an occurrence's work units are never used again.
        try write { db in
            try db.run(
                """
                INSERT INTO fleet_occurrences (unit, count, omitted, first_unit, due, priority)
                SELECT id, count, ?, id << 31, ?, ? FROM units WHERE id = ? AND released = 0
                """,
                arguments: [OmittedBits.pack(omitted), turn.due, turn.priority, unit.number]
            )
            guard try db.changes() == 1 else {
                throw failed("unit \(unit.number) is not there or was released")
            }
        }
    }

    /// Moves the outcomes of finished work units into the record of their occurrence.
    ///
    /// The outcomes, the tally, the details and the message IDs are then those that a single process
    /// would have recorded. The mark is the first request of the first work unit that is not merged.
    /// With the last one, the mark is the number of requests, and the occurrence leaves the fleet.
    ///
    /// - Returns: Whether nothing of the occurrence is left in the fleet.
    /// - Throws: The problem with the server, or a damaged row.
    package func mergeWorkUnits(of unit: UnitID) throws(StateStoreError) -> Bool {
        try write { db in
            let stored = try stored(unit, in: db)
            let parts = try finishedParts(of: stored, in: db)
            for part in parts {
                let outcomes = try outcomes(of: part, in: db)
                _ = try record(outcomes, released: nil, of: stored, in: db)
                try db.run("DELETE FROM work_units WHERE id = ?", arguments: [part.unit.id.number])
            }
            if !parts.isEmpty { try countIDs(of: stored, in: db) }
            return try raiseMark(of: stored, in: db)
        }
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
            part.history.last(of: request).map { last in
                RequestOutcome(
                    index: first + request,
                    outcome: Outcome(last),
                    detail: details[first + request]
                )
            }
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
    private func raiseMark(of unit: StoredUnit, in db: any StateDatabase) throws -> Bool {
        let next = try db.row(
            "SELECT min(first) FROM work_units WHERE unit = ?",
            arguments: [unit.id.number]
        )
        var mark = try next?.decode(Int?.self, atIndex: 0)
        let hasLeft: Bool
        if mark == nil {
            try db.run(
                "DELETE FROM fleet_occurrences WHERE unit = ? AND state = 2",
                arguments: [unit.id.number]
            )
            hasLeft = try db.changes() == 1
            if hasLeft { mark = unit.count }
        } else {
            hasLeft = false
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
