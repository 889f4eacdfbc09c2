package import CampaignModel
import FoundationEssentials
import GRDB
package import State
package import Time

extension SQLiteStore {
    package func memberships(in scope: MembershipScope) throws(StateStoreError) -> [Membership] {
        try read { db in
            guard let row = try find(scope, in: db) else { return [] }
            var members: [Membership] = []
            let rows = try db.rows(
                "SELECT fingerprint, status FROM memberships WHERE scope = ? ORDER BY fingerprint",
                arguments: [row]
            )
            while let row = try rows.next() {
                let blob = try row.decode(Data.self, atIndex: 0)
                let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 1))
                guard let fingerprint = Fingerprint(blob: blob), let status else {
                    throw damaged("a membership cannot be read")
                }
                members.append(Membership(fingerprint: fingerprint, status: status))
            }
            return members
        }
    }

    package func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) throws(StateStoreError) -> [RecordedMember] {
        try read { db in
            guard let row = try find(scope, in: db) else { return [] }
            var members: [RecordedMember] = []
            let rows = try db.rows(
                """
                SELECT fingerprint, status, registration, sealed FROM memberships
                WHERE scope = ? AND fingerprint > ? ORDER BY fingerprint LIMIT ?
                """,
                arguments: [row, fingerprint?.blob ?? Data(), limit]
            )
            while let member = try rows.next() {
                members.append(try recordedMember(member, scope: row))
            }
            return members
        }
    }

    private func recordedMember(_ row: Row, scope: Int64) throws -> RecordedMember {
        let blob = try row.decode(Data.self, atIndex: 0)
        let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 1))
        guard let fingerprint = Fingerprint(blob: blob), let status else {
            throw damaged("a membership cannot be read")
        }
        return RecordedMember(
            member: Member(
                fingerprint: fingerprint,
                registration: try registration(row, from: 2, of: fingerprint, scope: scope)
            ),
            status: status
        )
    }

    package func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) throws(StateStoreError) -> [Fingerprint: Set<MembershipStatus>] {
        try read { db in
            var standings: [Fingerprint: Set<MembershipStatus>] = [:]
            for scope in try scopes(of: topic, in: db) {
                for fingerprint in fingerprints {
                    guard let status = try status(of: fingerprint, scope: scope, in: db) else {
                        continue
                    }
                    standings[fingerprint, default: []].insert(status)
                }
            }
            return standings
        }
    }

    private func scopes(of topic: Topic, in db: Database) throws -> [Int64] {
        var scopes: [Int64] = []
        let rows = try db.rows(
            "SELECT id FROM scopes WHERE topic = ? AND members > 0",
            arguments: [topic.name]
        )
        while let row = try rows.next() { scopes.append(try row.decode(Int64.self, atIndex: 0)) }
        return scopes
    }

    private func status(
        of fingerprint: Fingerprint,
        scope: Int64,
        in db: Database
    ) throws -> MembershipStatus? {
        let row = try db.row(
            "SELECT status FROM memberships WHERE scope = ? AND fingerprint = ?",
            arguments: [scope, fingerprint.blob]
        )
        guard let row else { return nil }
        guard let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 0))
        else { throw damaged("a membership cannot be read") }
        return status
    }

    private func member(_ fingerprint: Fingerprint, scope: Int64, in db: Database) throws -> Member?
    {
        let row = try db.row(
            "SELECT registration, sealed FROM memberships WHERE scope = ? AND fingerprint = ?",
            arguments: [scope, fingerprint.blob]
        )
        guard let row else { return nil }
        let registration = try registration(row, from: 0, of: fingerprint, scope: scope)
        return Member(fingerprint: fingerprint, registration: registration)
    }
}

extension SQLiteStore {
    package func membershipOverview() throws(StateStoreError) -> MembershipOverview {
        try read { db in
            MembershipOverview(
                summaries: try membershipSummaries(in: db),
                lastJoins: try lastJoins(in: db)
            )
        }
    }

