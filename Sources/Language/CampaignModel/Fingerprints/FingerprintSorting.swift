extension [Fingerprint] {
    /// Returns these random fingerprints in ascending order, in linear time.
    package func sortedByBits() -> [Fingerprint] { withUnsafeBufferPointer { $0.sortedByBits() } }
}

extension UnsafeBufferPointer<Fingerprint> {
    /// Returns these random fingerprints in ascending order, in linear time.
    ///
    /// Constructed fingerprints only take longer.
    package func sortedByBits() -> [Fingerprint] {
        guard count > 1 else { return Array(self) }
        let buckets = FingerprintBuckets(for: self)
        var ends = [Int](repeating: 0, count: buckets.count)
        for fingerprint in self { ends[buckets.number(of: fingerprint)] += 1 }
        var sum = 0
        for bucket in ends.indices { (ends[bucket], sum) = (sum, sum + ends[bucket]) }
        return [Fingerprint](unsafeUninitializedCapacity: count) { buffer, initialized in
            for fingerprint in self {
                let bucket = buckets.number(of: fingerprint)
                buffer.initializeElement(at: ends[bucket], to: fingerprint)
                ends[bucket] += 1
            }
            initialized = count
            var start = 0
            for end in ends where end > start {
                UnsafeMutableBufferPointer(rebasing: buffer[start..<end]).sortFew()
                start = end
            }
        }
    }
}

/// Buckets of fingerprints with the same leading bits, each with few of them.
///
/// They are numbered in the order of fingerprints.
private struct FingerprintBuckets {
    /// The number of leading bits that all fingerprints have in common.
    private let prefix: UInt64
    private let bits: UInt64

    /// The average number of fingerprints in a bucket.
    private static let size = 4
    /// More buckets would exceed a core's cache.
    private static let maximumBits = 16

    init(for fingerprints: UnsafeBufferPointer<Fingerprint>) {
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for fingerprint in fingerprints {
            lowest = min(lowest, fingerprint.high)
            highest = max(highest, fingerprint.high)
        }
        prefix = min(63, UInt64((lowest ^ highest).leadingZeroBitCount))
        var bits = 1
        while bits < Self.maximumBits, fingerprints.count >> bits > Self.size { bits += 1 }
        self.bits = UInt64(bits)
    }

    var count: Int { 1 << Int(bits) }

    func number(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: (fingerprint.high &<< prefix) &>> (64 &- bits))
    }
}

extension UnsafeMutableBufferPointer<Fingerprint> {
    /// Sorts a few fingerprints by insertion; many, which were constructed, in another way.
    fileprivate func sortFew() {
        guard count <= 32 else {
            var bucket = self
            bucket.sort()
            return
        }
        for index in 1..<Swift.max(1, count) {
            let fingerprint = self[index]
            var place = index
            while place > 0, fingerprint < self[place - 1] {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = fingerprint
        }
    }
}
