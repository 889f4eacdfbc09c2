import Foundation
import GRDB

/// A state in format 1, with its tables and rows as literal text, so that no later change of the
/// store affects them.
enum FormerState {
    static func make(at path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        let file = try DatabaseQueue(path: path)
        try file.writeWithoutTransaction { db in
            try db.execute(sql: tables)
            try db.execute(sql: rows)
            try db.execute(sql: "PRAGMA application_id = 1215458404; PRAGMA user_version = 1")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try file.close()
    }

    /// An occurrence with 5,000 requests, interrupted at 64: in chunks of 4,096, request 1
    /// rejected, 4,096 unknown.
    private static let rows = """
        INSERT INTO meta VALUES (1, '00112233445566778899aabbccddeeff', 7, zeroblob(32));
        INSERT INTO runs (id, status, command, user, host, process, began, ended, accepted)
        VALUES (3, 1, 'apply', 'ada', 'desk', 4711, 1800000000, 1800000009, 2);
        INSERT INTO definitions VALUES ('sale', '{"title":"Now"}', 3);
        INSERT INTO units (id, kind, target, count, released, intended, rejected, unknown)
        VALUES (2, 0, 'news', 5000, 4097, 4998, 1, 1);
        INSERT INTO occurrences VALUES ('sale', 'once', 1, 1, 1800003600, '{"a":"b"}', 2, 3);
        INSERT INTO outcome_chunks VALUES
            (2, 0, CAST(x'0002' || zeroblob(4094) AS BLOB)),
            (2, 1, CAST(x'03' || zeroblob(903) AS BLOB));
        INSERT INTO outcome_details VALUES (2, 1, 'UNREGISTERED'), (2, 4096, 'cut off');
        INSERT INTO scopes VALUES (1, 'all', 'news', 1);
        INSERT INTO memberships VALUES (1, zeroblob(16), 'SECRET:device-0', 1, NULL);
        """

    private static let tables = """
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
