extension Schema {
    /// Of format 3: sendings of which only the counts are left.
    static let compaction = """
        -- compacted: when single outcomes were dropped, in seconds since 1970; NULL while they are there
        ALTER TABLE units ADD COLUMN compacted INTEGER;

        """
}
