extension Schema {
    /// Of format 3: what guards compare a plan with.
    static let guards = """
        -- project_id: as FCM knows it; NULL before the first apply
        ALTER TABLE meta ADD COLUMN project_id TEXT;

        -- what a membership was last allowed to become; list: a digest, NULL for nobody
        CREATE TABLE membership_aims (
            audience TEXT NOT NULL,
            topic TEXT NOT NULL,
            list TEXT,
            run INTEGER NOT NULL REFERENCES runs,
            PRIMARY KEY (audience, topic)
        ) STRICT, WITHOUT ROWID;

        """
}
