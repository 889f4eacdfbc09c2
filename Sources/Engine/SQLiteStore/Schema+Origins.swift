extension Schema {
    /// Format 3: the user and origin of each run, and its bypasses.
    static let origins = """
        -- dirty: 0 or 1; digest: of the reviewed plan; bypasses: a JSON array of strings;
        -- serial: the state's from its beginning on
        ALTER TABLE runs ADD COLUMN commit_id TEXT;
        ALTER TABLE runs ADD COLUMN dirty INTEGER;
        ALTER TABLE runs ADD COLUMN ci_run TEXT;
        ALTER TABLE runs ADD COLUMN ci_actor TEXT;
        ALTER TABLE runs ADD COLUMN digest TEXT;
        ALTER TABLE runs ADD COLUMN bypasses TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE runs ADD COLUMN serial INTEGER;

        """
}
