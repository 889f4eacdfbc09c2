import CampaignModel
package import State
import Time

extension TableStore {
    package func lastChanges() throws(StateStoreError) -> LastChanges {
        try read { db in
            LastChanges(
                occurrences: try lastChangesOfOccurrences(in: db),
                definitions: try lastChangesOfDefinitions(in: db)
            )
        }
    }

    /// A run that continued a send changed its outcomes, but not the row of the occurrence.
    private func lastChangesOfOccurrences(
        in db: any StateDatabase
    ) throws -> [OccurrenceID: LastChange] {
        var changes: [OccurrenceID: LastChange] = [:]
        let rows = try db.rows(
            """
            SELECT campaign, slot, revision, runs.id, COALESCE(runs.ended, runs.began)
            FROM occurrences JOIN runs ON runs.id = \(db.dialect.greatest)(
                occurrences.run,
                COALESCE(
                    (
                        SELECT max(run) FROM run_sendings AS sending
                        WHERE sending.campaign = occurrences.campaign
                            AND sending.slot = occurrences.slot
                            AND sending.revision = occurrences.revision
                    ),
                    0
                )
            )
            """
        )
        while let row = try rows.next() {
            changes[try occurrenceID(row, from: 0)] = try lastChange(row, from: 3)
        }
        return changes
    }

    private func lastChangesOfDefinitions(
        in db: any StateDatabase
    ) throws -> [CampaignID: LastChange] {
        var changes: [CampaignID: LastChange] = [:]
        let rows = try db.rows(
            """
            SELECT campaign, runs.id, COALESCE(runs.ended, runs.began)
            FROM definitions JOIN runs ON runs.id = definitions.run
            """
        )
        while let row = try rows.next() {
            changes[try campaign(row, at: 0)] = try lastChange(row, from: 1)
        }
        return changes
    }

    private func lastChange(_ row: any StoredRow, from column: Int) throws -> LastChange {
        LastChange(
            run: RunID(number: try row.decode(Int64.self, atIndex: column)),
            moment: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: column + 1))
        )
    }
}
