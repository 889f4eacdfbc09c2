import CampaignModel

/// Merges segments of a membership.
package enum SegmentMerge {
    /// Returns one segment with the same meaning as these, the oldest first.
    package static func merged(_ segments: [[MembershipRecord]]) -> [MembershipRecord] {
        var dropped: [RegistrationPlace] = []
        return merged(segments, dropping: &dropped)
    }

    /// Returns one segment with the same meaning as these, the oldest first.
    ///
    /// The time does not depend on the number of segments. `dropped`: gets the places of
    /// registrations to which no record refers any more.
    package static func merged(
        _ segments: [[MembershipRecord]],
        dropping dropped: inout [RegistrationPlace]
    ) -> [MembershipRecord] {
        let segments = segments.filter { !$0.isEmpty }
        guard segments.count > 1 else { return segments.first ?? [] }
        var merged: [MembershipRecord] = []
        merged.reserveCapacity(segments.reduce(0) { $0 + $1.count })
        var stretches = SegmentStretches(of: segments)
        while let records = stretches.next(dropping: &dropped) { merged += records }
        return merged
    }

    /// Returns the members of these segments, the oldest first, sorted by fingerprint.
    static func members(_ segments: [[MembershipRecord]]) -> [Membership] {
        let segments = segments.filter { !$0.isEmpty }
        var members: [Membership] = []
        members.reserveCapacity(segments.reduce(0) { $0 + $1.count })
        var dropped: [RegistrationPlace] = []
        var stretches = SegmentStretches(of: segments)
        while let records = stretches.next(dropping: &dropped) {
            for record in records {
                guard let status = record.memberStatus else { continue }
                members.append(Membership(fingerprint: record.fingerprint, status: status))
            }
            dropped.removeAll(keepingCapacity: true)
        }
        return members
    }
}

/// The merged records of sorted segments in the order of their fingerprints, a stretch at a time.
///
/// A stretch fits in a core's cache.
private struct SegmentStretches {
    private let segments: [[MembershipRecord]]
    /// The first record of each segment that was not returned.
    private var places: [Int]
    /// The number of the stretch that is returned next, and of all stretches.
    private var number = 0
    private let count: Int
    /// The highest bits that all fingerprints have in common.
    private let prefix: UInt64
    private let bits: UInt64

    private static let size = 4_096

    /// `segments`: none is empty.
    init(of segments: [[MembershipRecord]]) {
        self.segments = segments
        places = Array(repeating: 0, count: segments.count)
        var (lowest, highest, count) = (UInt64.max, UInt64.min, 0)
        for segment in segments {
            lowest = min(lowest, segment[0].fingerprint.high)
            highest = max(highest, segment[segment.count - 1].fingerprint.high)
            count += segment.count
        }
        prefix = min(63, UInt64((lowest ^ highest).leadingZeroBitCount))
        bits = min(64 - prefix, UInt64(FingerprintPart.bits(of: count, dividedBy: Self.size)))
        self.count = 1 << Int(bits)
    }

    /// Returns nil at the end.
    ///
    /// `dropped`: gets the places of registrations to which no record refers any more.
    mutating func next(dropping dropped: inout [RegistrationPlace]) -> [MembershipRecord]? {
        guard number < count else { return nil }
        defer { number += 1 }
        var slices: [ArraySlice<MembershipRecord>] = []
        var (lowest, highest, total) = (UInt64.max, UInt64.min, 0)
        for index in segments.indices {
            let start = places[index]
            let place = end(ofStretch: number, in: segments[index], from: start)
            guard place > start else { continue }
            places[index] = place
            slices.append(segments[index][start..<place])
            lowest = min(lowest, segments[index][start].fingerprint.high)
            highest = max(highest, segments[index][place - 1].fingerprint.high)
            total += place - start
        }
        guard slices.count > 1 else { return slices.first.map { Array($0) } ?? [] }
        return RecordBuckets(for: total, from: lowest, through: highest)
            .sorted(slices)
            .mergingRepetitions(dropping: &dropped)
    }

    private func end(
        ofStretch number: Int,
        in segment: [MembershipRecord],
        from start: Int
    ) -> Int {
        guard number + 1 < count else { return segment.count }
        var place = start
        while place < segment.count, stretch(of: segment[place].fingerprint) <= number {
            place += 1
        }
        return place
    }

    private func stretch(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: (fingerprint.high << prefix) >> (64 - bits))
    }
}

extension [MembershipRecord] {
    /// Returns one record per registration; records about the same one are in the order of their
    /// segments.
    fileprivate consuming func mergingRepetitions(
        dropping dropped: inout [RegistrationPlace]
    ) -> [MembershipRecord] {
        var records = self
        var last = 0
        for index in 1..<records.count {
            if records[index].fingerprint.isSame(as: records[last].fingerprint) {
                records[last] = records[index].replacing(records[last], dropping: &dropped)
            } else {
                last += 1
                if last < index { records[last] = records[index] }
            }
        }
        records.removeLast(records.count - 1 - last)
        return records
    }
}

extension MembershipRecord {
    /// Returns the record with the same meaning as this one and an older one about the same
    /// registration.
    ///
    /// `dropped`: gets the place of a registration to which neither refers any more.
    package func replacing(
        _ older: MembershipRecord,
        dropping dropped: inout [RegistrationPlace]
    ) -> MembershipRecord {
        switch (content, older.content) {
        case (.status(let status), .member):
            return MembershipRecord(
                fingerprint: fingerprint,
                content: .member(status),
                place: older.place
            )
        case (.status, .removed): return older
        case (.member, .member), (.removed, .member):
            dropped.append(older.place)
            return self
        case (.status, .status), (.member, .status), (.member, .removed), (.removed, .status),
            (.removed, .removed):
            return self
        }
    }
}
