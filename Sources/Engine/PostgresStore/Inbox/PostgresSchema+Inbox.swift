/// The tables of the inbox, and of what messages of devices changed.
extension PostgresSchema {
    /// The messages of devices, with the same columns as in SQLite.
    static let inbox = """
        CREATE TABLE inbox_meta (
            id bigint PRIMARY KEY CHECK (id = 1),
            name \(text) NOT NULL,
            last bigint NOT NULL DEFAULT 0,
            acted bigint NOT NULL DEFAULT 0,
            conflicts bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)

        CREATE TABLE inbox (
            number bigint PRIMARY KEY,
            identity bytea NOT NULL UNIQUE CHECK (length(identity) = 16),
            content bytea NOT NULL CHECK (length(content) = 16),
            fingerprint bytea NOT NULL CHECK (length(fingerprint) = 16),
            received bigint NOT NULL,
            transport bigint NOT NULL,
            checksum bigint NOT NULL,
            message bytea NOT NULL
        )

        CREATE INDEX inbox_times ON inbox (received)
        """

    /// See `Schema.upstream` of SQLite.
    static let upstream = """
        CREATE TABLE upstream_position (
            id bigint PRIMARY KEY CHECK (id = 1),
            inbox \(text) NOT NULL,
            number bigint NOT NULL
        )

        CREATE TABLE opt_outs (
            fingerprint bytea PRIMARY KEY CHECK (length(fingerprint) = 16),
            since bigint NOT NULL
        )

        CREATE TABLE upstream_exclusions (
            topic \(text) NOT NULL,
            fingerprint bytea NOT NULL CHECK (length(fingerprint) = 16),
            since bigint NOT NULL,
            PRIMARY KEY (topic, fingerprint)
        )

        CREATE TABLE upstream_members (
            rule \(text) NOT NULL,
            fingerprint bytea NOT NULL CHECK (length(fingerprint) = 16),
            registration bytea NOT NULL,
            PRIMARY KEY (rule, fingerprint)
        )

        CREATE TABLE upstream_answers (
            campaign \(text) NOT NULL,
            name \(text) NOT NULL,
            inbox \(text) NOT NULL,
            number bigint NOT NULL,
            fingerprint bytea NOT NULL CHECK (length(fingerprint) = 16),
            at bigint NOT NULL,
            PRIMARY KEY (campaign, name, inbox, number)
        )
        """
}
