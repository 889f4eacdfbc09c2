/// The tables of the inbox.
extension PostgresSchema {
    /// The messages of devices, with the columns of SQLite's inbox.
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
}
