import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func request(_ recall: RequestedRecall) throws(StateStoreError) -> Bool {
        try write { db in
            let id = recall.occurrence
            let sent = try db.row(
                "\(Self.occurrenceQuery) WHERE campaign = ? AND slot = ? AND revision = ?",
                arguments: id.arguments
            ).map(occurrence)
            guard let sent, let unit = sent.unit else { throw failed("\(id) has not begun") }
            guard try insert(recall, in: db) else { return false }
            // From now on, the list is in use.
            if case .registrations(let list) = unit.target {
                try takeList(list, of: unit.count, in: db)
            }
            try note(recall.worker, in: db)
            return true
        }
    }

    /// Returns false if the recall was already requested.
    private func insert(_ recall: RequestedRecall, in db: any StateDatabase) throws -> Bool {
        let author = RecallAuthor(user: recall.worker.user, host: recall.worker.host)
        let values: StatementValues = [
            OccurrenceStatus.scheduled.rawValue, recall.worker.since.secondsSince1970,
            recall.message.compactText, author.stored.compactText,
        ]
        let id = recall.occurrence
        try db.run(
            """
            INSERT INTO occurrences (campaign, slot, revision, status, due, message,
                deduplication_key, recall, run)
            SELECT campaign, '\(Slot.recallMark)' || slot, revision, ?, ?, ?, deduplication_key, ?, run
            FROM occurrences WHERE campaign = ? AND slot = ? AND revision = ?
            ON CONFLICT (campaign, slot, revision) DO NOTHING
            """,
            arguments: values + id.arguments
        )
        return try db.changes() == 1
    }
}
