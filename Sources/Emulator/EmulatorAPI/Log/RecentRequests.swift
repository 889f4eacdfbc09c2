package import DeliveryModel

/// The newest lines of the request log, for the page.
package struct RecentRequests: Sendable {
    /// One line without bodies.
    package struct Element: Sendable {
        package let sequence: Int
        package let moment: DeliveryMoment
        package let method: String
        /// The target with its query, as recorded.
        package let target: String
        /// 0 if there was no answer.
        package let status: Int
        var headers: (@Sendable () -> [(name: String, value: String)])?
    }

    /// Maximum number of lines.
    static let limit = 1_000
    /// Maximum number of lines of one answer.
    private static let shown = 100
    private var elements: [Element] = []
    /// Number of lines, including those that are no longer stored.
    package private(set) var total = 0

    /// Appends the newest line.
    mutating func append(_ element: Element) {
        // Old lines are removed many at a time.
        if elements.count >= 2 * Self.limit { elements.removeFirst(Self.limit) }
        elements.append(element)
        total += 1
    }

    /// Removes lines that were not written after all.
    mutating func forget(after sequence: Int) {
        let count = elements.count
        elements.removeAll { $0.sequence > sequence }
        total -= count - elements.count
    }

    /// Returns the header fields of a request without its secrets, or nil if they are not stored.
    func headers(of sequence: Int) -> [(name: String, value: String)]? {
        let element = elements.last { $0.sequence == sequence }
        return element?.headers?().map { field in
            let isSecret = ["authorization", "cookie"].contains(field.name.lowercased())
            return isSecret ? (field.name, "<redacted>") : field
        }
    }

    /// Returns the lines after a number, oldest first.
    package func after(_ sequence: Int) -> [Element] {
        elements.suffix(Self.shown).filter { $0.sequence > sequence }
    }
}
