import CampaignModel
import FoundationEssentials
import PostgresClient
package import State
import StoreTables
import Synchronization

/// A list that is being stored: in memory and then, if it is long, by COPY on a separate connection.
///
/// A class, because it is appended to while its list is read, and kept later.
final class PostgresListDraft: ListDraft {
    private let store: PostgresStore
    private let shape: ListShape
    /// The list's name in its encrypted values.
    private let name = StoredList.randomName()
    private let content = Mutex(Content())

    /// The bytes of the longest list that is stored with other statements.
    private static let maximumHeld = 1 << 18

    private struct Content {
        var chunks: [ListValue] = []
        var count = 0
        var held = 0
        /// Nil while all values are in memory.
        var copied: ListCopies.Draft?
        /// Why nothing more can be stored.
        var failure: StateStoreError?
    }

    init(of shape: ListShape, in store: PostgresStore) {
        self.shape = shape
        self.store = store
    }

    deinit {
        if let copied = content.withLock({ $0.copied }) { store.copies.drop(copied) }
    }

    func append(_ rows: [PackedRows]) {
        content.withLock { content in
            guard content.failure == nil else { return }
            do {
                try append(rows, to: &content)
            } catch {
                content.failure = StateStoreError(postgres: error, path: store.path)
            }
        }
    }

    private func append(_ rows: [PackedRows], to content: inout Content) throws {
        for value in try store.sealer.values(of: rows, in: name, from: content.count) {
            content.chunks.append(value)
            content.count += value.count
            content.held += value.bytes.count
        }
        guard content.held > Self.maximumHeld else { return }
        let copied = try content.copied ?? store.copies.begin(head(count: 0))
        content.copied = copied
        try store.copies.append(content.chunks, to: copied)
        (content.chunks, content.held) = ([], 0)
    }

    private func head(count: Int) -> ListHead { ListHead(name: name, shape: shape, count: count) }

    func keep(as list: ListID) async throws(StateStoreError) {
        let (kept, failure) = content.withLock { content -> (KeptDraft?, StateStoreError?) in
            if let failure = content.failure { return (nil, failure) }
            let head = head(count: content.count)
            guard let copied = content.copied else {
                return (KeptDraft(head: head, values: content.chunks, copied: nil), nil)
            }
            do {
                try store.copies.append(content.chunks, to: copied)
                try store.copies.finish(copied, count: content.count)
            } catch {
                return (nil, StateStoreError(postgres: error, path: store.path))
            }
            return (KeptDraft(head: head, values: [], copied: copied.row), nil)
        }
        if let failure { throw failure }
        if let kept { try await store.keep(kept, as: list) }
    }
}

/// A draft that becomes a list of the state.
struct KeptDraft: Sendable {
    let head: ListHead
    /// The values that are not stored yet.
    let values: [ListValue]
    /// The row that has the values; nil if there is none yet.
    let copied: Int64?
}

extension PostgresStore {
    nonisolated package func draftList(_ shape: ListShape) -> any ListDraft {
        PostgresListDraft(of: shape, in: self)
    }

    func keep(_ draft: KeptDraft, as list: ListID) throws(StateStoreError) {
        try write { db in
            if try keepUsed(list, in: db) {
                if let row = draft.copied {
                    try db.run("DELETE FROM lists WHERE id = ?", arguments: [row])
                }
                return
            }
            try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
            if let row = draft.copied {
                try db.run(
                    "UPDATE lists SET digest = ?, pending = 1 WHERE id = ?",
                    arguments: [list.text, row]
                )
                guard try db.changes() == 1 else { throw failed("the list was dropped") }
                return
            }
            let row = try db.insert(
                """
                INSERT INTO lists (digest, kind, columns, count, pending, name)
                VALUES (?, ?, ?, ?, 1, ?)
                """,
                arguments: [
                    list.text, draft.head.shape.kind.rawValue, draft.head.columns,
                    draft.head.count, draft.head.name,
                ]
            )
            for value in draft.values { try db.insert(value, into: row) }
        }
    }
}
