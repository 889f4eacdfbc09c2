import CampaignModel

/// Sorts records with random fingerprints: first into buckets by their leading bits, then within each
/// bucket.
///
/// A bucket has few records, so the time is linear. Constructed fingerprints only take longer. Records
/// about the same registration keep their order. Not generic, because that is slow in other modules.
struct RecordBuckets {
    private let count: Int
    /// The number of leading bits that all fingerprints have in common.
    private let prefix: UInt64
    private let bits: UInt64

    /// The average number of records in a bucket.
    private static let size = 4
    /// More buckets would exceed a core's cache.
    private static let maximumBits = 16

    /// `lowest`, `highest`: bounds of the fingerprints' first halves.
    init(for count: Int, from lowest: UInt64, through highest: UInt64) {
        self.count = count
        prefix = min(63, UInt64((lowest ^ highest).leadingZeroBitCount))
        var bits = 1
        while bits < Self.maximumBits, count >> bits > Self.size { bits += 1 }
        self.bits = UInt64(bits)
    }

    private func number(of record: MembershipRecord) -> Int {
        Int(truncatingIfNeeded: (record.fingerprint.high &<< prefix) &>> (64 &- bits))
    }

    /// Returns the records of all slices.
    func sorted(_ slices: [ArraySlice<MembershipRecord>]) -> [MembershipRecord] {
        var ends = starts(slices)
        return [MembershipRecord](unsafeUninitializedCapacity: count) { buffer, initialized in
            for slice in slices {
                for record in slice {
                    let bucket = number(of: record)
                    buffer.initializeElement(at: ends[bucket], to: record)
                    ends[bucket] += 1
                }
            }
            initialized = count
            var start = 0
            for end in ends where end > start {
                UnsafeMutableBufferPointer(rebasing: buffer[start..<end]).sortFew()
                start = end
            }
        }
    }

    private func starts(_ slices: [ArraySlice<MembershipRecord>]) -> [Int] {
        var starts = Array(repeating: 0, count: 1 << Int(bits))
        for slice in slices {
            for record in slice { starts[number(of: record)] += 1 }
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

extension UnsafeMutableBufferPointer<MembershipRecord> {
    /// Sorts a few records by insertion; many, which were constructed, in another way.
    fileprivate func sortFew() {
        guard count <= 32 else {
            var bucket = self
            bucket.sort { $0.fingerprint.precedes($1.fingerprint) }
            return
        }
        for index in 1..<Swift.max(1, count) {
            let record = self[index]
            var place = index
            while place > 0, record.fingerprint.precedes(self[place - 1].fingerprint) {
                self[place] = self[place - 1]
                place -= 1
            }
            if place < index { self[place] = record }
        }
    }
}

extension Fingerprint {
    /// The same as `<`, which is not inlined because it belongs to another module.
    func precedes(_ other: Fingerprint) -> Bool {
        high == other.high ? low < other.low : high < other.high
    }

    /// The same as `==`, which is not inlined because it belongs to another module.
    func isSame(as other: Fingerprint) -> Bool {
        high == other.high && low == other.low
    }
}
