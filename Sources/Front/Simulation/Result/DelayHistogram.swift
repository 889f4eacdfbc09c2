/// The number of deliveries by delay, in whole seconds.
///
/// Percentiles are exact. Sums do not depend on the order of addition.
package struct DelayHistogram: Hashable, Sendable {
    /// By seconds, rounded down; at most one entry per second of the simulated period.
    private var counts: [Int64: Int] = [:]
    package private(set) var total = 0
    /// The longest delay in milliseconds.
    package private(set) var longest: Int64 = 0

    package init() {}

    mutating func count(_ milliseconds: Int64) {
        counts[max(0, milliseconds) / 1_000, default: 0] += 1
        total += 1
        longest = max(longest, milliseconds)
    }

    static func += (left: inout DelayHistogram, right: DelayHistogram) {
        left.counts.merge(right.counts, uniquingKeysWith: +)
        left.total += right.total
        left.longest = max(left.longest, right.longest)
    }

    /// The number of deliveries by delay in seconds, shortest first.
    package var bySecond: [(seconds: Int64, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { (seconds: $0.key, count: $0.value) }
    }

    /// Returns the delay in milliseconds within which this percentage of the messages was
    /// delivered, rounded down to whole seconds; nil if there are no messages.
    package func within(percent: Int) -> Int64? {
        guard total > 0 else { return nil }
        let wanted = (total * percent + 99) / 100
        var seen = 0
        for (seconds, count) in bySecond {
            seen += count
            if seen >= wanted { return seconds * 1_000 }
        }
        return longest
    }
}
