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
        return pauses + (try pausesForRecalls(besides: pauses, in: db))
    }

    /// Occurrences in progress that are taken back pause their campaigns until they have ended.
    private func pausesForRecalls(
        besides pauses: [Pause],
        in db: any StateDatabase
    ) throws -> [Pause] {
        var known = Set(pauses.map(\.scope))
        var found: [Pause] = []
        let rows = try db.rows(
            """
            SELECT recalls.campaign, recalls.slot, recalls.revision, recalls.due, recalls.recall
            FROM occurrences AS sent JOIN occurrences AS recalls
                ON recalls.campaign = sent.campaign
                AND recalls.slot = '\(Slot.recallMark)' || sent.slot
                AND recalls.revision = sent.revision
            WHERE sent.status = \(OccurrenceStatus.dispatching.rawValue)
                AND recalls.recall IS NOT NULL
            """
        )
        while let row = try rows.next() {
            let id = try occurrenceID(row, from: 0)
            let scope = PauseScope.campaign(id.campaign)
            guard known.insert(scope).inserted else { continue }
            let author = try recallAuthor(try row.decode(String.self, atIndex: 4), of: id)
            found.append(
                Pause(
                    scope: scope,
                    since: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 3)),
                    user: author.user,
                    host: author.host
                )
            )
        }
        return found
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
