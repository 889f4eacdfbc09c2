import CampaignModel
import FoundationEssentials
import GRDB
import JSON
package import State
import StoreTables
import Synchronization

extension SQLiteStore {
    nonisolated package func draftList(_ shape: ListShape) -> any ListDraft {
        StoredListDraft(of: shape, in: self)
    }

    /// Returns the file of the present drafts, which is created if there is none.
    nonisolated func listFile() throws(StateStoreError) -> ListFile {
        try draftFile.withLock { (draft) throws(StateStoreError) in
            if let file = draft.file { return file }
            let file = try ListFile(in: lists)
            draft.file = file
            return file
        }
    }

    func keep(_ draft: DraftedList, as list: ListID) throws(StateStoreError) {
        try writeRows { db in
            guard try !keepUsed(list, in: session(db)) else { return }
            try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
            let row = try insert(draft, as: list, in: db)
            for chunk in draft.chunks { try chunk.insert(into: row, in: db) }
        }
        try readRows { sweepLists(neededBy: $0) }
    }

    private func insert(_ draft: DraftedList, as list: ListID, in db: Database) throws -> Int64 {
        let columns = JSONValue.array(draft.shape.columns.map(JSONValue.string)).compactText
        try db.run(
            """
            INSERT INTO lists (digest, kind, columns, count, pending, name, file)
            VALUES (?, ?, ?, ?, 1, ?, ?)
            """,
            arguments: [
                list.text, draft.shape.kind.rawValue, columns, draft.count, draft.name, draft.file,
            ]
        )
        return db.lastInsertedRowID
    }

    /// Removes the files of lists that the state does not need; if that is not possible, a later
    /// writer does it.
    func sweepLists(neededBy db: Database) {
        let sql = "SELECT file FROM lists WHERE file IS NOT NULL"
        guard let needed = try? String.fetchSet(db, sql: sql) else { return }
        lists.sweep(keeping: needed)
    }
}

extension DraftedChunk {
    /// Adds the chunk to a list.
    func insert(into list: Int64, in db: Database) throws {
        var values: StatementArguments = [list, first, count, checksum]
        switch place {
        case .memory(let value): values += [nil, nil, Data(value)]
        case .file(let start, let length): values += [start, length, nil]
        }
        try db.run(
            """
            INSERT INTO list_chunks (list, first, count, checksum, start, length, registrations)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            arguments: values
        )
    }
}
