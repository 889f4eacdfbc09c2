import DeliveryModel
import JSON

/// The newest lines of the request log, for the page.
struct RecentRequests: Sendable {
    /// One line without bodies.
    struct Element: Sendable {
        let sequence: Int
        let moment: DeliveryMoment
        let method: String
        /// The target with its query, as recorded.
        let target: String
        /// 0 if there was no answer.
        let status: Int
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
    func after(_ sequence: Int) -> [Element] {
        elements.suffix(Self.limit).filter { $0.sequence > sequence }
    }
}

extension RecentRequests.Element {
    /// Maximum length of a shown path.
    private static let shownCharacters = 200

    var json: JSONValue {
        [
            "seq": .integer(Int64(sequence)), "time": .string(moment.rfc3339),
            "method": .string(method), "path": .string(String(target.prefix(Self.shownCharacters))),
            "status": .integer(Int64(status)),
        ]
    }
}
