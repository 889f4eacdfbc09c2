import FoundationEssentials
import JSON
package import State
import Time

extension TableStore {
    package func chainHead() throws(StateStoreError) -> ChainHead {
        try read { db in
            let last = try lastLink(db)
            return ChainHead(count: last.number, hash: last.hash.hexadecimal)
        }
    }

    package func chainHead(at count: Int64) throws(StateStoreError) -> ChainHead? {
        try read { db in
            let hash = count == 0 ? try origin(db) : try link(count, in: db)
            return hash.map { ChainHead(count: count, hash: $0.hexadecimal) }
        }
    }

    package func restartChain() throws(StateStoreError) {
        try write { db in
            let old = try lastLink(db)
            try db.run("DELETE FROM chain")
            try beginChain(db, instead: "\(old.number)@\(old.hash.hexadecimal)")
        }
    }

    /// Raises the serial to one that was seen elsewhere; it never goes down.
    package func raiseSerial(to serial: StateSerial) throws(StateStoreError) {
        try write { db in
            try db.run(
                "UPDATE meta SET serial = ? WHERE serial < ?",
                arguments: [serial.number, serial.number]
            )
            guard try db.changes() == 1 else { return }
            try append(ChainEntry(.serial, row: ["serial": .integer(serial.number)]), in: db)
        }
    }

    package func note(_ deed: Worker) throws(StateStoreError) {
        try write { db in try note(deed, in: db) }
    }

    func note(_ deed: Worker, in db: any StateDatabase) throws {
        let row: JSONObject = [
            "command": .string(deed.command), "user": .string(deed.user),
            "host": .string(deed.host), "at": .integer(deed.since.secondsSince1970),
        ]
        try append(ChainEntry(.deed, row: row), in: db)
    }

    private func link(_ number: Int64, in db: any StateDatabase) throws -> Data? {
        try db.row("SELECT hash FROM chain WHERE number = ?", arguments: [number])?
            .decode(Data.self, atIndex: 0)
    }

    func origin(_ db: any StateDatabase) throws -> Data {
        guard let row = try db.row("SELECT lineage FROM meta") else {
            throw damaged("it has no lineage")
        }
        return ChainEntry.origin(lineage: try row.decode(String.self, atIndex: 0))
    }

    func lastLink(_ db: any StateDatabase) throws -> (number: Int64, hash: Data) {
        let row = try db.row("SELECT number, hash FROM chain ORDER BY number DESC LIMIT 1")
        guard let row else { return (0, try origin(db)) }
        return (try row.decode(Int64.self, atIndex: 0), try row.decode(Data.self, atIndex: 1))
    }
}

// MARK: - Within a transaction that writes the content of an entry

extension TableStore {
    /// Starts the chain with the current content if there is none; called before any change to
    /// chained content.
    ///
    /// `instead`: the head of the previous chain, which was not intact.
    func beginChain(_ db: any StateDatabase, instead: String? = nil) throws {
        guard try lastLink(db).number == 0 else { return }
        let runs = try db.row("SELECT coalesce(max(id), 0) FROM runs")?
            .decode(Int64.self, atIndex: 0)
        let start: JSONObject = [
            "runs": .integer(runs ?? 0),
            "pauses": .array(try standing(.pauses, in: db)),
            "resolutions": .array(try standing(.resolutions, in: db)),
            "instead": instead.map { .string($0) } ?? .null,
        ]
        try link(ChainEntry(.start, row: start), in: db)
    }

    private func standing(_ table: ChainedTable, in db: any StateDatabase) throws -> [JSONValue] {
        try table.rows(in: db).byKey.sorted { $0.key < $1.key }.map { .object($0.value) }
    }

    func append(_ entry: ChainEntry, in db: any StateDatabase) throws {
        try beginChain(db)
        try link(entry, in: db)
    }

    /// Adds a row in its current form.
    func append(_ kind: ChainEntry.Kind, of key: ChainedRowKey, in db: any StateDatabase) throws {
        guard let row = try key.table.row(at: key, in: db) else {
            throw failed("a row of the history is missing")
        }
        try append(ChainEntry(kind, of: key.run, row: row), in: db)
    }

    private func link(_ entry: ChainEntry, in db: any StateDatabase) throws {
        let last = try lastLink(db)
        let content = entry.content
        try db.run(
            "INSERT INTO chain (number, run, content, hash) VALUES (?, ?, ?, ?)",
            arguments: [
                last.number + 1, entry.run, content, ChainEntry.hash(content, after: last.hash),
            ]
        )
    }
}
