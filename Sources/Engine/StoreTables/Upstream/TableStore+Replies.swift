import CampaignModel
import JSON
import State
import Time

/// Replies to messages of devices.
extension TableStore {
    /// Opens replies: the list, the unit with every request intended, and the occurrence.
    ///
    /// The caller records in the same transaction that the messages were acted on.
    func open(_ replies: RequestedReplies, in db: any StateDatabase) throws {
        let id = replies.occurrence
        let known = try db.row(
            "SELECT 1 FROM occurrences WHERE campaign = ? AND slot = ? AND revision = ?",
            arguments: id.arguments
        )
        guard known == nil else { return }
        try insert(replies.registrations, as: replies.list, in: db)
        let target = UnitTarget.registrations(replies.list).columns
        let unit = try db.insert(
            """
            INSERT INTO units (kind, target, count, intended, block) VALUES (?1, ?2, ?3, ?3, ?4)
            """,
            arguments: [target.kind, target.text, replies.registrations.count, StoredUnit.block]
        )
        let values: StatementValues = [
            OccurrenceStatus.dispatching.rawValue, replies.due.secondsSince1970,
            replies.message.compactText, replies.deduplicationKey, unit,
        ]
        // The run that sends them is not known yet. A rule replies only after an apply, which is a run.
        try db.run(
            """
            INSERT INTO occurrences (campaign, slot, revision, status, due, message,
                deduplication_key, unit, run)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT max(id) FROM runs))
            """,
            arguments: id.arguments + values
        )
    }

    private func insert(
        _ registrations: [Registration],
        as list: ListID,
        in db: any StateDatabase
    ) throws {
        let name = StoredList.randomName()
        let row = try db.insert(
            """
            INSERT INTO lists (digest, kind, columns, count, pending, name)
            VALUES (?, ?, '[]', ?, 0, ?)
            """,
            arguments: [
                list.text, RegistrationFile.Kind.token.rawValue, registrations.count, name,
            ]
        )
        var first = 0
        while first < registrations.count {
            let end = min(first + PackedRows.maximumCount, registrations.count)
            let rows = registrations[first..<end].map { RegistrationRow($0) }
            let values = try sealer.values(
                of: [PackedRows(rows, columns: 0)],
                in: name,
                from: first
            )
            for value in values { try db.insert(value, into: row) }
            first = end
        }
    }
}
