/// A histogram of delivery delays.
///
/// The width of a class is at most a quarter of its values. Sums do not depend on the order of
/// addition.
package struct DelayHistogram: Hashable, Sendable {
    /// One class for 0, and then four for each doubling of a millisecond.
    private var counts: [Int] = []
    package private(set) var total = 0
    /// The longest delay in milliseconds.
    package private(set) var longest: Int64 = 0

    package init() {}

    mutating func count(_ milliseconds: Int64) {
        let place = Self.place(of: max(0, milliseconds))
        if place >= counts.count {
            counts += Array(repeating: 0, count: place + 1 - counts.count)
        }
        counts[place] += 1
        total += 1
        longest = max(longest, milliseconds)
    }

    static func += (left: inout DelayHistogram, right: DelayHistogram) {
        if right.counts.count > left.counts.count {
            left.counts += Array(repeating: 0, count: right.counts.count - left.counts.count)
        }
        for (place, count) in right.counts.enumerated() { left.counts[place] += count }
        left.total += right.total
        left.longest = max(left.longest, right.longest)
    }

    /// Returns the delay in milliseconds within which this percentage of the messages was
    /// delivered.
    ///
    /// The result is the upper bound of a class, limited to the longest delay. Returns nil if there
    /// are no messages.
    package func within(percent: Int) -> Int64? {
        guard total > 0 else { return nil }
        let wanted = (total * percent + 99) / 100
        var seen = 0
        for (place, count) in counts.enumerated() {
            seen += count
            if seen >= wanted { return min(Self.end(of: place), longest) }
        }
        return longest
    }

    /// Returns the class of a value; values below 4 ms have separate classes.
    private static func place(of value: Int64) -> Int {
        guard value >= 4 else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return 4 * (exponent - 1) + Int(value >> (exponent - 2) & 3)
    }

    /// Returns the largest value of a class.
    private static func end(of place: Int) -> Int64 {
        guard place >= 4 else { return Int64(place) }
        let exponent = place / 4 + 1
        let first = (Int64(4 + place % 4)) << (exponent - 2)
        return first + (Int64(1) << (exponent - 2)) - 1
    }
}
