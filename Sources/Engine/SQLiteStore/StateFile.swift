import CampaignModel
import FoundationEssentials
import GRDB
import State
import StoreTables
import Text

/// Creates a new state.
///
/// The file is created under another name and then renamed. Processes that open a state find a
/// complete one, and an empty file is a damaged state, never a new one.
enum StateFile {
    static func isMissing(_ path: String) throws(StateStoreError) -> Bool {
        guard try Files.isMissing(path) else { return false }
        let hasLog = (Files.size(of: path + "-wal") ?? 0) > 0
        // Between the two checks, another process may have created the state.
        if hasLog, try Files.isMissing(path) {
            throw .damaged(path: path, reason: "only its write-ahead log exists")
        }
        return true
    }

    static func create(
        _ path: String,
        key: StateKey?,
        randomBytes: (Int) -> [UInt8]
    ) throws(StateStoreError) {
        let draft = "\(path).new-\(Hexadecimal.text(of: randomBytes(4)))"
        try StatePlace.checkFolder(of: path)
        try Files.makeFolder(Files.parent(of: path))
        do throws(StateStoreError) {
            try createDraft(draft, lineage: nil, key: key, randomBytes: randomBytes)
        } catch {
            throw error.at(path)
        }
        try Files.publish(draft, as: path)
    }

    /// Creates a state under a name that no other process uses.
    static func createDraft(
        _ draft: String,
        lineage: StateLineage?,
        key: StateKey?,
        randomBytes: (Int) -> [UInt8]
    ) throws(StateStoreError) {
        let identity = try identity(lineage: lineage, key: key, randomBytes: randomBytes)
        try Files.makeDraft(draft, of: draft)
        do {
            try fill(draft, with: identity)
        } catch {
            Files.remove(draft)
            throw StateStoreError(error, path: draft)
        }
    }

    /// Returns a lineage and keys; without a lineage, those of a new state.
    static func identity(
        lineage: StateLineage?,
        key: StateKey?,
        randomBytes: (Int) -> [UInt8]
    ) throws(StateStoreError) -> StatementArguments {
        let lineage = lineage?.text ?? Hexadecimal.text(of: randomBytes(16))
        let fingerprintKey = FingerprintKey(bytes: randomBytes(32))
        do {
            let keys = try key.map {
                try StateVault(dataKey: randomBytes(32), fingerprintKey: fingerprintKey)
                    .wrapped(under: $0, lineage: lineage)
            }
            return [lineage, keys == nil ? Data(fingerprintKey.bytes) : nil, keys]
        } catch {
            throw .failed(path: lineage, reason: "its keys cannot be encrypted")
        }
    }

    static func insert(_ identity: StatementArguments, into db: Database) throws {
        try db.run(
            """
            INSERT INTO meta (id, serial, lineage, fingerprint_key, keys) VALUES (1, 0, ?, ?, ?)
            """,
            arguments: identity
        )
    }

    private static func fill(_ draft: String, with identity: StatementArguments) throws {
        let queue = try DatabaseQueue(
            path: Connection.plainName(draft),
            configuration: Connection.configuration()
        )
        try queue.writeWithoutTransaction { db in
            try db.immediately { db in
                try Schema.create(db)
                try insert(identity, into: db)
            }
            // Persistent: it is written into the file's header.
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }
}
