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
    func `returns at least the exact percentile, and at most a quarter more`(percent: Int) throws {
        let exact = values.sorted()[(values.count * percent + 99) / 100 - 1]
        let found = try #require(histogram(values).within(percent: percent))
        #expect(found >= exact)
        #expect(4 * found <= 5 * exact)
    }

    @Test func `reports the longest delay exactly`() {
        #expect(histogram(values).longest == values.max())
        #expect(histogram(values).within(percent: 100) == values.max())
        #expect(histogram(values).total == 5_000)
    }

    @Test func `distinguishes all values below 8 ms`() {
        for value in Int64(0)..<8 {
            #expect(histogram([value, value, 1_000]).within(percent: 50) == value)
        }
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
