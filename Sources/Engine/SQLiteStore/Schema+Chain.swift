extension Schema {
    /// Of format 3: an entry for each thing that the history says.
    static let chain = """
        -- content: JSON; hash: SHA-256 of the hash before and the content; run: as in the content
        CREATE TABLE chain (
            number INTEGER PRIMARY KEY,
            run INTEGER,
            content TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT;

        CREATE INDEX chain_runs ON chain (run) WHERE run IS NOT NULL;

        """
}
