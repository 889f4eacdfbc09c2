import CampaignModel
import FoundationEssentials
import State
import StoreTables

/// A pass over all memberships that finds damage, with one part of a scope in memory.
struct StoredMembers {
    private let tables: SegmentTables

    init(_ tables: SegmentTables) {
        self.tables = tables
    }

    /// What cannot be read.
    struct Damage {
        fileprivate(set) var chunks: [BrokenChunk] = []
        fileprivate(set) var pages: [Int64] = []
        /// The scopes with members whose registrations are missing.
        fileprivate(set) var scopes: Set<Int64> = []

        var isEmpty: Bool { chunks.isEmpty && pages.isEmpty && scopes.isEmpty }
    }

    struct BrokenChunk {
        let row: Int64
        let scope: Int64
        /// Number of its records.
        let count: Int
    }

    func damage() throws -> Damage {
        var damage = Damage(chunks: try brokenChunks(), pages: try brokenPages())
        let broken = Set(damage.chunks.map(\.scope))
        for scope in try tables.db.numbers("SELECT id FROM scopes")
        where try broken.contains(scope) || hasUnreadableMembers(scope) {
            damage.scopes.insert(scope)
        }
        return damage
    }

    private func brokenChunks() throws -> [BrokenChunk] {
        var broken: [BrokenChunk] = []
        let rows = try tables.db.rows(
            """
            SELECT first, last, checksum, records, c.rowid, scope, segment, c.count
            FROM membership_chunks AS c JOIN membership_segments ON id = segment
            """
        )
        while let row = try rows.next() {
            let place = SegmentPlace(
                scope: try row.decode(Int64.self, atIndex: 5),
                segment: try row.decode(Int64.self, atIndex: 6)
            )
            if isReadable(row, at: place) { continue }
            broken.append(
                BrokenChunk(
                    row: try row.decode(Int64.self, atIndex: 4),
                    scope: place.scope,
                    count: try row.decode(Int.self, atIndex: 7)
                )
            )
        }
        return broken
    }

    private func isReadable(_ row: any StoredRow, at place: SegmentPlace) -> Bool {
        guard let chunk = try? StoredChunk(row, at: place, sealer: tables.sealer) else {
            return false
        }
        return (try? chunk.records(row)) != nil
    }

    private func brokenPages() throws -> [Int64] {
        try tables.db.numbers("SELECT id FROM registration_pages").filter { number in
            guard let number = UInt32(exactly: number) else { return true }
            return (try? tables.page(number)) == nil
        }
    }

    private func hasUnreadableMembers(_ scope: Int64) throws -> Bool {
        for part in try tables.parts(of: scope, dividedBy: SegmentTables.stretch) {
            let records = SegmentMerge.merged(try tables.records(of: scope, in: part))
            let members = records.filter { $0.memberStatus != nil }
            if tables.readableMembers(members).count < members.count { return true }
        }
        return false
    }
}

extension SegmentTables {
    /// Returns the members whose registrations can be read.
    func readableMembers(_ members: [MembershipRecord]) -> [MembershipRecord] {
        var pages: [UInt32: RegistrationPage] = [:]
        for number in Set(members.map(\.place.page)) { pages[number] = try? page(number) }
        return members.filter { member in
            pages[member.place.page]?.registration(member.place.slot) != nil
        }
    }
}

// MARK: - Salvage

extension StoredMembers {
    /// Drops everything that cannot be read, and stores the other members again.
    ///
    /// `isIncomplete`: whether records may be missing. Then an older record may be the newest one
    /// that is left, so a joined member becomes joining: the next apply repeats its request.
    ///
    /// Returns the number of lost members.
    func salvage(isIncomplete: Bool) throws -> Int {
        let damage = try damage()
        for chunk in damage.chunks {
            try tables.db.run(
                "DELETE FROM membership_chunks WHERE rowid = ?",
                arguments: [chunk.row]
            )
        }
        for page in damage.pages {
            try tables.db.run("DELETE FROM registration_pages WHERE id = ?", arguments: [page])
        }
        var lost = 0
        let broken = Dictionary(grouping: damage.chunks, by: \.scope)
        for scope in try tables.db.numbers("SELECT id FROM scopes")
        where isIncomplete || damage.scopes.contains(scope) {
            let counted = try countedMembers(of: scope)
            let count = try rebuild(scope, isIncomplete: isIncomplete || broken[scope] != nil)
            let missing = broken[scope, default: []].reduce(0) { $0 + $1.count }
            lost += max(0, (counted ?? count.found + missing) - count.kept)
        }
        return lost
    }

    /// The number of members when the state was counted last; nil if it changed since then.
    private func countedMembers(of scope: Int64) throws -> Int? {
        let row = try tables.db.row(
            """
            SELECT (SELECT coalesce(sum(members), 0) FROM scope_counts WHERE scope = id)
            FROM scopes WHERE id = ? AND counted = 1
            """,
            arguments: [scope]
        )
        return try row?.decode(Int.self, atIndex: 0)
    }

    /// Replaces all segments and pages of a scope by new ones with the readable members.
    private func rebuild(
        _ scope: Int64,
        isIncomplete: Bool
    ) throws -> (found: Int, kept: Int) {
        let (old, lastPage) = (try tables.segments(of: scope), try tables.db.lastRegistrationPage())
        let parts = try tables.parts(of: scope, dividedBy: SegmentTables.stretch)
        let place = try tables.makeSegment(as: .whole, scope: scope)
        var (found, kept) = (0, 0)
        for part in parts {
            let records = SegmentMerge.merged(try tables.records(of: old, scope: scope, in: part))
                .filter { $0.memberStatus != nil }
            let members = tables.readableMembers(records)
            let moved = try tables.copy(members, of: scope)
            try tables.append(isIncomplete ? moved.map(\.repeatingJoin) : moved, to: place)
            (found, kept) = (found + records.count, kept + moved.count)
        }
        for segment in old { try tables.delete(segment) }
        if kept == 0 { try tables.delete(place.segment) }
        try tables.db.run(
            "DELETE FROM registration_pages WHERE scope = ? AND id <= ?",
            arguments: [scope, lastPage]
        )
        try tables.db.run("UPDATE scopes SET counted = 0 WHERE id = ?", arguments: [scope])
        return (found, kept)
    }
}

extension MembershipRecord {
    fileprivate var repeatingJoin: MembershipRecord {
        guard memberStatus == .joined else { return self }
        return MembershipRecord(fingerprint: fingerprint, content: .member(.joining), place: place)
    }
}
