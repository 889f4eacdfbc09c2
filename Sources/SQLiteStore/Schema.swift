import GRDB

/// The tables of the state, as steps from one format to the next.
///
/// A step that was released is never changed; it may be followed by another.
enum Schema {
    /// `Hrld` in the header of the file (SQLite documentation, `PRAGMA application_id`).
    static let applicationID = 0x4872_6C64
    static let formatVersion = steps.count

    /// Brings a state of whatever format, also an empty database, to the newest one.
    static func upgrade(_ db: Database) throws {
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        for step in steps.dropFirst(format) { try db.execute(sql: step) }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(formatVersion)")
    }

    private static let steps = [format1]

    private static let format1 = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            lineage TEXT NOT NULL,
            serial INTEGER NOT NULL,
            fingerprint_key BLOB NOT NULL CHECK (length(fingerprint_key) = 32)
        ) STRICT;

        -- status: RunStatus; moments: seconds since 1970
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            status INTEGER NOT NULL,
            command TEXT NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL,
            process INTEGER NOT NULL,
            began INTEGER NOT NULL,
            ended INTEGER,
            intended INTEGER NOT NULL DEFAULT 0,
            accepted INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            unknown INTEGER NOT NULL DEFAULT 0,
            expired INTEGER NOT NULL DEFAULT 0,
            suppressed INTEGER NOT NULL DEFAULT 0,
            cancelled INTEGER NOT NULL DEFAULT 0,
            returned INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- content: JSON
        CREATE TABLE definitions (
            campaign TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            run INTEGER NOT NULL REFERENCES runs
        ) STRICT, WITHOUT ROWID;

        -- kind: 0 a topic, 1 a condition, 2 a list by its digest; the tally adds up to count
        CREATE TABLE units (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            target TEXT NOT NULL,
            count INTEGER NOT NULL,
            released INTEGER NOT NULL DEFAULT 0 CHECK (released BETWEEN 0 AND count),
            intended INTEGER NOT NULL CHECK (intended >= 0),
            accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted >= 0),
            rejected INTEGER NOT NULL DEFAULT 0 CHECK (rejected >= 0),
            unknown INTEGER NOT NULL DEFAULT 0 CHECK (unknown >= 0),
            expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0),
            suppressed INTEGER NOT NULL DEFAULT 0 CHECK (suppressed >= 0),
            cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
            returned INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0),
            CHECK (
                intended + accepted + rejected + unknown + expired + suppressed + cancelled
                    + returned = count)
        ) STRICT;

        -- status: OccurrenceStatus; message: JSON
        CREATE TABLE occurrences (
            campaign TEXT NOT NULL,
            slot TEXT NOT NULL,
            revision INTEGER NOT NULL,
            status INTEGER NOT NULL,
            due INTEGER NOT NULL,
            message TEXT,
            unit INTEGER UNIQUE REFERENCES units,
            run INTEGER NOT NULL REFERENCES runs,
            PRIMARY KEY (campaign, slot, revision)
        ) STRICT, WITHOUT ROWID;

        -- outcomes: one byte a request, an Outcome; a chunk that is missing is all intended
        CREATE TABLE outcome_chunks (
            unit INTEGER NOT NULL REFERENCES units,
            chunk INTEGER NOT NULL,
            outcomes BLOB NOT NULL,
            PRIMARY KEY (unit, chunk)
        ) STRICT;

        CREATE TABLE outcome_details (
            unit INTEGER NOT NULL REFERENCES units,
            request INTEGER NOT NULL,
            detail TEXT NOT NULL,
            PRIMARY KEY (unit, request)
        ) STRICT, WITHOUT ROWID;

        -- pending: stored for an occurrence that has not been opened yet
        CREATE TABLE lists (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            count INTEGER NOT NULL,
            pending INTEGER NOT NULL
        ) STRICT;

        -- registrations: as text, a line each
        CREATE TABLE list_chunks (
            list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
            first INTEGER NOT NULL,
            count INTEGER NOT NULL,
            registrations BLOB NOT NULL,
            PRIMARY KEY (list, first)
        ) STRICT;

        -- members: how many rows of memberships have this scope
        CREATE TABLE scopes (
            id INTEGER PRIMARY KEY,
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            members INTEGER NOT NULL DEFAULT 0 CHECK (members >= 0),
            UNIQUE (topic, audience)
        ) STRICT;

        -- fingerprint: 16 bytes, the highest first; status: MembershipStatus
        CREATE TABLE memberships (
            scope INTEGER NOT NULL REFERENCES scopes,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            registration TEXT NOT NULL,
            status INTEGER NOT NULL,
            detail TEXT,
            PRIMARY KEY (scope, fingerprint)
        ) STRICT, WITHOUT ROWID;
        """
}
