import Testing

@testable import Simulation

struct DelayHistogramTests {
    /// Delays from zero to several days, mostly short.
    private let values: [Int64] = (0..<5_000).map { number in
        let draw = SeededRandom(seed: 3).number(of: number)
        return Int64(draw >> (34 + draw % 30))
    }

    private func histogram(_ values: some Sequence<Int64>) -> DelayHistogram {
        var histogram = DelayHistogram()
        for value in values { histogram.count(value) }
        return histogram
    }

    @Test(arguments: [1, 5, 25, 50, 75, 95, 99, 100])
    func `returns the exact percentile in whole seconds`(percent: Int) throws {
        let exact = values.sorted()[(values.count * percent + 99) / 100 - 1]
        #expect(histogram(values).within(percent: percent) == exact / 1_000 * 1_000)
    }

    @Test func `reports the longest delay exactly`() {
        #expect(histogram(values).longest == values.max())
        #expect(histogram(values).total == 5_000)
    }

    @Test func `counts deliveries by second, in order`() {
        let counts = histogram([61_000, 0, 999, 1_000, 61_999, 7_000]).bySecond
        #expect(counts.map(\.seconds) == [0, 1, 7, 61])
        #expect(counts.map(\.count) == [2, 1, 1, 2])
    }

    @Test func `gives the same sum in any order of addition`() {
        let parts = [values[..<7], values[7..<4_000], values[4_000...]].map { histogram($0) }
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            var sum = DelayHistogram()
            for place in order { sum += parts[place] }
            #expect(sum == histogram(values))
        }
    }

    @Test func `returns no delay for an empty histogram`() {
        #expect(DelayHistogram().within(percent: 50) == nil)
    }
}
