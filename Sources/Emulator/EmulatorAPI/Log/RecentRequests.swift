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
    }

    /// Maximum number of lines.
    static let limit = 100
    private var elements: [Element] = []

    /// Appends the newest line.
    mutating func append(_ element: Element) {
        // Old lines are removed a hundred at a time.
        if elements.count >= 2 * Self.limit { elements.removeFirst(Self.limit) }
        elements.append(element)
    }

    /// Removes lines that were not written after all.
    mutating func forget(after sequence: Int) {
        elements.removeAll { $0.sequence > sequence }
    }

    /// Returns the lines after a number, oldest first.
    package func after(_ sequence: Int) -> [Element] {
        elements.suffix(Self.limit).filter { $0.sequence > sequence }
    }
}
