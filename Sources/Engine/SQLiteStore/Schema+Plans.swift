extension Schema {
    /// Of format 3: plans that were looked at or carried out.
    static let plans = """
        -- id: rises with each plan that is kept; digest: 40 hexadecimal digits, of the content;
        -- serial: of the state that it was made from; made: seconds since 1970; content: JSON; size: its bytes
        CREATE TABLE plans (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest TEXT NOT NULL UNIQUE,
            serial INTEGER NOT NULL,
            made INTEGER NOT NULL,
            user TEXT NOT NULL,
            host TEXT NOT NULL,
            size INTEGER NOT NULL,
            content TEXT NOT NULL
        ) STRICT;

        """
}
