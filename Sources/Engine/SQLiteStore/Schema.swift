import GRDB

/// The tables of the state, as steps from one format to the next.
///
/// A released step never changes; later steps may follow.
enum Schema {
    /// `Hrld` in the header of the file (SQLite documentation, `PRAGMA application_id`).
    static let applicationID = 0x4872_6C64
    static let formatVersion = steps.count

    /// Upgrades a state of any format, or an empty database, to a later format (default: the
    /// newest).
    static func upgrade(_ db: Database, to last: Int = formatVersion) throws {
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        for step in steps.prefix(last).dropFirst(format) { try db.execute(sql: step) }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(last)")
    }

    private static let steps = [
        format1, format2 + membershipCounts,
        origins + plans + guards + encryption + chain + compaction + transport
            + deviceGroups,
    ]

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

    private static let format2 = """
        ALTER TABLE runs ADD COLUMN cause TEXT;
        -- moments: seconds since 1970
        ALTER TABLE definitions ADD COLUMN slots_after INTEGER;
        ALTER TABLE occurrences ADD COLUMN deduplication_key TEXT;
        -- hold: a Hold
        ALTER TABLE occurrences ADD COLUMN hold TEXT;
        -- block: how many outcomes a row of outcome_chunks has
        ALTER TABLE units ADD COLUMN block INTEGER NOT NULL DEFAULT 4096 CHECK (block > 0);
        -- ids: how many bytes of the unit's file of message ids are committed; NULL where none are kept
        ALTER TABLE units ADD COLUMN ids INTEGER CHECK (ids >= 0);
        -- checksum: of the value beside it; NULL in what format 1 wrote
        ALTER TABLE outcome_chunks ADD COLUMN checksum INTEGER;
        ALTER TABLE list_chunks ADD COLUMN checksum INTEGER;
        -- joined: the last join
        ALTER TABLE scopes ADD COLUMN joined INTEGER;

        -- campaign: empty for everything
        CREATE TABLE pauses (
            campaign TEXT PRIMARY KEY,
            since INTEGER NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- resolution: a Resolution; unknown: how many requests it is about
        CREATE TABLE resolutions (
            id INTEGER PRIMARY KEY,
            campaign TEXT NOT NULL,
            slot TEXT NOT NULL,
            revision INTEGER NOT NULL,
            resolution INTEGER NOT NULL,
            unknown INTEGER NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL,
            at INTEGER NOT NULL,
            UNIQUE (campaign, slot, revision)
        ) STRICT;

        -- what a run added to the outcomes of an occurrence; problems: JSON, the first of a kind
        CREATE TABLE run_sendings (
            run INTEGER NOT NULL REFERENCES runs,
            campaign TEXT NOT NULL,
            slot TEXT NOT NULL,
            revision INTEGER NOT NULL,
            intended INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            rejected INTEGER NOT NULL,
            unknown INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            suppressed INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            returned INTEGER NOT NULL,
            repeated INTEGER NOT NULL,
            problems TEXT NOT NULL,
            PRIMARY KEY (run, campaign, slot, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE run_memberships (
            run INTEGER NOT NULL REFERENCES runs,
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            joins INTEGER NOT NULL,
            leaves INTEGER NOT NULL,
            refusals INTEGER NOT NULL,
            PRIMARY KEY (run, audience, topic)
        ) STRICT, WITHOUT ROWID;

        -- registrations that FCM called dead
        CREATE TABLE dead (
            fingerprint BLOB PRIMARY KEY CHECK (length(fingerprint) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Number of memberships of a scope per status, because a summary must not read a million rows.
    private static let membershipCounts = """

        CREATE TABLE scope_counts (
            scope INTEGER NOT NULL REFERENCES scopes,
            status INTEGER NOT NULL,
            members INTEGER NOT NULL CHECK (members >= 0),
            PRIMARY KEY (scope, status)
        ) STRICT, WITHOUT ROWID;

        INSERT INTO scope_counts
        SELECT scope, status, count(*) FROM memberships GROUP BY scope, status;

        CREATE TRIGGER membership_added AFTER INSERT ON memberships BEGIN
            INSERT INTO scope_counts VALUES (new.scope, new.status, 1)
            ON CONFLICT DO UPDATE SET members = members + 1;
        END;

        CREATE TRIGGER membership_changed AFTER UPDATE OF status ON memberships
        WHEN old.status <> new.status BEGIN
            UPDATE scope_counts SET members = members - 1
            WHERE scope = old.scope AND status = old.status;
            INSERT INTO scope_counts VALUES (new.scope, new.status, 1)
            ON CONFLICT DO UPDATE SET members = members + 1;
        END;

        CREATE TRIGGER membership_gone AFTER DELETE ON memberships BEGIN
            UPDATE scope_counts SET members = members - 1
            WHERE scope = old.scope AND status = old.status;
        END;
        """
}