    /// Returns summaries of the scopes with members.
    func membershipSummaries(in db: Database) throws -> [MembershipSummary] {
        var summaries: [MembershipSummary] = []
        let rows = try db.rows(
            """
            SELECT audience, topic, status, scope_counts.members
            FROM scope_counts JOIN scopes ON scopes.id = scope
            WHERE scope_counts.members > 0 ORDER BY audience, topic
            """
        )
        while let row = try rows.next() {
            let scope = try scope(row, from: 0)
            guard let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 2))
            else { throw damaged("a membership cannot be read") }
            var counts = [status: try row.decode(Int.self, atIndex: 3)]
            if let last = summaries.last, last.scope == scope {
                counts.merge(last.counts) { $0 + $1 }
                summaries.removeLast()
            }
            summaries.append(
                MembershipSummary(audience: scope.audience, topic: scope.topic, counts: counts)
            )
        }
        return summaries
    }

    func lastJoins(in db: Database) throws -> [Topic: Instant] {
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

extension SQLiteStore {
    package func membershipTransport() throws(StateStoreError) -> MembershipTransport? {
        try read { db in
            let row = try db.row("SELECT membership_transport FROM meta")
            return try row?.decode(String?.self, atIndex: 0).flatMap(MembershipTransport.init)
        }
    }

    package func remember(_ transport: MembershipTransport) throws(StateStoreError) {
        try write { db in
            try db.run("UPDATE meta SET membership_transport = ?", arguments: [transport.rawValue])
        }
    }

    package func record(
        _ members: [Member],
        as status: MembershipStatus,
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            let row = try findOrMake(scope, in: db)
            var added = 0
            for member in members where try !renew(member, as: status, scope: row, in: db) {
                try db.run(
                    """
                    INSERT INTO memberships (registration, sealed, status, scope, fingerprint)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    arguments: try arguments(member, as: status, scope: row)
                )
                added += 1
            }
            try count(added, to: row, in: db)
        }
    }

    package func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) -> [Member] {
        try write { db in
            guard let row = try find(scope, in: db) else { return [] }
            for fingerprint in fingerprints {
                let member = StoredMember(scope: row, fingerprint: fingerprint)
                try mark(member, as: .leaving, in: db)
            }
            return try fingerprints.compactMap { try member($0, scope: row, in: db) }
        }
    }

    package func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope,
        at moment: Instant
    ) throws(StateStoreError) {
        try write { db in
            guard let row = try find(scope, in: db) else { return }
            if results.contains(where: { $0.verdict == .done }) {
                try db.run(
                    "UPDATE scopes SET joined = ? WHERE id = ?",
                    arguments: [moment.secondsSince1970, row]
                )
            }
            for result in results {
                let member = StoredMember(scope: row, fingerprint: result.fingerprint)
                switch result.verdict {
                case .done:
                    try mark(member, as: .joined, in: db)
                case .refused(let word):
                    try mark(member, as: .refused, detail: word, in: db)
                }
            }
        }
    }

    package func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            guard let row = try find(scope, in: db) else { return }
            var removed = 0
            for result in results {
                try db.run(
                    "DELETE FROM memberships WHERE scope = ? AND fingerprint = ?",
                    arguments: [row, result.fingerprint.blob]
                )
                removed += db.changesCount
            }
            try count(-removed, to: row, in: db)
        }
    }
}

extension SQLiteStore {
    private func find(_ scope: MembershipScope, in db: Database) throws -> Int64? {
        try db.row(
            "SELECT id FROM scopes WHERE topic = ? AND audience = ?",
            arguments: [scope.topic.name, scope.audience.rawValue]
        )?.decode(Int64.self, atIndex: 0)
    }

    private func findOrMake(_ scope: MembershipScope, in db: Database) throws -> Int64 {
        if let row = try find(scope, in: db) { return row }
        try db.run(
            "INSERT INTO scopes (topic, audience) VALUES (?, ?)",
            arguments: [scope.topic.name, scope.audience.rawValue]
        )
        return db.lastInsertedRowID
    }

    private func count(_ change: Int, to scope: Int64, in db: Database) throws {
        guard change != 0 else { return }
        try db.run(
            "UPDATE scopes SET members = members + ? WHERE id = ?",
            arguments: [change, scope]
        )
    }

    /// Returns false if there is no such member yet.
    private func renew(
        _ member: Member,
        as status: MembershipStatus,
        scope: Int64,
        in db: Database
    ) throws -> Bool {
        try db.run(
            """
            UPDATE memberships SET registration = ?, sealed = ?, status = ?, detail = NULL
            WHERE scope = ? AND fingerprint = ?
            """,
            arguments: try arguments(member, as: status, scope: scope)
        )
        return db.changesCount > 0
    }

    private func arguments(
        _ member: Member,
        as status: MembershipStatus,
        scope: Int64
    ) throws -> StatementArguments {
        let registration = try columns(member, scope: scope)
        let place: StatementArguments = [status.rawValue, scope, member.fingerprint.blob]
        return registration + place
    }

    private func mark(
        _ member: StoredMember,
        as status: MembershipStatus,
        detail: String? = nil,
        in db: Database
    ) throws {
        try db.run(
            "UPDATE memberships SET status = ?, detail = ? WHERE scope = ? AND fingerprint = ?",
            arguments: [status.rawValue, detail, member.scope, member.fingerprint.blob]
        )
    }
}

/// The key of a row of `memberships`.
private struct StoredMember {
    let scope: Int64
    let fingerprint: Fingerprint
}
