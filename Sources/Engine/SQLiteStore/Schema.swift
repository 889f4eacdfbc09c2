import GRDB
import State
import StoreTables

/// The tables of the state, as steps from one format to the next.
///
/// A released step never changes; later steps may follow.
enum Schema {
    /// `Hrld` in the header of the file (SQLite documentation, `PRAGMA application_id`).
    static let applicationID = 0x4872_6C64
    /// In the header too; another format is refused.
    static let formatVersion = 1

    /// Creates the tables in an empty database.
    static func create(_ db: Database) throws {
        for tables in [
            identity, campaigns, ledger, contacts, experiments, lists, memberships, upstream,
            control,
            history,
        ] {
            try db.execute(sql: tables)
        }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(formatVersion)")
    }

    private static let identity = """
        -- fingerprint_key: NULL if keys contains it; keys: a StateVault, wrapped;
        -- moved: where the whole state is, NULL while it is in use;
        -- unswept: 1 while pages may contain what was there before it was encrypted or erased;
        -- project_id: as FCM knows it, NULL before the first apply;
        -- membership_transport: a MembershipTransport that FCM made necessary, NULL before;
        -- environment: JSON, its settings at the last apply, NULL before;
        -- approvals: JSON, an ApprovalPolicy, NULL if plans need none
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            lineage TEXT NOT NULL,
            serial INTEGER NOT NULL,
            fingerprint_key BLOB CHECK (length(fingerprint_key) = 32),
            keys BLOB CHECK ((keys IS NULL) = (fingerprint_key IS NOT NULL)),
            moved TEXT,
            unswept INTEGER NOT NULL DEFAULT 0 CHECK (unswept IN (0, 1)),
            project_id TEXT,
            membership_transport TEXT,
            environment TEXT,
            approvals TEXT
        ) STRICT;

        -- times here and below: seconds since 1970
        -- status: RunStatus; dirty: 0 or 1; digest: of the reviewed plan;
        -- bypasses: a JSON array of strings; approvals: a JSON array of RecordedApproval;
        -- serial: the state's from the run's beginning on, NULL of a run whose row was lost
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            status INTEGER NOT NULL,
            command TEXT NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL,
            process INTEGER NOT NULL,
            began INTEGER NOT NULL,
            ended INTEGER,
            cause TEXT,
            commit_id TEXT,
            dirty INTEGER,
            ci_run TEXT,
            ci_actor TEXT,
            digest TEXT,
            bypasses TEXT NOT NULL DEFAULT '[]',
            approvals TEXT NOT NULL DEFAULT '[]',
            serial INTEGER,
            intended INTEGER NOT NULL DEFAULT 0,
            accepted INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            unknown INTEGER NOT NULL DEFAULT 0,
            expired INTEGER NOT NULL DEFAULT 0,
            suppressed INTEGER NOT NULL DEFAULT 0,
            cancelled INTEGER NOT NULL DEFAULT 0,
            returned INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE INDEX running_runs ON runs (id) WHERE status = \(RunStatus.running.rawValue);
        """

