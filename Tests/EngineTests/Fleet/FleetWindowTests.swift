import State
import Testing

@testable import Fleet

/// What workers may send while the answers to earlier requests decide about the rest.
struct FleetWindowTests {
    @Test func `allows as many requests as may be without an outcome`() {
        var window = FleetWindow(of: [0..<10, 20..<30, 40..<41], size: 12)
        #expect(window.end == 22)
        window.returned(3)
        #expect(window.end == 25)
        // The left-out requests before a range belong to the work unit before it.
        window.returned(5)
        #expect(window.end == 40)
        window.returned(1)
        #expect(window.end == 41)
        window.returned(12)
        #expect(window.end == 41)
    }

    @Test(arguments: [1, 11, 12, 4_000])
    func `a window has whole work units, and workers can go on after each`(size: Int) {
        // Every third request is left out.
        let requests = (0..<3_000).map { 3 * $0..<3 * $0 + 2 }
        let omitted = (0..<3_000).map { 3 * $0 + 2 }
        var window = FleetWindow(of: requests, size: size)
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 8_999,
            firstUnit: 7,
            isStored: false,
            sent: window.unitSize
        )
        let units = occurrence.units(of: 10_000, omitting: omitted)
        #expect(units.map(\.id.number) == Array(7..<7 + units.count))
        #expect(units.reduce(0) { $0 + $1.sent } == 6_000)
        var rest = units[...]
        var claimed: [WorkUnit] = []
        while !rest.isEmpty {
            let ready = rest.prefix { $0.first + $0.count <= window.end }
            claimed += ready
            rest = rest.dropFirst(ready.count)
            #expect(claimed.reduce(0) { $0 + $1.sent } <= size)
            // The last one ends first.
            guard let unit = claimed.popLast() else {
                Issue.record("no work unit can be claimed")
                return
            }
            window.returned(unit.sent)
        }
    }

    @Test func `a work unit ends after its requests, or at its greatest size`() {
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 12,
            firstUnit: 1,
            isStored: false,
            sent: 2
        )
        let units = occurrence.units(of: 4, omitting: [1, 4, 5, 6, 7])
        #expect(units.map(\.first) == [0, 3, 7, 10])
        #expect(units.map(\.count) == [3, 4, 3, 2])
        #expect(units.map(\.omitted) == [[1], [1, 2, 3], [0], []])
    }
}

extension WorkUnit {
    fileprivate var sent: Int { count - omitted.count }
}
