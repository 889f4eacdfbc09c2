extension Schema {
    /// Format 3: registrations that are encrypted with the team's key.
    static let encryption = """
        -- fingerprint_key: NULL where keys holds it; keys: a StateVault, wrapped;
        -- unswept: 1 while pages may hold what was there before it was encrypted
        ALTER TABLE meta RENAME COLUMN fingerprint_key TO former_key;
        ALTER TABLE meta ADD COLUMN fingerprint_key BLOB CHECK (length(fingerprint_key) = 32);
        UPDATE meta SET fingerprint_key = former_key;
        ALTER TABLE meta DROP COLUMN former_key;
        ALTER TABLE meta ADD COLUMN keys BLOB
            CHECK ((keys IS NULL) = (fingerprint_key IS NOT NULL));
        ALTER TABLE meta ADD COLUMN unswept INTEGER NOT NULL DEFAULT 0 CHECK (unswept IN (0, 1));
        -- sealed: a registration sealed under its scope and fingerprint, which then stands nowhere else
        ALTER TABLE memberships ADD COLUMN sealed BLOB
            CHECK (sealed IS NULL OR registration = '');

        """
}
