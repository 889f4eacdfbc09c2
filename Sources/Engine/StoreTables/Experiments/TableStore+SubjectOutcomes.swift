import CampaignModel
import FoundationEssentials
package import State
import Time

extension TableStore {
    package func record(_ outcomes: [SubjectOutcome]) throws(StateStoreError) -> Int {
        try write { db in
            var count = 0
            for outcome in outcomes {
                try db.run(
                    """
                    INSERT INTO subject_outcomes (unit, event, name, arm, subject, at, value)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """,
                    arguments: [
                        outcome.unit.number, outcome.event.blob, outcome.name, Int(outcome.arm),
                        Int64(bitPattern: outcome.subject), outcome.time.secondsSince1970,
                        outcome.value,
                    ]
                )
                count += try db.changes()
            }
            return count
        }
    }

    package func outcomes(of units: [UnitID]) throws(StateStoreError) -> [OutcomeSummary] {
        guard !units.isEmpty else { return [] }
        return try read { db in
            let rows = try db.allRows(
                """
                SELECT name, count(*), count(value), min(at), max(at) FROM subject_outcomes
                WHERE unit IN (\(Self.list(of: units))) GROUP BY name ORDER BY name
                """
            )
            return try rows.map { row in
                OutcomeSummary(
                    name: try row.decode(String.self, atIndex: 0),
                    events: try row.decode(Int.self, atIndex: 1),
                    values: try row.decode(Int.self, atIndex: 2),
                    first: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 3)),
                    last: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 4))
                )
            }
        }
    }

    package func sums(
        of outcome: String,
        in units: [UnitID],
        after last: UInt64?,
        limit: Int
    ) throws(StateStoreError) -> [SubjectSum] {
        guard !units.isEmpty else { return [] }
        return try read { db in
            let rows = try db.allRows(
                """
                SELECT subject, sum(coalesce(value, 0.0)) FROM subject_outcomes
                WHERE name = ? AND subject \(last == nil ? ">=" : ">") ?
                    AND unit IN (\(Self.list(of: units)))
                GROUP BY subject ORDER BY subject LIMIT ?
                """,
                arguments: [
                    outcome, last.map { Int64(bitPattern: $0) } ?? .min, max(0, limit),
                ]
            )
            return try rows.map { row in
                SubjectSum(
                    subject: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0)),
                    value: try row.decode(Double.self, atIndex: 1)
                )
            }
        }
    }

    /// The numbers of units in a statement; numbers need no parameters.
    private static func list(of units: [UnitID]) -> String {
        units.map { String($0.number) }.joined(separator: ", ")
    }

    /// Erases the outcomes of subjects that have no row of a record any longer.
    ///
    /// `rest`: the record without the erased rows.
    func forgetOutcomes(
        of subjects: [UInt64],
        butOf rest: ListPeople,
        at number: Int64,
        in db: any StateDatabase
    ) throws {
        var erased = Set(subjects)
        for key in rest.keys where !erased.isEmpty { erased.remove(key) }
        for subject in erased {
            try db.run(
                """
                DELETE FROM subject_outcomes
                WHERE subject = ? AND unit IN (SELECT unit FROM exposures WHERE people = ?)
                """,
                arguments: [Int64(bitPattern: subject), number]
            )
        }
    }
}
