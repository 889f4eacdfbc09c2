/// Which entrusted requests workers may send while the answers to earlier ones decide about the rest.
///
/// Workers return outcomes in work units, in any order. The requests that they may have sent and whose outcomes
/// have not returned are never more than the size of the window.
package struct FleetWindow: Hashable, Sendable {
    /// The number of requests without a returned outcome that workers may have.
    package let size: Int
    /// Workers may send the requests below this number.
    package private(set) var end = 0
    private let requests: [Range<Int>]
    /// The number of outcomes that returned.
    private var outcomes = 0
    /// The first range that reaches the end, and the number of requests in those before it.
    private var place = 0
    private var before = 0

    /// Each worker has two work units at a time, and others wait for their collection.
    private static let unitsAtOnce = 12
    /// A claim looks at all work units of an occurrence.
    private static let mostUnits = 1_024

    /// `requests`: in ascending order and not empty.
    package init(of requests: [Range<Int>], size: Int) {
        self.size = size
        self.requests = requests
        move()
    }

    /// The number of requests of a work unit.
    package var unitSize: Int { Self.unitSize(in: size) }

    /// The number of requests that are entrusted together.
    package static func mostEntrusted(in size: Int) -> Int { mostUnits * unitSize(in: size) }

    private static func unitSize(in size: Int) -> Int { max(1, size / unitsAtOnce) }

    /// Moves the window after outcomes returned.
    package mutating func returned(_ count: Int) {
        outcomes += count
        move()
    }

    private mutating func move() {
        let most = outcomes + size
        while place < requests.count, before + requests[place].count <= most {
            before += requests[place].count
            place += 1
        }
        // The requests between two ranges are left out, and belong to the work unit before them.
        end =
            place < requests.count
            ? requests[place].lowerBound + most - before : requests.last?.upperBound ?? 0
    }
}
