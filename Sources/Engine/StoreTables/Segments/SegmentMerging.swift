import CampaignModel
import FoundationEssentials
package import State

/// Merges segments.
///
/// Each function changes only how the members are stored, and is part of one transaction.
extension SegmentTables {
    /// The number of a scope's segments by level.
    package func segmentCounts(of scope: Int64) throws -> [StoredSegment.Level: Int] {
        let rows = try db.rows(
            "SELECT level, count(*) FROM membership_segments WHERE scope = ? GROUP BY level",
            arguments: [scope]
        )
        var counts: [StoredSegment.Level: Int] = [:]
        while let row = try rows.next() {
            let level = StoredSegment.Level(rawValue: try row.decode(Int.self, atIndex: 0))
            guard let level else {
                throw damaged("a segment of memberships has no valid level")
            }
            counts[level] = try row.decode(Int.self, atIndex: 1)
        }
        return counts
    }

    package func perform(_ merge: SegmentPolicy.Merge, in scope: Int64) throws {
        switch merge {
        case .commits: try mergeCommits(of: scope)
        case .part: try mergePart(of: scope)
        }
    }

    /// Merges the segments of single commits; registrations stay on their pages.
    private func mergeCommits(of scope: Int64) throws {
        let segments = try segments(of: scope)
        let commits = segments.filter { $0.level == .commit }
        var dropped: [RegistrationPlace] = []
        var records = SegmentMerge.merged(
            try self.records(of: commits, scope: scope, in: .all),
            dropping: &dropped
        )
        // Without an older segment, only members have a meaning.
        if commits.count == segments.count { records = records.filter { $0.memberStatus != nil } }
        for commit in commits { try delete(commit) }
        try insert(records, as: .merged, scope: scope)
        // Otherwise, no record would lead to them any more when they must be erased.
        try erase(dropped)
    }
}

// MARK: - Full merges

extension SegmentTables {
    /// Moves the next part of a full merge; begins a merge if there is none.
    package func mergePart(of scope: Int64) throws {
        var segments = try segments(of: scope)
        if !segments.contains(where: { $0.level == .unfinished }) {
            try beginMerge(of: segments, scope: scope)
            segments = try self.segments(of: scope)
        }
        guard let target = segments.first(where: { $0.level == .unfinished }),
            let progress = target.progress
        else { throw damaged("a merge of memberships has no target") }
        let sources = segments.filter { $0.target == target.id }
        if !progress.isComplete {
            let part = progress.next
            let members = SegmentMerge.merged(try records(of: sources, scope: scope, in: part))
                .filter { $0.memberStatus != nil }
            var pages: [UInt32: RegistrationPage] = [:]
            let copies = try copy(members, of: scope, reading: &pages)
            try append(copies, to: SegmentPlace(scope: scope, segment: target.id))
            // No later part has a registration in these pages.
            for (number, page) in pages where page.highest <= part.last.high {
                try deletePage(number)
            }
            try finish(part, of: sources, in: target)
        }
        if progress.done + 1 >= 1 << progress.bits {
            try finishMerge(of: sources, into: target, scope: scope)
        }
    }

    /// All present segments become the sources of a new one; newer segments are not affected.
    private func beginMerge(of segments: [StoredSegment], scope: Int64) throws {
        let count = segments.reduce(0) { $0 + $1.count }
        let target = try db.insert(
            """
            INSERT INTO membership_segments (scope, level, count, bits, done, last_page)
            VALUES (?, ?, 0, ?, 0, ?)
            """,
            arguments: [
                scope, StoredSegment.Level.unfinished.rawValue,
                FingerprintPart.bits(of: count, dividedBy: SegmentPolicy.partSize),
                try db.lastRegistrationPage(),
            ]
        )
        try db.run(
            "UPDATE membership_segments SET target = ?, level = ? WHERE scope = ? AND id < ?",
            arguments: [target, StoredSegment.Level.merged.rawValue, scope, target]
        )
    }

    /// Copies the registrations of members to new pages, and returns their new records.
    package func copy(_ members: [MembershipRecord], of scope: Int64) throws -> [MembershipRecord] {
        var pages: [UInt32: RegistrationPage] = [:]
        return try copy(members, of: scope, reading: &pages)
    }

    /// `pages`: gets the pages that were read.
    private func copy(
        _ members: [MembershipRecord],
        of scope: Int64,
        reading pages: inout [UInt32: RegistrationPage]
    ) throws -> [MembershipRecord] {
        var writer = try RegistrationPageWriter(self, scope: scope)
        var copies: [MembershipRecord] = []
        copies.reserveCapacity(members.count)
        for member in members {
            let number = member.place.page
            let page = try pages[number] ?? self.page(number)
            pages[number] = page
            guard let entry = page?.entry(member.place.slot) else {
                throw damaged("a member's registration is invalid")
            }
            let place = try writer.add(entry, of: member.fingerprint)
            copies.append(
                MembershipRecord(
                    fingerprint: member.fingerprint,
                    content: member.content,
                    place: place
                )
            )
        }
        try writer.finish()
        return copies
    }

    private func finish(
        _ part: FingerprintPart,
        of sources: [StoredSegment],
        in target: StoredSegment
    ) throws {
        for source in sources {
            try db.run(
                "DELETE FROM membership_chunks WHERE segment = ? AND last <= ?",
                arguments: [source.id, part.last.blob]
            )
        }
        try db.run(
            "UPDATE membership_segments SET done = done + 1 WHERE id = ?",
            arguments: [target.id]
        )
    }

    private func finishMerge(
        of sources: [StoredSegment],
        into target: StoredSegment,
        scope: Int64
    ) throws {
        for source in sources { try delete(source) }
        try db.run(
            "DELETE FROM registration_pages WHERE scope = ? AND id <= ?",
            arguments: [scope, target.progress?.lastPage ?? 0]
        )
        try db.run(
            """
            UPDATE membership_segments SET level = ?, bits = NULL, done = NULL, last_page = NULL
            WHERE id = ?
            """,
            arguments: [StoredSegment.Level.whole.rawValue, target.id]
        )
        try db.run(
            "DELETE FROM membership_segments WHERE id = ? AND count = 0",
            arguments: [target.id]
        )
    }
}
