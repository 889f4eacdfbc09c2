import CampaignModel
import FoundationEssentials
package import Inbox
package import State
package import Time

/// The statements of an inbox, which SQLite and PostgreSQL have in common.
///
/// Every transaction that stores messages first changes the row of `inbox_meta`. These transactions
/// therefore run one after the other, and messages become visible in the order of their numbers.
package struct InboxTables: Sendable {
    let hasher: InboxHasher
    package let vault: StateVault?
    /// Names the inbox in errors.
    let path: String

    package init(hasher: InboxHasher, vault: StateVault?, path: String) {
        self.hasher = hasher
        self.vault = vault
        self.path = path
    }

    var sealer: ContentSealer { ContentSealer(vault: vault, path: path) }

    /// Stores messages; see `InboxStore`.
    package func store(
        _ messages: [UpstreamMessage],
        in db: any StateDatabase
    ) throws -> [InboxResult] {
        try db.run("UPDATE inbox_meta SET last = last + ?", arguments: [messages.count])
        let meta = try meta(in: db)
        let drafts = messages.map { Draft($0, hasher: hasher) }
        let unique = Self.unique(drafts)
        let first = meta.last - Int64(messages.count) + 1
        let inserted = try insert(unique.map { drafts[$0] }, of: meta.name, from: first, in: db)
        let others = Set(unique.map { drafts[$0].identity }).subtracting(inserted)
        let stored = try contents(of: others, in: db)
        let results = Self.results(of: drafts, inserted: inserted, stored: stored)
        let conflicts = results.count { $0 == .conflictingContent }
        if conflicts > 0 {
            try db.run("UPDATE inbox_meta SET conflicts = conflicts + ?", arguments: [conflicts])
        }
        return results
    }

    /// The messages after a position; see `InboxStore`.
    package func messages(
        after position: InboxPosition?,
        limit: Int,
        in db: any StateDatabase
    ) throws -> [InboxMessage] {
        let name = try meta(in: db).name
        let rows = try db.allRows(
            """
            SELECT message, checksum, number, fingerprint, received, transport FROM inbox
            WHERE number > ? ORDER BY number LIMIT ?
            """,
            arguments: [position?.inbox == name ? position?.number : 0, limit]
        )
        return try rows.map { try message($0, of: name) }
    }

    package func confirm(upTo position: InboxPosition, in db: any StateDatabase) throws {
        try db.run(
            "UPDATE inbox_meta SET acted = ? WHERE name = ? AND acted < ?",
            arguments: [position.number, position.inbox, position.number]
        )
    }

    package func confirmed(in db: any StateDatabase) throws -> Int64 {
        guard let row = try db.row("SELECT acted FROM inbox_meta") else { throw lacksMeta }
        return try row.decode(Int64.self, atIndex: 0)
    }

    package func removeMessages(before time: Instant, in db: any StateDatabase) throws -> Int {
        try db.run(
            """
            DELETE FROM inbox
            WHERE received < ? AND number <= (SELECT acted FROM inbox_meta)
            """,
            arguments: [time.secondsSince1970]
        )
        return try db.changes()
    }

    package func summary(in db: any StateDatabase) throws -> InboxSummary {
        let row = try db.row(
            """
            SELECT name, conflicts, (SELECT count(*) FROM inbox),
                (SELECT count(*) FROM inbox WHERE number > acted)
            FROM inbox_meta
            """
        )
        guard let row else { throw lacksMeta }
        return InboxSummary(
            inbox: try row.decode(String.self, atIndex: 0),
            stored: try row.decode(Int.self, atIndex: 2),
            waiting: try row.decode(Int.self, atIndex: 3),
            conflicts: try row.decode(Int.self, atIndex: 1)
        )
    }

    private func meta(in db: any StateDatabase) throws -> (name: String, last: Int64) {
        guard let row = try db.row("SELECT name, last FROM inbox_meta") else { throw lacksMeta }
        return (
            try row.decode(String.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1)
        )
    }

    private var lacksMeta: StateStoreError {
        .damaged(path: path, reason: "the inbox has no name")
    }
}

// MARK: - Storing

extension InboxTables {
    /// A message with what the inbox compares.
    private struct Draft {
        let message: UpstreamMessage
        let identity: Fingerprint
        let content: Fingerprint
        let sender: Fingerprint

        init(_ message: UpstreamMessage, hasher: InboxHasher) {
            self.message = message
            identity = hasher.identity(of: message)
            content = hasher.content(of: message)
            sender = hasher.fingerprint(of: message.registration)
        }
    }

    /// The places of the first message with each identity.
    private static func unique(_ drafts: [Draft]) -> [Int] {
        var seen = Set<Fingerprint>(minimumCapacity: drafts.count)
        return drafts.indices.filter { seen.insert(drafts[$0].identity).inserted }
    }

    /// Rows of one statement: few texts of statements are prepared once.
    private static let sizes = [64, 16, 4, 1]

