package import JSON
package import State
import Time

extension TableStore {
    package func archivedPlan(_ digest: String) throws(StateStoreError) -> ArchivedPlan? {
        try read { db in
            let row = try db.row(
                "SELECT serial, made, \"user\", host, content FROM plans WHERE digest = ?",
                arguments: [digest]
            )
            return try row.map { try plan(from: $0, digest: digest) }
        }
    }

    private func plan(from row: any StoredRow, digest: String) throws -> ArchivedPlan {
        guard let content = JSONValue(stored: try row.decode(String.self, atIndex: 4)) else {
            throw damaged("a stored plan is not JSON")
        }
        return ArchivedPlan(
            digest: digest,
            serial: StateSerial(number: try row.decode(Int64.self, atIndex: 0)),
            made: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 1)),
            user: try row.decode(String.self, atIndex: 2),
            host: try row.decode(String.self, atIndex: 3),
            content: content
        )
    }

    package func keep(_ plan: ArchivedPlan) throws(StateStoreError) {
        let content = plan.content.compactText
        try write { db in
            try db.run("DELETE FROM plans WHERE digest = ?", arguments: [plan.digest])
            try db.run(
                """
                INSERT INTO plans (digest, serial, made, "user", host, size, content)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                arguments: [
                    plan.digest, plan.serial.number, plan.made.secondsSince1970, plan.user,
                    plan.host, content.utf8.count, content,
                ]
            )
            try dropOldPlans(db)
        }
    }

    package func keep(environment: JSONValue) throws(StateStoreError) {
        try write { db in
            try db.run("UPDATE meta SET environment = ?", arguments: [environment.compactText])
        }
    }

    private func dropOldPlans(_ db: any StateDatabase) throws {
        try db.run(
            """
            DELETE FROM plans
            WHERE id NOT IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS size
                        FROM plans WINDOW newest AS (ORDER BY id DESC)) AS ranked
                    WHERE place = 1 OR place <= ? AND size <= ?)
                AND digest NOT IN (
                    SELECT digest FROM runs WHERE digest IS NOT NULL
                    GROUP BY digest HAVING count(CASE WHEN status = ? THEN 1 END) = 0)
            """,
            arguments: [ArchivedPlan.limit, ArchivedPlan.sizeLimit, RunStatus.complete.rawValue]
        )
    }
}
