import DeliveryModel
import JSON

/// The newest lines of the request log, as the page lists them.
struct RecentRequests: Sendable {
    /// One line without bodies.
    struct Element: Sendable {
        let sequence: Int
        let moment: DeliveryMoment
        let method: String
        /// With its query, as it stands in the log.
        let target: String
        /// 0 where there was no answer.
        let status: Int
    }

    /// So many are shown at most.
    static let limit = 100
    private var elements: [Element] = []

    /// `element` is the newest.
    mutating func append(_ element: Element) {
        // What is forgotten is forgotten a hundred at a time.
        if elements.count >= 2 * Self.limit { elements.removeFirst(Self.limit) }
        elements.append(element)
    }

    /// Forgets what was not written after all.
    mutating func forget(after sequence: Int) {
        elements.removeAll { $0.sequence > sequence }
    }

    /// The oldest first.
    func after(_ sequence: Int) -> [Element] {
        elements.suffix(Self.limit).filter { $0.sequence > sequence }
    }
}

extension RecentRequests.Element {
    /// Paths are as long as their senders like.
    private static let shownCharacters = 200

    var json: JSONValue {
        [
            "seq": .integer(Int64(sequence)), "time": .string(moment.rfc3339),
            "method": .string(method), "path": .string(String(target.prefix(Self.shownCharacters))),
            "status": .integer(Int64(status)),
        ]
    }
}
