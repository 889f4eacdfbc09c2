package import CampaignModel
package import CampaignState
import FoundationEssentials
import GRDB

extension SQLiteStore {
    package func memberships(in scope: MembershipScope) throws(StateStoreError) -> [Membership] {
        try read { db in
            guard let row = try find(scope, db) else { return [] }
            var members: [Membership] = []
            let rows = try db.rows(
                "SELECT fingerprint, status FROM memberships WHERE scope = ? ORDER BY fingerprint",
                [row]
            )
            while let row = try rows.next() {
                let blob = try row.decode(Data.self, atIndex: 0)
                let status = MembershipStatus(rawValue: try row.decode(UInt8.self, atIndex: 1))
                guard let fingerprint = Fingerprint(blob: blob), let status else {
                    throw damaged("a membership is not readable")
                }
                members.append(Membership(fingerprint: fingerprint, status: status))
            }
            return members
        }
    }

    /// Fingerprints without a member give none.
    package func members(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) -> [Member] {
        try read { db in
            guard let row = try find(scope, db) else { return [] }
            return try fingerprints.compactMap { try member($0, scope: row, db) }
        }
    }

    private func member(_ fingerprint: Fingerprint, scope: Int64, _ db: Database) throws -> Member?
    {
        let row = try db.row(
            "SELECT registration FROM memberships WHERE scope = ? AND fingerprint = ?",
            [scope, fingerprint.blob]
        )
        guard let row else { return nil }
        guard let registration = Registration(try row.decode(String.self, atIndex: 0)) else {
            throw damaged("a member's registration is none")
        }
        return Member(fingerprint: fingerprint, registration: registration)
    }
}

extension SQLiteStore {
    package func beginJoin(
        _ members: [Member],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            let row = try findOrMake(scope, db)
            var added = 0
            for member in members where try !rejoin(member, scope: row, db) {
                try db.run(
                    """
                    INSERT INTO memberships (scope, fingerprint, registration, status)
                    VALUES (?, ?, ?, ?)
                    """,
                    [
                        row, member.fingerprint.blob, member.registration.token,
                        MembershipStatus.joining.rawValue,
                    ]
                )
                added += 1
            }
            try count(added, to: row, db)
        }
    }

    package func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            guard let row = try find(scope, db) else { return }
            for fingerprint in fingerprints {
                try mark(fingerprint, as: .leaving, detail: nil, scope: row, db)
            }
        }
    }

    package func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            guard let row = try find(scope, db) else { return }
            for result in results {
                switch result.verdict {
                case .done: try mark(result.fingerprint, as: .joined, detail: nil, scope: row, db)
                case .refused(let word):
                    try mark(result.fingerprint, as: .refused, detail: word, scope: row, db)
                }
            }
        }
    }

    package func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try write { db in
            guard let row = try find(scope, db) else { return }
            var removed = 0
            for result in results {
                try db.run(
                    "DELETE FROM memberships WHERE scope = ? AND fingerprint = ?",
                    [row, result.fingerprint.blob]
                )
                removed += db.changesCount
            }
            try count(-removed, to: row, db)
        }
    }
}

extension SQLiteStore {
    private func find(_ scope: MembershipScope, _ db: Database) throws -> Int64? {
        try db.row(
            "SELECT id FROM scopes WHERE topic = ? AND audience = ?",
            [scope.topic.name, scope.audience.rawValue]
        )?.decode(Int64.self, atIndex: 0)
    }

    private func findOrMake(_ scope: MembershipScope, _ db: Database) throws -> Int64 {
        if let row = try find(scope, db) { return row }
        try db.run(
            "INSERT INTO scopes (topic, audience) VALUES (?, ?)",
            [scope.topic.name, scope.audience.rawValue]
        )
        return db.lastInsertedRowID
    }

    private func count(_ change: Int, to scope: Int64, _ db: Database) throws {
        guard change != 0 else { return }
        try db.run("UPDATE scopes SET members = members + ? WHERE id = ?", [change, scope])
    }

    /// False where there is no such member yet.
    private func rejoin(_ member: Member, scope: Int64, _ db: Database) throws -> Bool {
        try db.run(
            """
            UPDATE memberships SET registration = ?, status = ?, detail = NULL
            WHERE scope = ? AND fingerprint = ?
            """,
            [
                member.registration.token, MembershipStatus.joining.rawValue, scope,
                member.fingerprint.blob,
            ]
        )
        return db.changesCount > 0
    }

    private func mark(
        _ fingerprint: Fingerprint,
        as status: MembershipStatus,
        detail: String?,
        scope: Int64,
        _ db: Database
    ) throws {
        try db.run(
            "UPDATE memberships SET status = ?, detail = ? WHERE scope = ? AND fingerprint = ?",
            [status.rawValue, detail, scope, fingerprint.blob]
        )
    }
}
