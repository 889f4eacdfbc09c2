/// How long messages took, counted in classes that are at most a quarter wide: small, and summed in
/// any order to the same.
package struct DelayHistogram: Hashable, Sendable {
    /// A class for 0, then four for each doubling of a millisecond.
    private var counts: [Int] = []
    package private(set) var total = 0
    /// The longest, in milliseconds.
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

    /// So many milliseconds were enough for this percentage of the messages; nil where there are
    /// none.
    ///
    /// The upper end of its class, and no more than the longest.
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

    /// Below 4 ms every value has its own class.
    private static func place(of value: Int64) -> Int {
        guard value >= 4 else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return 4 * (exponent - 1) + Int(value >> (exponent - 2) & 3)
    }

    /// The greatest value of a class.
    private static func end(of place: Int) -> Int64 {
        guard place >= 4 else { return Int64(place) }
        let exponent = place / 4 + 1
        let first = (Int64(4 + place % 4)) << (exponent - 2)
        return first + (Int64(1) << (exponent - 2)) - 1
    }
}
