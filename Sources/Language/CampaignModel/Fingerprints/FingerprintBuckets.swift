/// Sorts elements with random fingerprints: first into buckets by their leading bits, then within
/// each bucket.
///
/// A bucket has few elements, so the time is linear. Constructed fingerprints only take longer.
/// Elements with the same fingerprint keep their order. Inlinable, so that other modules compile it
/// for their elements.
package struct FingerprintBuckets {
    @usableFromInline let count: Int
    /// The number of leading bits that all fingerprints have in common.
    @usableFromInline let prefix: UInt64
    @usableFromInline let bits: UInt64

    /// The average number of elements in a bucket.
    private static let size = 4
    /// More buckets would exceed a core's cache.
    private static let maximumBits = 16

    /// `lowest`, `highest`: bounds of the fingerprints' first halves.
    package init(for count: Int, from lowest: UInt64, through highest: UInt64) {
        self.count = count
        prefix = min(63, UInt64((lowest ^ highest).leadingZeroBitCount))
        var bits = 1
        while bits < Self.maximumBits, count >> bits > Self.size { bits += 1 }
        self.bits = UInt64(bits)
    }

    @inlinable
    func number(of high: UInt64) -> Int {
        Int(truncatingIfNeeded: (high &<< prefix) &>> (64 &- bits))
    }

    /// Returns the elements of all sequences, which are as many as the buckets are for.
    ///
    /// `fingerprint`: returns an element's fingerprint.
    @inlinable
    package func sorted<Element>(
        _ sequences: [ArraySlice<Element>],
        by fingerprint: (Element) -> Fingerprint
    ) -> [Element] {
        var ends = starts(sequences, by: fingerprint)
        return [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            for sequence in sequences {
                for element in sequence {
                    let bucket = number(of: fingerprint(element).high)
                    buffer.initializeElement(at: ends[bucket], to: element)
                    ends[bucket] += 1
                }
            }
            initialized = count
            var start = 0
            for end in ends {
                if end - start > 1 {
                    Self.sort(
                        UnsafeMutableBufferPointer(rebasing: buffer[start..<end]),
                        by: fingerprint
                    )
                }
                start = end
            }
        }
    }

    /// Sorts a few elements by insertion; many, which were constructed, in another way.
    @inlinable
    static func sort<Element>(
        _ bucket: UnsafeMutableBufferPointer<Element>,
        by fingerprint: (Element) -> Fingerprint
    ) {
        guard bucket.count <= 32 else {
            var bucket = bucket
            bucket.sort { fingerprint($0).precedes(fingerprint($1)) }
            return
        }
        for index in 1..<bucket.count {
            let element = bucket[index]
            var place = index
            while place > 0, fingerprint(element).precedes(fingerprint(bucket[place - 1])) {
                bucket[place] = bucket[place - 1]
                place -= 1
            }
            if place < index { bucket[place] = element }
        }
    }

    @inlinable
    func starts<Element>(
        _ sequences: [ArraySlice<Element>],
        by fingerprint: (Element) -> Fingerprint
    ) -> [Int] {
        var starts = Array(repeating: 0, count: 1 << Int(bits))
        for sequence in sequences {
            for element in sequence { starts[number(of: fingerprint(element).high)] += 1 }
        }
        var sum = 0
        for bucket in starts.indices {
            let next = sum + starts[bucket]
            starts[bucket] = sum
            sum = next
        }
        return starts
    }
}

extension Fingerprint {
    /// The same as `<`, but inlined in other modules.
    @inlinable
    package func precedes(_ other: Fingerprint) -> Bool {
        high == other.high ? low < other.low : high < other.high
    }

    /// The same as `==`, but inlined in other modules.
    @inlinable
    package func isSame(as other: Fingerprint) -> Bool {
        high == other.high && low == other.low
    }
}

extension [Fingerprint] {
    /// Returns these random fingerprints in ascending order, in linear time.
    package func sortedByBits() -> [Fingerprint] { self[...].sortedByBits() }
}

extension ArraySlice<Fingerprint> {
    /// Returns these random fingerprints in ascending order, in linear time.
    package func sortedByBits() -> [Fingerprint] {
        guard count > 1 else { return Array(self) }
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for fingerprint in self {
            lowest = Swift.min(lowest, fingerprint.high)
            highest = Swift.max(highest, fingerprint.high)
        }
        return FingerprintBuckets(for: count, from: lowest, through: highest)
            .sorted([self]) { $0 }
    }
}
