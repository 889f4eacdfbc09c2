import CampaignModel
import FoundationEssentials
import State

/// Searches a scope for registrations, reading only the chunks that may contain them.
extension SegmentTables {
    /// Returns the member of each fingerprint, or nil; `fingerprints` are sorted and different.
    func members(
        _ fingerprints: [Fingerprint],
        of scope: Int64
    ) throws -> [MembershipRecord?] {
        var found = [MembershipRecord?](repeating: nil, count: fingerprints.count)
        let segments = try segments(of: scope)
        let starts = Self.starts(of: segments)
        for segment in segments {
            let first = starts[segment.id].map { fingerprints.sortedIndex(from: $0) } ?? 0
            try search(
                SegmentPlace(scope: scope, segment: segment.id),
                for: fingerprints,
                from: first,
                into: &found
            )
        }
        return found.map { $0?.memberStatus == nil ? nil : $0 }
    }

    /// Merges the records of a newer segment into those that were found.
    private func search(
        _ place: SegmentPlace,
        for fingerprints: [Fingerprint],
        from first: Int,
        into found: inout [MembershipRecord?]
    ) throws {
        guard first < fingerprints.count else { return }
        var next = first
        let rows = try db.rows(
            """
            SELECT first, last, checksum, records FROM membership_chunks
            WHERE segment = ? AND last >= ? ORDER BY last
            """,
            arguments: [place.segment, fingerprints[first].blob]
        )
        while next < fingerprints.count, let row = try rows.next() {
            let chunk = try StoredChunk(row, at: place, sealer: sealer)
            let range = fingerprints.sortedRange(from: chunk.first, through: chunk.last)
                .clamped(to: first..<fingerprints.count)
            next = range.upperBound
            guard !range.isEmpty else { continue }
            let wanted = SortedPart(of: fingerprints, in: range)
            var records: [MembershipRecord] = []
            try chunk.read(row, from: wanted.first, through: wanted.last, into: &records)
            for (index, record) in wanted.matches(records) {
                var dropped: [RegistrationPlace] = []
                found[index] =
                    found[index].map { record.replacing($0, dropping: &dropped) } ?? record
            }
        }
    }
}

/// A range of sorted fingerprints.
struct SortedPart {
    private let all: [Fingerprint]
    private let range: Range<Int>

    /// `range`: not empty.
    init(of all: [Fingerprint], in range: Range<Int>) {
        self.all = all
        self.range = range
    }

    var first: Fingerprint { all[range.lowerBound] }
    var last: Fingerprint { all[range.upperBound - 1] }

    /// Returns the records about these fingerprints, with the indices of the fingerprints.
    ///
    /// `records`: sorted. Each element of the shorter sequence is searched for in the longer one.
    func matches(_ records: [MembershipRecord]) -> [(index: Int, record: MembershipRecord)] {
        if records.count < range.count {
            return records.compactMap { record in
                index(of: record.fingerprint).map { ($0, record) }
            }
        }
        var start = 0
        return range.compactMap { index in
            start = Self.firstIndex(in: records, from: start, of: all[index])
            guard start < records.count, records[start].fingerprint == all[index] else {
                return nil
            }
            return (index, records[start])
        }
    }

    private func index(of fingerprint: Fingerprint) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && all[low] == fingerprint ? low : nil
    }

    /// Returns the first index of a record that is not below a fingerprint.
    private static func firstIndex(
        in records: [MembershipRecord],
        from start: Int,
        of fingerprint: Fingerprint
    ) -> Int {
        var (low, high) = (start, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].fingerprint < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
