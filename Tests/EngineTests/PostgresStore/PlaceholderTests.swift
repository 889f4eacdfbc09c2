import Testing

@testable import PostgresStore

struct PlaceholderTests {
    @Test(arguments: [
        ("SELECT ?", "SELECT $1"),
        ("a = ? AND b = ?", "a = $1 AND b = $2"),
        ("a = ?2 OR b = ?1 OR c = ?2", "a = $2 OR b = $1 OR c = $2"),
        // SQLite documentation, Parameters: one larger than the largest number before it.
        ("a IN (?, ?) AND b < ?3 AND c = ?", "a IN ($1, $2) AND b < $3 AND c = $4"),
        ("a = '?' AND \"b?\" = ?", "a = '?' AND \"b?\" = $1"),
        ("a = ?12", "a = $12"),
    ])
    func `numbers the parameters`(sql: String, expected: String) {
        #expect(Placeholders.numbered(sql) == expected)
    }
}