    private static let campaigns = """
        -- content: JSON; slots_after: a rule makes only later slots, and a single time that is
        -- earlier is due then, because its revision was raised; sending: JSON, the whole
        -- campaign, NULL if only a run with the files can send it; list: the digest of the list
        -- that it is sent to, NULL without one; reviewed: 1 if its apply named the reviewed plan
        CREATE TABLE definitions (
            campaign TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            slots_after INTEGER,
            sending TEXT,
            list TEXT,
            reviewed INTEGER NOT NULL DEFAULT 0 CHECK (reviewed IN (0, 1)),
            run INTEGER NOT NULL REFERENCES runs
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX defined_lists ON definitions (list) WHERE list IS NOT NULL;

        -- status: OccurrenceStatus; message: JSON; hold: a Hold; objective: NULL without one;
        -- reached: seconds from the due time until the share of the objective was accepted;
        -- rollout: JSON, a RolloutRecord, NULL without one; recall: JSON, a RecallAuthor, NULL unless it
        -- takes another occurrence back; kept: until when its list is kept for a recall, NULL if it is not
        CREATE TABLE occurrences (
            campaign TEXT NOT NULL,
            slot TEXT NOT NULL,
            revision INTEGER NOT NULL,
            status INTEGER NOT NULL,
            due INTEGER NOT NULL,
            message TEXT,
            deduplication_key TEXT,
            hold TEXT,
            objective TEXT,
            reached INTEGER CHECK (reached >= 0),
            rollout TEXT,
            recall TEXT,
            kept INTEGER,
            unit INTEGER UNIQUE REFERENCES units,
            run INTEGER NOT NULL REFERENCES runs,
            PRIMARY KEY (campaign, slot, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX occurrence_statuses ON occurrences (status);
        CREATE INDEX kept_lists ON occurrences (kept) WHERE kept IS NOT NULL;
        CREATE INDEX open_recalls ON occurrences (campaign)
            WHERE recall IS NOT NULL AND status < \(OccurrenceStatus.finished.rawValue);

        -- id: rises with each plan that is kept; digest: 40 hexadecimal digits, of the content;
        -- serial: of the state that it was made from; content: JSON; size: its bytes
        CREATE TABLE plans (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest TEXT NOT NULL UNIQUE,
            serial INTEGER NOT NULL,
            made INTEGER NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL,
            size INTEGER NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        """

    private static let ledger = """
        -- kind: 0 a topic, 1 a condition, 2 a list by its digest, 3 a device group;
        -- block: how many outcomes a row of outcome_chunks has; ids: how many bytes of the unit's
        -- file of message ids are committed, NULL if none are kept; compacted: when single outcomes
        -- were dropped, NULL while they are there; capped: how many of the suppressed ones are so
        -- because of the frequency cap; the tally adds up to count
        CREATE TABLE units (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            target TEXT NOT NULL,
            count INTEGER NOT NULL,
            block INTEGER NOT NULL CHECK (block > 0),
            ids INTEGER CHECK (ids >= 0),
            compacted INTEGER,
            commits INTEGER NOT NULL DEFAULT 0,
            released INTEGER NOT NULL DEFAULT 0 CHECK (released BETWEEN 0 AND count),
            intended INTEGER NOT NULL CHECK (intended >= 0),
            accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted >= 0),
            rejected INTEGER NOT NULL DEFAULT 0 CHECK (rejected >= 0),
            unknown INTEGER NOT NULL DEFAULT 0 CHECK (unknown >= 0),
            expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0),
            suppressed INTEGER NOT NULL DEFAULT 0 CHECK (suppressed >= 0),
            cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
            returned INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0),
            capped INTEGER NOT NULL DEFAULT 0 CHECK (capped >= 0),
            CHECK (
                intended + accepted + rejected + unknown + expired + suppressed + cancelled
                    + returned = count)
        ) STRICT;

        CREATE INDEX list_units ON units (target) WHERE kind = 2;
        CREATE INDEX unknown_units ON units (id) WHERE unknown > 0;
        CREATE INDEX compacted_units ON units (id) WHERE compacted IS NOT NULL;

        -- outcomes: one byte per request, a StoredOutcome; a missing chunk is all intended;
        -- checksum: of the outcomes
        CREATE TABLE outcome_chunks (
            unit INTEGER NOT NULL REFERENCES units,
            chunk INTEGER NOT NULL,
            outcomes BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (unit, chunk)
        ) STRICT;

        -- the details that the bytes of outcome_chunks do not contain
        CREATE TABLE outcome_details (
            unit INTEGER NOT NULL REFERENCES units,
            request INTEGER NOT NULL,
            detail TEXT NOT NULL,
            PRIMARY KEY (unit, request)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX repeats ON outcome_details (unit) WHERE \(SQLDialect.sqlite.isRepeat);
        """
}
