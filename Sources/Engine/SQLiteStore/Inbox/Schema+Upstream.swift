/// The tables of what messages of devices changed.
extension Schema {
    static let upstream = """
        -- the last message of an inbox whose changes are recorded
        CREATE TABLE upstream_position (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            inbox TEXT NOT NULL,
            number INTEGER NOT NULL
        ) STRICT;

        -- registrations that no send to a list reaches, and that leave all topics
        CREATE TABLE opt_outs (
            fingerprint BLOB PRIMARY KEY CHECK (length(fingerprint) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- registrations that stay out of topics
        CREATE TABLE upstream_exclusions (
            topic TEXT NOT NULL,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            since INTEGER NOT NULL,
            PRIMARY KEY (topic, fingerprint)
        ) STRICT, WITHOUT ROWID;

        -- registrations that upstream rules subscribe
        CREATE TABLE upstream_members (
            rule TEXT NOT NULL,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            registration BLOB NOT NULL,
            PRIMARY KEY (rule, fingerprint)
        ) STRICT, WITHOUT ROWID;

        -- answers to campaigns; inbox, number: the message
        CREATE TABLE upstream_answers (
            campaign TEXT NOT NULL,
            name TEXT NOT NULL,
            inbox TEXT NOT NULL,
            number INTEGER NOT NULL,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
            at INTEGER NOT NULL,
            PRIMARY KEY (campaign, name, inbox, number)
        ) STRICT, WITHOUT ROWID;
        """
}
