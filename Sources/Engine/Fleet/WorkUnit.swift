/// A part of an occurrence that is claimed, sent and recorded as a whole.
package struct WorkUnit: Hashable, Sendable {
    /// The number of requests of a unit; the last one of an occurrence has fewer.
    package static let standardCount = 10_000

    package let id: WorkUnitID
    package let occurrence: OccurrenceNumber
    /// The number of its first request in the occurrence.
    package let first: Int
    package let count: Int
    /// The requests that it leaves out, in order, counted from its first one.
    package let omitted: [Int]

    package init(
        _ id: WorkUnitID,
        of occurrence: OccurrenceNumber,
        requests: Range<Int>,
        omitted: [Int]
    ) {
        self.id = id
        self.occurrence = occurrence
        first = requests.lowerBound
        count = requests.count
        self.omitted = omitted
    }

    /// Whether the unit leaves out a request, counted from its first one.
    package func omits(_ request: Int) -> Bool {
        var low = 0
        var high = omitted.count
        while low < high {
            let middle = (low + high) / 2
            if omitted[middle] < request { low = middle + 1 } else { high = middle }
        }
        return low < omitted.count && omitted[low] == request
    }
}
