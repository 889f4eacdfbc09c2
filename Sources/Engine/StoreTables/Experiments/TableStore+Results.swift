import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func fix(
        _ plan: ResultPlan,
        of result: ResultName
    ) throws(StateStoreError) -> ResultPlan {
        try write { db in
            try db.run(
                """
                INSERT INTO result_plans (campaign, experiment, outcome, content)
                VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                arguments: StatementValues(result.key + [plan.stored.compactText])
            )
            return try fixedPlan(of: result, in: db) ?? plan
        }
    }

    package func plan(of result: ResultName) throws(StateStoreError) -> ResultPlan? {
        try read { db in try fixedPlan(of: result, in: db) }
    }

    private func fixedPlan(
        of result: ResultName,
        in db: any StateDatabase
    ) throws -> ResultPlan? {
        let row = try db.row(
            """
            SELECT content FROM result_plans
            WHERE campaign = ? AND experiment = ? AND outcome = ?
            """,
            arguments: StatementValues(result.key)
        )
        guard let row else { return nil }
        let content = JSONValue(stored: try row.decode(String.self, atIndex: 0))
        guard let plan = content.flatMap({ ResultPlan(stored: $0) }) else {
            throw damaged("the plan of an experiment's result cannot be read")
        }
        return plan
    }

    package func record(
        _ look: ResultLook,
        of result: ResultName
    ) throws(StateStoreError) {
        try write { db in
            let content = look.content.compactText
            let last = try db.row(
                """
                SELECT content FROM result_looks
                WHERE campaign = ? AND experiment = ? AND outcome = ? ORDER BY at DESC LIMIT 1
                """,
                arguments: StatementValues(result.key)
            )
            if try last?.decode(String.self, atIndex: 0) == content { return }
            try db.run(
                """
                INSERT INTO result_looks (campaign, experiment, outcome, at, content)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (campaign, experiment, outcome, at)
                DO UPDATE SET content = excluded.content
                """,
                arguments: StatementValues(result.key + [look.time.secondsSince1970, content])
            )
        }
    }

    package func looks(of result: ResultName) throws(StateStoreError) -> [ResultLook] {
        try read { db in
            let rows = try db.allRows(
                """
                SELECT at, content FROM result_looks
                WHERE campaign = ? AND experiment = ? AND outcome = ? ORDER BY at
                """,
                arguments: StatementValues(result.key)
            )
            return try rows.map { row in
                let content = JSONValue(stored: try row.decode(String.self, atIndex: 1))
                guard let content else { throw damaged("a look at a result cannot be read") }
                return ResultLook(
                    time: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 0)),
                    content: content
                )
            }
        }
    }
}

extension ResultName {
    fileprivate var key: [any StatementConvertible] { [campaign.rawValue, experiment, outcome] }
}