    /// Inserts messages with different identities, and returns the identities that were new.
    private func insert(
        _ drafts: [Draft],
        of inbox: String,
        from first: Int64,
        in db: any StateDatabase
    ) throws -> Set<Fingerprint> {
        var inserted = Set<Fingerprint>(minimumCapacity: drafts.count)
        var place = 0
        while place < drafts.count {
            let size = Self.sizes.first { $0 <= drafts.count - place } ?? 1
            var values: [StatementValue] = []
            values.reserveCapacity(size * 8)
            for index in place..<place + size {
                values += try row(of: drafts[index], in: inbox, number: first + Int64(index))
            }
            for row in try db.allRows(Self.insertion(of: size), arguments: StatementValues(values))
            {
                inserted.insert(try Self.fingerprint(row, at: 0, path: path))
            }
            place += size
        }
        return inserted
    }

    private static func insertion(of size: Int) -> String {
        let row = "(?, ?, ?, ?, ?, ?, ?, ?)"
        let rows = Array(repeating: row, count: size).joined(separator: ", ")
        return """
            INSERT INTO inbox (
                number, identity, content, fingerprint, received, transport, checksum, message)
            VALUES \(rows) ON CONFLICT (identity) DO NOTHING RETURNING identity
            """
    }

    private func row(
        of draft: Draft,
        in inbox: String,
        number: Int64
    ) throws -> [StatementValue] {
        let place = SealedPlace.message(inbox: inbox, number: number)
        let bytes = try sealer.seal(Data(StoredMessage(draft.message).bytes), at: place)
        return [
            .integer(number), .blob(draft.identity.blob), .blob(draft.content.blob),
            .blob(draft.sender.blob),
            .integer(draft.message.arrival.time.secondsSince1970),
            .integer(Int64(draft.message.arrival.transport.rawValue)),
            .integer(Checksum.of(bytes)), .blob(bytes),
        ]
    }

    /// The content of stored messages, by identity.
    private func contents(
        of identities: Set<Fingerprint>,
        in db: any StateDatabase
    ) throws -> [Fingerprint: Fingerprint] {
        guard !identities.isEmpty else { return [:] }
        let rows = try db.rows(
            "SELECT identity, content FROM inbox WHERE",
            arguments: [],
            where: "identity",
            isAmong: identities.map { .blob($0.blob) }
        )
        var found: [Fingerprint: Fingerprint] = [:]
        for row in rows {
            let identity = try Self.fingerprint(row, at: 0, path: path)
            found[identity] = try Self.fingerprint(row, at: 1, path: path)
        }
        return found
    }

    private static func results(
        of drafts: [Draft],
        inserted: Set<Fingerprint>,
        stored: [Fingerprint: Fingerprint]
    ) -> [InboxResult] {
        var known = stored
        return drafts.map { draft in
            if let content = known[draft.identity] {
                return content == draft.content ? .duplicate : .conflictingContent
            }
            known[draft.identity] = draft.content
            return inserted.contains(draft.identity) ? .stored : .duplicate
        }
    }
}

// MARK: - Reading

extension InboxTables {
    private func message(_ row: any StoredRow, of inbox: String) throws -> InboxMessage {
        let number = try row.decode(Int64.self, atIndex: 2)
        let damage = StateStoreError.damaged(path: path, reason: "message \(number) is damaged")
        guard row.isWhole else { throw damage }
        let place = SealedPlace.message(inbox: inbox, number: number)
        let bytes = try sealer.open(try row.decode(Data.self, atIndex: 0), at: place)
        let rawTransport = try row.decode(UInt8.self, atIndex: 5)
        guard let transport = UpstreamTransport(rawValue: rawTransport) else { throw damage }
        let time = Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 4))
        let arrival = UpstreamArrival(at: time, over: transport)
        guard let message = StoredMessage.message(Array(bytes), arrival: arrival) else {
            throw damage
        }
        return InboxMessage(
            position: InboxPosition(inbox: inbox, number: number),
            fingerprint: try Self.fingerprint(row, at: 3, path: path),
            message: message
        )
    }

    private static func fingerprint(
        _ row: any StoredRow,
        at column: Int,
        path: String
    ) throws -> Fingerprint {
        guard let value = Fingerprint(blob: try row.decode(Data.self, atIndex: column)) else {
            throw StateStoreError.damaged(path: path, reason: "a hash of the inbox has no 16 bytes")
        }
        return value
    }
}

extension InboxTables {
    /// Seals all messages of a plain inbox, after the state was encrypted.
    package func sealMessages(in db: any StateDatabase) throws {
        let name = try meta(in: db).name
        let rows = try db.rows("SELECT number, message FROM inbox ORDER BY number")
        while let row = try rows.next() {
            let number = try row.decode(Int64.self, atIndex: 0)
            let plain = try row.decode(Data.self, atIndex: 1)
            let sealed = try sealer.seal(plain, at: .message(inbox: name, number: number))
            try db.run(
                "UPDATE inbox SET message = ?, checksum = ? WHERE number = ?",
                arguments: [sealed, Checksum.of(sealed), number]
            )
        }
    }
}
