/// The tables of people, experiments, lists and memberships.
extension Schema {
    static let contacts = """
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

    static let experiments = """
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

    static let lists = """
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

    static let memberships = """
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
}
