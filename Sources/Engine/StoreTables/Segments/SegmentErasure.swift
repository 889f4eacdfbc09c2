import CampaignModel
import FoundationEssentials
import State

/// Fingerprints that have the same first bits, or a single one.
struct FingerprintRange {
    let first: Fingerprint
    let last: Fingerprint
}

extension SegmentTables {
    /// Erases all records about registrations, also replaced ones, and their registrations.
    ///
    /// No full merge may be unfinished, because the moved registrations are still in the old pages.
    /// `ranges`: sorted and disjoint. Returns the records of the members among them.
    func erase(_ ranges: [FingerprintRange], of scope: Int64) throws -> [MembershipRecord] {
        let segments = try segments(of: scope)
        var erased: [[MembershipRecord]] = []
        for segment in segments {
            let place = SegmentPlace(scope: scope, segment: segment.id)
            erased.append(try erase(ranges, at: place))
        }
        try erase(erased.joined().filter { $0.memberStatus != nil }.map(\.place))
        return SegmentMerge.merged(erased).filter { $0.memberStatus != nil }
    }

    /// Rewrites the chunks of a segment that contain one of these fingerprints.
    private func erase(
        _ ranges: [FingerprintRange],
        at place: SegmentPlace
    ) throws -> [MembershipRecord] {
        var erased: [MembershipRecord] = []
        for last in try chunks(at: place, in: ranges) {
            let records = try chunk(at: place, last: last)
            let gone = records.filter { ranges.contain($0.fingerprint) }
            guard !gone.isEmpty else { continue }
            erased += gone
            try db.run(
                "DELETE FROM membership_chunks WHERE segment = ? AND last = ?",
                arguments: [place.segment, last.blob]
            )
            try insert(records.filter { !ranges.contain($0.fingerprint) }[...], into: place)
        }
        return erased
    }

    /// The last fingerprints of the chunks that may contain one in these ranges.
    private func chunks(
        at place: SegmentPlace,
        in ranges: [FingerprintRange]
    ) throws -> [Fingerprint] {
        let rows = try db.rows(
            """
            SELECT first, last, checksum, records FROM membership_chunks
            WHERE segment = ? ORDER BY last
            """,
            arguments: [place.segment]
        )
        var found: [Fingerprint] = []
        while let row = try rows.next() {
            let chunk = try StoredChunk(row, at: place, sealer: sealer)
            if ranges.meet(FingerprintRange(first: chunk.first, last: chunk.last)) {
                found.append(chunk.last)
            }
        }
        return found
    }

    private func chunk(at place: SegmentPlace, last: Fingerprint) throws -> [MembershipRecord] {
        let row = try db.row(
            """
            SELECT first, last, checksum, records FROM membership_chunks
            WHERE segment = ? AND last = ?
            """,
            arguments: [place.segment, last.blob]
        )
        guard let row else { return [] }
        return try StoredChunk(row, at: place, sealer: sealer).records(row)
    }
}

extension [FingerprintRange] {
    /// Returns the index of the first range that does not end before a fingerprint.
    private func firstIndex(reaching fingerprint: Fingerprint) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].last < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether one of these sorted ranges contains a fingerprint.
    func contain(_ fingerprint: Fingerprint) -> Bool {
        let index = firstIndex(reaching: fingerprint)
        return index < count && self[index].first <= fingerprint
    }

    /// Whether one of these sorted ranges has a fingerprint in common with another range.
    func meet(_ range: FingerprintRange) -> Bool {
        let index = firstIndex(reaching: range.first)
        return index < count && self[index].first <= range.last
    }
}
