import CampaignModel
package import State
package import Time

extension TableStore {
    package func compact(
        finishedBefore limit: Instant,
        at now: Instant
    ) throws(StateStoreError) -> Int {
        let old = try read { db in try finished(before: limit, at: now, in: db) }
        guard !old.isEmpty else { return 0 }
        try write { db in
            for (occurrence, unit) in old {
                try db.dropOutcomes(of: unit)
                try db.run(
                    "DELETE FROM outcome_details WHERE unit = ?",
                    arguments: [unit.number]
                )
                try db.run(
                    "UPDATE units SET ids = NULL, compacted = ? WHERE id = ?",
                    arguments: [now.secondsSince1970, unit.number]
                )
                try dropListNobodyNeeds(of: occurrence, in: db)
            }
        }
        removeFiles(of: old.map(\.1))
        return old.count
    }

    /// Returns the occurrences whose requests all had their final outcomes by then, according to the
    /// runs that sent them, and whose outcomes no frequency cap counts any longer.
    private func finished(
        before limit: Instant,
        at now: Instant,
        in db: any StateDatabase
    ) throws -> [(OccurrenceID, UnitID)] {
        let rows = try db.rows(
            """
            SELECT o.campaign, o.slot, o.revision, units.id
            FROM occurrences AS o JOIN units ON units.id = unit
            WHERE compacted IS NULL AND o.status IN (?1, ?2) AND hold IS NULL AND due < ?3
                AND NOT EXISTS (
                    SELECT 1 FROM contact_windows AS w WHERE w.unit = units.id AND begins >= ?4)
                AND units.unknown = 0 AND units.intended = 0 AND units.returned = 0
                AND NOT EXISTS (
                    SELECT 1 FROM runs WHERE coalesce(ended, began) >= ?3 AND (
                        id = o.run OR id IN (
                            SELECT s.run FROM run_sendings AS s
                            WHERE s.campaign = o.campaign AND s.slot = o.slot
                                AND s.revision = o.revision)))
            """,
            arguments: [
                OccurrenceStatus.finished.rawValue, OccurrenceStatus.cancelled.rawValue,
                limit.secondsSince1970,
                now.advanced(bySeconds: -ContactWindow.lifetime).secondsSince1970,
            ]
        )
        var found: [(OccurrenceID, UnitID)] = []
        while let row = try rows.next() {
            let unit = UnitID(number: try row.decode(Int64.self, atIndex: 3))
            found.append((try occurrenceID(row, from: 0), unit))
        }
        return found
    }
}
