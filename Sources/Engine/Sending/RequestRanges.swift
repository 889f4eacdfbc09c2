/// Request numbers in ascending order, stored as ranges to save memory for long lists.
package struct RequestRanges: Hashable, Sendable {
    private var ranges: ArraySlice<Range<Int>>

    /// - Parameter ranges: In ascending order and not empty.
    package init(_ ranges: [Range<Int>]) {
        self.ranges = ranges[...]
    }

    /// In ascending order.
    package var all: [Range<Int>] { Array(ranges) }

    package var isEmpty: Bool { ranges.isEmpty }
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the ranges of the numbers below a limit.
    package func ranges(below limit: Int) -> [Range<Int>] {
        ranges.prefix { $0.lowerBound < limit }
            .map { $0.clamped(to: $0.lowerBound..<max($0.lowerBound, limit)) }
    }

    /// Searches by bisection, because the ranges are sorted.
    package func contains(_ number: Int) -> Bool {
        var (low, high) = (ranges.startIndex, ranges.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.endIndex && ranges[low].contains(number)
    }

    /// Appends a number that is greater than all others.
    package mutating func append(_ number: Int) {
        if let last = ranges.last, last.upperBound == number {
            ranges[ranges.endIndex - 1] = last.lowerBound..<number + 1
        } else {
            ranges.append(number..<number + 1)
        }
    }

    /// Inserts numbers that are not present.
    package mutating func insert(_ numbers: some Sequence<Int>) {
        let all = (numbers.map { $0..<$0 + 1 } + ranges).sorted { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for range in all {
            if let last = merged.last, last.upperBound == range.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<range.upperBound
            } else {
                merged.append(range)
            }
        }
        ranges = merged[...]
    }

    /// Returns the ranges without some of the numbers, which must be ascending.
    package func subtracting(_ numbers: some Sequence<Int>) -> RequestRanges {
        var left: [Range<Int>] = []
        var others = numbers.makeIterator()
        var other = others.next()
        for range in ranges {
            var start = range.lowerBound
            while let number = other, number < range.upperBound {
                if number > start { left.append(start..<number) }
                start = max(start, number + 1)
                other = others.next()
            }
            if start < range.upperBound { left.append(start..<range.upperBound) }
        }
        return RequestRanges(left)
    }

    /// Removes and returns the lowest numbers, at most `count`.
    package mutating func takeFirst(_ count: Int) -> [Int] {
        var taken: [Int] = []
        while taken.count < count, let first = ranges.first {
            let part = first.prefix(count - taken.count)
            taken += part
            if part.count == first.count {
                ranges.removeFirst()
            } else {
                ranges[ranges.startIndex] = part.endIndex..<first.upperBound
            }
        }
        return taken
    }
}
