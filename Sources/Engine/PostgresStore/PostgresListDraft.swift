import CampaignModel
import FoundationEssentials
import JSON
import PostgresClient
package import State
import StoreTables
import Synchronization

/// A list that is being stored: in memory and then, if it is long, by COPY on a separate connection.
///
/// Its transaction is open until the list is kept. A class, because it is appended to while its list
/// is read, and kept later.
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
        var copy: ListCopy?
        /// Why nothing more can be stored.
        var failure: StateStoreError?
    }

    init(of shape: ListShape, in store: PostgresStore) {
        self.shape = shape
        self.store = store
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
        let copy = try content.copy ?? ListCopy(of: head(count: 0), at: store.place)
        content.copy = copy
        try copy.append(content.chunks)
        (content.chunks, content.held) = ([], 0)
    }

    private func head(count: Int) -> ListHead { ListHead(name: name, shape: shape, count: count) }

    func keep(as list: ListID) async throws(StateStoreError) {
        let (kept, failure) = content.withLock { content -> (KeptDraft?, StateStoreError?) in
            if let failure = content.failure { return (nil, failure) }
            let head = head(count: content.count)
            guard let copy = content.copy else {
                return (KeptDraft(head: head, values: content.chunks, copied: nil), nil)
            }
            do {
                try copy.append(content.chunks)
                try copy.finish(count: content.count)
            } catch {
                return (nil, StateStoreError(postgres: error, path: store.path))
            }
            return (KeptDraft(head: head, values: [], copied: copy.row), nil)
        }
        if let failure { throw failure }
        if let kept { try await store.keep(kept, as: list) }
    }
}

/// The row of `lists` for a draft.
struct ListHead: Sendable {
    let name: String
    let shape: ListShape
    let count: Int

    /// The names of the columns as JSON.
    var columns: String { JSONValue.array(shape.columns.map(JSONValue.string)).compactText }
}

/// A draft that becomes a list of the state.
struct KeptDraft: Sendable {
    let head: ListHead
    /// The values that are not stored yet.
    let values: [ListValue]
    /// The row that has the values; nil if there is none yet.
    let copied: Int64?
}

/// The values of a long list on their way into the table.
///
/// A class, because it owns the connection.
private final class ListCopy {
    let row: Int64
    private let copy: PostgresCopy
    private let schema: String

    /// A list may be read for hours before the next value.
    private static let patience = Duration.seconds(75)

    init(of head: ListHead, at place: PostgresPlace) throws(PostgresError) {
        // Far above the numbers that the table chooses.
        row = Int64.random(in: 1 << 40..<1 << 62)
        schema = place.schema
        let values = [
            "\(row)", Self.literal("draft-" + head.name), Self.literal(head.shape.kind.rawValue),
            Self.literal(head.columns), "0", "1", Self.literal(head.name),
        ]
        copy = try PostgresCopy(
            to: place.address,
            after: [
                "BEGIN", "SET LOCAL synchronous_commit = on", "SET LOCAL statement_timeout = 0",
                "SET LOCAL lock_timeout = '5s'",
                "SET LOCAL idle_in_transaction_session_timeout = '\(PostgresIdleLimit.store.rawValue)'",
                """
                INSERT INTO \(place.schema).lists (id, digest, kind, columns, count, pending, name)
                VALUES (\(values.joined(separator: ", ")))
                """,
            ],
            into: "\(place.schema).list_chunks (list, first, count, checksum, registrations)",
            within: PostgresLimit.patience(Self.patience)
        )
    }

    func append(_ values: [ListValue]) throws(PostgresError) {
        try copy.append(
            values.map { value in
                [
                    .integer(row), .integer(Int64(value.first)), .integer(Int64(value.count)),
                    .integer(value.checksum), .bytes(Data(value.bytes)),
                ]
            },
            within: PostgresLimit.patience(Self.patience)
        )
    }

    /// Makes the values durable; a list with this name is dropped at the end of the next run unless
    /// it is kept.
    func finish(count: Int) throws(PostgresError) {
        try copy.finish(
            with: ["UPDATE \(schema).lists SET count = \(count) WHERE id = \(row)", "COMMIT"],
            within: PostgresLimit.patience(Self.patience)
        )
    }

    /// A text in quotes (PostgreSQL documentation, String Constants with C-Style Escapes).
    private static func literal(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "E'\(escaped)'"
    }
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
