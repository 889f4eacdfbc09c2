/// The columns of a list that a message uses.
package struct MessageColumns: Hashable, Sendable {
    /// In the order of their first mention.
    package let names: [String]
    /// The values of rows that have none, by column.
    package let defaults: [String: String]
    /// The payload size on each platform.
    package let sizes: [Size]

    package init(names: [String], defaults: [String: String], sizes: [Size]) {
        self.names = names
        self.defaults = defaults
        self.sizes = sizes
    }

    /// The payload size on a platform, which depends on the row.
    package struct Size: Hashable, Sendable {
        package let platform: Platform
        /// The bytes of keys and texts without the values.
        package let literals: Int
        /// How often each column occurs, in the order of `names`.
        package let uses: [Int]

        package init(platform: Platform, literals: Int, uses: [Int]) {
            self.platform = platform
            self.literals = literals
            self.uses = uses
        }

        /// Returns the payload size of a row with these values.
        package func bytes(with values: [String]) -> Int {
            zip(uses, values).reduce(literals) { $0 + $1.0 * $1.1.utf8.count }
        }
    }
}
