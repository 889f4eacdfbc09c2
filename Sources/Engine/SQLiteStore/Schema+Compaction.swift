extension Schema {
    /// Format 3: occurrences that are compacted to their counts.
    static let compaction = """
        -- compacted: when single outcomes were dropped, in seconds since 1970; NULL while they are there
        ALTER TABLE units ADD COLUMN compacted INTEGER;

        """
}
