import GRDB
import StoreTables

/// The tables of an inbox next to a state.
enum InboxSchema {
    /// `HrIn` in the header of the file (SQLite documentation, `PRAGMA application_id`).
    static let applicationID = 0x4872_496E
    /// In the header too; another format is refused.
    static let formatVersion = 1

    /// Creates the tables in an empty database.
    static func create(_ db: Database, name: String, lineage: String, isSealed: Bool) throws {
        try db.execute(sql: tables)
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(formatVersion)")
        try db.run(
            "INSERT INTO inbox_meta (id, name, lineage, sealed) VALUES (1, ?, ?, ?)",
            arguments: [name, lineage, isSealed ? 1 : 0]
        )
    }

    private static let tables = """
        -- name: random; lineage: of the state that acts on the messages; sealed: 1 if messages are
        -- encrypted with the state's keys; last: the highest number that was given to a message;
        -- acted: a run has recorded the effects of messages up to this number; conflicts: messages
        -- that had the ID of another one
        CREATE TABLE inbox_meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            lineage TEXT NOT NULL,
            sealed INTEGER NOT NULL CHECK (sealed IN (0, 1)),
            last INTEGER NOT NULL DEFAULT 0,
            acted INTEGER NOT NULL DEFAULT 0,
            conflicts INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- identity, content: keyed hashes, see InboxHasher; fingerprint: of the registration;
        -- received: seconds since 1970; transport: an UpstreamTransport; message: a StoredMessage;
        -- checksum: of these bytes
        CREATE TABLE inbox (
            number INTEGER PRIMARY KEY,
            identity BLOB NOT NULL UNIQUE CHECK (length(identity) = 16),
            content BLOB NOT NULL CHECK (length(content) = 16),
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            received INTEGER NOT NULL,
            transport INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            message BLOB NOT NULL
        ) STRICT;

        CREATE INDEX inbox_times ON inbox (received);
        """
}
