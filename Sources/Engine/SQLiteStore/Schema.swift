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
            identity, campaigns, ledger, contacts, experiments, lists, memberships, control,
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
        -- rollout: JSON, a RolloutRecord, NULL without one
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
            unit INTEGER UNIQUE REFERENCES units,
            run INTEGER NOT NULL REFERENCES runs,
            PRIMARY KEY (campaign, slot, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX occurrence_statuses ON occurrences (status);

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

    private static let contacts = """
        -- list: a digest, NULL for the members that a fan-out addressed; identity, timezone: the
        -- list's columns, empty without; current: 1 for the last record of a list with these columns;
        -- identities: 1 if persons have several registrations; zones: a JSON array of names, NULL if
        -- no row names one
        CREATE TABLE people (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            list TEXT,
            identity TEXT NOT NULL DEFAULT '',
            timezone TEXT NOT NULL DEFAULT '',
            current INTEGER NOT NULL CHECK (current IN (0, 1)),
            count INTEGER NOT NULL,
            identities INTEGER NOT NULL CHECK (identities IN (0, 1)),
            zones TEXT
        ) STRICT;

        CREATE UNIQUE INDEX current_people ON people (list, identity, timezone) WHERE current = 1;

        -- keys: see PeopleChunk; checksum: of these bytes
        CREATE TABLE people_chunks (
            people INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            first INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            keys BLOB NOT NULL,
            PRIMARY KEY (people, first)
        ) STRICT;

        -- a ContactWindow; returned: pairs of numbers of 8 bytes, see RangeBytes
        CREATE TABLE contact_windows (
            unit INTEGER NOT NULL REFERENCES units,
            number INTEGER NOT NULL,
            people INTEGER NOT NULL REFERENCES people,
            begins INTEGER NOT NULL,
            zone TEXT NOT NULL,
            mark INTEGER NOT NULL,
            returned BLOB NOT NULL,
            PRIMARY KEY (unit, number)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX window_times ON contact_windows (begins);
        """

    private static let experiments = """
        -- the subjects of an experiment's occurrence; begins: no outcome before it counts;
        -- arms: JSON, see ExperimentRecord
        CREATE TABLE exposures (
            unit INTEGER PRIMARY KEY REFERENCES units,
            people INTEGER NOT NULL REFERENCES people,
            begins INTEGER NOT NULL,
            experiment TEXT NOT NULL,
            arms TEXT NOT NULL
        ) STRICT;

        CREATE INDEX exposed_people ON exposures (people);

        -- arms: one byte per row of people_chunks, the number of an arm; then, if the list has a number
        -- from before the experiment, 8 bytes per row; checksum: of these bytes
        CREATE TABLE exposure_chunks (
            unit INTEGER NOT NULL REFERENCES units,
            first INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            arms BLOB NOT NULL,
            PRIMARY KEY (unit, first)
        ) STRICT;

        -- what happened to subjects; event: a keyed hash of the event's content; subject: the first
        -- half of a fingerprint
        CREATE TABLE subject_outcomes (
            unit INTEGER NOT NULL REFERENCES units,
            event BLOB NOT NULL CHECK (length(event) = 16),
            name TEXT NOT NULL,
            arm INTEGER NOT NULL,
            subject INTEGER NOT NULL,
            at INTEGER NOT NULL,
            value REAL,
            PRIMARY KEY (unit, event)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX outcome_subjects ON subject_outcomes (name, subject);

        -- what was fixed before the first look; content: JSON, see ResultPlan
        CREATE TABLE result_plans (
            campaign TEXT NOT NULL,
            experiment TEXT NOT NULL,
            outcome TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (campaign, experiment, outcome)
        ) STRICT, WITHOUT ROWID;

        -- content: JSON, the counts and the interval of each arm
        CREATE TABLE result_looks (
            campaign TEXT NOT NULL,
            experiment TEXT NOT NULL,
            outcome TEXT NOT NULL,
            at INTEGER NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (campaign, experiment, outcome, at)
        ) STRICT, WITHOUT ROWID;

        -- Google's aggregated delivery data; delivered: a share, NULL if Google does not tell
        CREATE TABLE android_deliveries (
            label TEXT NOT NULL,
            day TEXT NOT NULL,
            app TEXT NOT NULL,
            accepted INTEGER NOT NULL,
            delivered REAL,
            PRIMARY KEY (label, day, app)
        ) STRICT, WITHOUT ROWID;
        """

    private static let lists = """
        -- kind: RegistrationFile.Kind; columns: a JSON array of names; pending: 1 if stored for an
        -- occurrence that has not been opened yet; name: random, in its encrypted values;
        -- file: the file in the folder of lists that has its chunks, NULL if they are here
        CREATE TABLE lists (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            columns TEXT NOT NULL,
            count INTEGER NOT NULL,
            pending INTEGER NOT NULL,
            name TEXT NOT NULL UNIQUE,
            file TEXT
        ) STRICT;

        CREATE INDEX pending_lists ON lists (digest) WHERE pending = 1;

        -- registrations: with the values of the columns, see PackedRows, NULL if they are in the
        -- list's file: length bytes from start; checksum: of these bytes
        CREATE TABLE list_chunks (
            list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
            first INTEGER NOT NULL,
            count INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            start INTEGER CHECK (start >= 0),
            length INTEGER CHECK (length >= 0),
            registrations BLOB,
            PRIMARY KEY (list, first),
            CHECK ((registrations IS NULL) = (start IS NOT NULL)),
            CHECK ((start IS NULL) = (length IS NULL))
        ) STRICT;
        """

    private static let memberships = """
        -- joined: the last join; counted: 1 while scope_counts is right
        CREATE TABLE scopes (
            id INTEGER PRIMARY KEY,
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            joined INTEGER,
            counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)),
            UNIQUE (topic, audience)
        ) STRICT;

        -- how many members of a scope have each status: a summary must not read a million records
        CREATE TABLE scope_counts (
            scope INTEGER NOT NULL REFERENCES scopes,
            status INTEGER NOT NULL,
            members INTEGER NOT NULL CHECK (members > 0),
            PRIMARY KEY (scope, status)
        ) STRICT, WITHOUT ROWID;

        -- id: rises with the age of the records, so a newer segment replaces the older ones;
        -- level: StoredSegment.Level; count: of the records when they were written; target: the
        -- segment into which a full merge moves this one; bits, done, last_page: a MergeProgress
        CREATE TABLE membership_segments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            scope INTEGER NOT NULL REFERENCES scopes,
            level INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            target INTEGER,
            bits INTEGER,
            done INTEGER,
            last_page INTEGER
        ) STRICT;

        CREATE INDEX scope_segments ON membership_segments (scope, level);

        -- records: see SegmentChunk; first, last: their fingerprints; checksum: of these bytes
        CREATE TABLE membership_chunks (
            segment INTEGER NOT NULL REFERENCES membership_segments ON DELETE CASCADE,
            last BLOB NOT NULL CHECK (length(last) = 16),
            first BLOB NOT NULL CHECK (length(first) = 16),
            count INTEGER NOT NULL CHECK (count > 0),
            checksum INTEGER NOT NULL,
            records BLOB NOT NULL,
            PRIMARY KEY (segment, last)
        ) STRICT;

        -- registrations: see RegistrationPage; a number is never used twice; checksum: of these
        -- bytes
        CREATE TABLE registration_pages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            scope INTEGER NOT NULL REFERENCES scopes,
            checksum INTEGER NOT NULL,
            registrations BLOB NOT NULL
        ) STRICT;

        CREATE INDEX scope_pages ON registration_pages (scope);

        -- what a membership was last allowed to become; list: a digest, NULL for no member
        CREATE TABLE membership_aims (
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            list TEXT,
            run INTEGER NOT NULL REFERENCES runs,
            PRIMARY KEY (audience, topic)
        ) STRICT, WITHOUT ROWID;

        -- registrations that FCM reported as unregistered
        CREATE TABLE dead (
            fingerprint BLOB PRIMARY KEY CHECK (length(fingerprint) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- whole: its members are all that FCM has of it, as far as is known
        CREATE TABLE device_groups (
            name TEXT PRIMARY KEY,
            whole INTEGER NOT NULL CHECK (whole IN (0, 1))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_group_members (
            name TEXT NOT NULL REFERENCES device_groups ON DELETE CASCADE,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            PRIMARY KEY (name, fingerprint)
        ) STRICT, WITHOUT ROWID;
        """

    private static let control = """
        -- campaign: empty for everything
        CREATE TABLE pauses (
            campaign TEXT PRIMARY KEY,
            since INTEGER NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- the processes that were last seen to send what is due; lists: 1 if they read lists when
        -- sends begin; standby: 1 if they wait until the active service ends
        CREATE TABLE runners (
            host TEXT NOT NULL,
            process INTEGER NOT NULL,
            command TEXT NOT NULL,
            since INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            lists INTEGER NOT NULL CHECK (lists IN (0, 1)),
            standby INTEGER NOT NULL CHECK (standby IN (0, 1)),
            PRIMARY KEY (host, process, command)
        ) STRICT, WITHOUT ROWID;

        -- kind: TrafficMeasurement.Kind; round_trip: in microseconds; rate: per second; at: the end
        -- of the run
        CREATE TABLE traffic (
            kind INTEGER PRIMARY KEY,
            round_trip INTEGER NOT NULL CHECK (round_trip >= 0),
            rate REAL NOT NULL CHECK (rate >= 0),
            at INTEGER NOT NULL
        ) STRICT;

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
        """

    private static let history = """
        -- what a run added to the outcomes of an occurrence; problems: JSON, the first of each kind;
        -- capped: as in units
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
            capped INTEGER NOT NULL DEFAULT 0,
            problems TEXT NOT NULL,
            PRIMARY KEY (run, campaign, slot, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX sendings_of_occurrences ON run_sendings (campaign, slot, revision);

        CREATE TABLE run_memberships (
            run INTEGER NOT NULL REFERENCES runs,
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            joins INTEGER NOT NULL,
            leaves INTEGER NOT NULL,
            refusals INTEGER NOT NULL,
            PRIMARY KEY (run, audience, topic)
        ) STRICT, WITHOUT ROWID;

        -- an entry for each thing that the history says; content: JSON; hash: SHA-256 of the
        -- previous hash and the content; run: as in the content
        CREATE TABLE chain (
            number INTEGER PRIMARY KEY,
            run INTEGER,
            content TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT;

        CREATE INDEX chain_runs ON chain (run) WHERE run IS NOT NULL;
        """
}
