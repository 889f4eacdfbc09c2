/// The tables of pauses, resolutions and the history of runs.
extension Schema {
    static let control = """
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

    static let history = """
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

        -- upstream: how many of the leaves messages of the registrations caused
        CREATE TABLE run_memberships (
            run INTEGER NOT NULL REFERENCES runs,
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            joins INTEGER NOT NULL,
            leaves INTEGER NOT NULL,
            refusals INTEGER NOT NULL,
            upstream INTEGER NOT NULL DEFAULT 0,
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
