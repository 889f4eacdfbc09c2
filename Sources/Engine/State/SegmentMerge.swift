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
        var records = sorted(segments)
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

    /// Records about the same registration stay in the order of their segments.
    private static func sorted(_ segments: [[MembershipRecord]]) -> [MembershipRecord] {
        var (lowest, highest, count) = (UInt64.max, UInt64.min, 0)
        for segment in segments {
            lowest = min(lowest, segment[0].fingerprint.high)
            highest = max(highest, segment[segment.count - 1].fingerprint.high)
            count += segment.count
        }
        return FingerprintBuckets(for: count, from: lowest, through: highest)
            .sorted(segments) { $0.fingerprint }
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
