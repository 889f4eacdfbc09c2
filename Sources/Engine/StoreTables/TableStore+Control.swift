import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func pauses() throws(StateStoreError) -> [Pause] {
        try read { db in try pauses(in: db) }
    }

    package func pause(_ pause: Pause) throws(StateStoreError) -> Bool {
        try write { db in try add(pause, in: db) }
    }

    /// Returns false if that scope is paused already.
    package func add(_ pause: Pause, in db: any StateDatabase) throws -> Bool {
        try beginChain(db)
        try db.run(
            """
            INSERT INTO pauses (campaign, since, "user", host) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            arguments: [
                pause.scope.column, pause.since.secondsSince1970, pause.user, pause.host,
            ]
        )
        guard try db.changes() == 1 else { return false }
        try append(.pause, of: ChainedRowKey(in: .pauses, at: [pause.scope.column]), in: db)
        return true
    }

    package func liftPause(_ lifted: Pause) throws(StateStoreError) -> Bool {
        try write { db in
            try beginChain(db)
            try db.run("DELETE FROM pauses WHERE campaign = ?", arguments: [lifted.scope.column])
            guard try db.changes() == 1 else { return false }
            let row: JSONObject = [
                "campaign": .string(lifted.scope.column),
                "since": .integer(lifted.since.secondsSince1970),
                "user": .string(lifted.user), "host": .string(lifted.host),
            ]
            try append(ChainEntry(.lift, row: row), in: db)
            return true
        }
    }

    func pauses(in db: any StateDatabase) throws -> [Pause] {
        var pauses: [Pause] = []
        let rows = try db.rows(
            "SELECT campaign, since, \"user\", host FROM pauses ORDER BY campaign"
        )
        while let row = try rows.next() {
            let isEverything = try row.decode(String.self, atIndex: 0).isEmpty
            pauses.append(
                Pause(
                    scope: isEverything ? .everything : .campaign(try campaign(row, at: 0)),
                    since: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 1)),
                    user: try row.decode(String.self, atIndex: 2),
                    host: try row.decode(String.self, atIndex: 3)
                )
            )
        }
        return pauses
    }
}

extension PauseScope {
    fileprivate var column: String {
        switch self {
        case .everything: ""
        case .campaign(let campaign): campaign.rawValue
        }
    }
}
