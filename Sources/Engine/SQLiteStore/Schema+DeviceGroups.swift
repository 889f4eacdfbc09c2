extension Schema {
    /// Format 3: the members of device groups, which FCM does not report.
    static let deviceGroups = """
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
