import CampaignModel
package import State
import Time

/// The work that changes of memberships leave to a later time.
package struct MembershipUpkeep {
    /// Whether this store changed scopes whose members were not counted since then.
    package var hasUncountedScopes = false
    /// The scopes in which so many records are obsolete that a full merge should begin.
    package var mergeableScopes: Set<Int64> = []
    /// The number of segments by level of the scopes that this store changed, or a few more.
    ///
    /// Only the holder of the write lock changes them, and counting them takes as long as a change.
    package var segmentCounts: [Int64: [StoredSegment.Level: Int]] = [:]

    package init() {}
}

// MARK: - Counts

extension TableStore {
    package func membershipOverview() throws(StateStoreError) -> MembershipOverview {
        // Without stored counts, the result is the same and only takes longer.
        if upkeep.hasUncountedScopes { try? countMembers() }
        return try read { db in
            MembershipOverview(
                summaries: try membershipSummaries(in: db),
                lastJoins: try lastJoins(in: db)
            )
        }
    }

    /// Returns summaries of the scopes with members.
    func membershipSummaries(in db: any StateDatabase) throws -> [MembershipSummary] {
        var summaries: [MembershipSummary] = []
        let rows = try db.rows(
            "SELECT audience, topic, id, counted FROM scopes ORDER BY audience, topic"
        )
        while let row = try rows.next() {
            let scope = try scope(row, from: 0)
            let id = try row.decode(Int64.self, atIndex: 2)
            let counts =
                try row.decode(Bool.self, atIndex: 3)
                ? try storedCounts(of: id, in: db) : try segmentTables(db).counts(of: id).members
            guard !counts.isEmpty else { continue }
            summaries.append(
                MembershipSummary(audience: scope.audience, topic: scope.topic, counts: counts)
            )
        }
        return summaries
    }

    private func storedCounts(
        of scope: Int64,
        in db: any StateDatabase
    ) throws -> [MembershipStatus: Int] {
        var counts: [MembershipStatus: Int] = [:]
        let rows = try db.rows(
            "SELECT status, members FROM scope_counts WHERE scope = ?",
            arguments: [scope]
        )
        while let row = try rows.next() {
            guard let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 0))
            else { throw damaged("a membership cannot be read") }
            counts[status] = try row.decode(Int.self, atIndex: 1)
        }
        return counts
    }

    /// Stores the counts of scopes that have changed, also by an interrupted run.
    private func countMembers() throws(StateStoreError) {
        let isDue = try read { db in
            try db.row("SELECT 1 FROM scopes WHERE counted = 0 LIMIT 1") != nil
        }
        guard isDue else { return }
        let mergeable = try write { db in
            let changed = try db.numbers("SELECT id FROM scopes WHERE counted = 0")
            return try changed.filter { try count($0, in: db) }
        }
        upkeep.hasUncountedScopes = false
        upkeep.mergeableScopes.formUnion(mergeable)
    }

    /// Returns whether a full merge is worth its time; everything about an empty scope is deleted.
    private func count(_ scope: Int64, in db: any StateDatabase) throws -> Bool {
        let tables = segmentTables(db)
        let counts = try tables.counts(of: scope)
        try db.run("DELETE FROM scope_counts WHERE scope = ?", arguments: [scope])
        for (status, members) in counts.members {
            try db.run(
                "INSERT INTO scope_counts (scope, status, members) VALUES (?, ?, ?)",
                arguments: [scope, status.rawValue, members]
            )
        }
        try db.run("UPDATE scopes SET counted = 1 WHERE id = ?", arguments: [scope])
        guard counts.memberCount > 0 else {
            try tables.deleteAll(of: scope)
            return false
        }
        return SegmentPolicy.isWorthMerging(
            records: counts.records,
            members: counts.memberCount
        )
    }

    func lastJoins(in db: any StateDatabase) throws -> [Topic: Instant] {
        var joins: [Topic: Instant] = [:]
        let rows = try db.rows(
            "SELECT topic, max(joined) FROM scopes WHERE joined IS NOT NULL GROUP BY topic"
        )
        while let row = try rows.next() {
            guard let topic = Topic(try row.decode(String.self, atIndex: 0)) else {
                throw damaged("a topic has an invalid name")
            }
            joins[topic] = Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 1))
        }
        return joins
    }
}

// MARK: - Merges

extension TableStore {
    /// Performs the merge that is due after a commit that added segments, in a separate transaction.
    func mergeIfDue(_ scope: Int64, adding segments: Int) throws(StateStoreError) {
        guard var counts = upkeep.segmentCounts[scope] else {
            upkeep.segmentCounts[scope] = try read { db in
                try segmentTables(db).segmentCounts(of: scope)
            }
            return
        }
        counts[.commit, default: 0] += segments
        upkeep.segmentCounts[scope] = counts
        if let due = SegmentPolicy.merge(after: counts) { try merge(due, in: scope) }
    }

    private func merge(
        _ merge: SegmentPolicy.Merge,
        in scope: Int64
    ) throws(StateStoreError) {
        upkeep.segmentCounts[scope] = try write { db in
            let tables = segmentTables(db)
            try tables.perform(merge, in: scope)
            return try tables.segmentCounts(of: scope)
        }
    }

    /// Stores the counts of members, and merges obsolete records for a limited time, at the end of
    /// a run.
    package func keepUpMemberships() throws(StateStoreError) {
        // The next plan then reads fewer segments, and most replaced records are already dropped.
        for (scope, counts) in upkeep.segmentCounts
        where counts[.commit, default: 0] >= SegmentPolicy.manyCommits {
            try merge(.commits, in: scope)
        }
        try countMembers()
        for scope in upkeep.mergeableScopes {
            var parts = 1
            while try mergePart(of: scope), parts < Self.maximumParts { parts += 1 }
        }
        upkeep.mergeableScopes = []
    }

    /// About two seconds.
    private static var maximumParts: Int { 16 }

    /// Moves the next part of a full merge; returns whether there is another one.
    @discardableResult
    private func mergePart(of scope: Int64) throws(StateStoreError) -> Bool {
        let counts = try write { db in
            let tables = segmentTables(db)
            try tables.mergePart(of: scope)
            return try tables.segmentCounts(of: scope)
        }
        upkeep.segmentCounts[scope] = counts
        return counts[.unfinished] != nil
    }

    /// Completes full merges: until then, the moved registrations are also in their old pages.
    package func completeMerges() throws(StateStoreError) {
        let scopes = try read { db in
            try db.numbers(
                "SELECT DISTINCT scope FROM membership_segments WHERE level = ?",
                arguments: [StoredSegment.Level.unfinished.rawValue]
            )
        }
        for scope in scopes {
            while try mergePart(of: scope) {}
        }
    }
}
