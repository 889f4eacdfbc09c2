import CampaignModel
import JSON
package import State

extension TableStore {
    package func guards() throws(StateStoreError) -> AppliedGuards {
        try read { db in try appliedGuards(in: db) }
    }

    func appliedGuards(in db: any StateDatabase) throws -> AppliedGuards {
        var aims: [MembershipScope: MembershipGoal] = [:]
        // A completed change does not allow the next one.
        let rows = try db.rows(
            """
            SELECT audience, topic, list FROM membership_aims JOIN runs ON runs.id = run
            WHERE runs.status <> ?
            """,
            arguments: [RunStatus.complete.rawValue]
        )
        while let row = try rows.next() {
            let list = try row.decode(String?.self, atIndex: 2)
            aims[try scope(row, from: 0)] = list.map { .list(ListID(text: $0)) } ?? .nobody
        }
        let meta = try db.row("SELECT project_id, approvals FROM meta")
        return AppliedGuards(
            projectID: try meta?.decode(String?.self, atIndex: 0),
            aims: aims,
            approvals: try meta?.decode(String?.self, atIndex: 1).map(approvals)
        )
    }

    private func approvals(stored text: String) throws -> ApprovalPolicy {
        guard let policy = JSONValue(stored: text).flatMap(ApprovalPolicy.init(stored:)) else {
            throw damaged("the approvals that plans need cannot be read")
        }
        return policy
    }

    func keep(_ policy: ApprovalPolicy?, in db: any StateDatabase) throws {
        try db.run("UPDATE meta SET approvals = ?", arguments: [policy?.stored.compactText])
    }

    func pin(projectID: String, in db: any StateDatabase) throws {
        try db.run("UPDATE meta SET project_id = ?", arguments: [projectID])
    }

    func aim(
        _ scope: MembershipScope,
        at aim: MembershipGoal,
        in run: RunID,
        on db: any StateDatabase
    ) throws {
        try db.run(
            """
            INSERT INTO membership_aims (audience, topic, list, run) VALUES (?, ?, ?, ?)
            ON CONFLICT (audience, topic) DO UPDATE SET list = excluded.list, run = excluded.run
            """,
            arguments: [scope.audience.rawValue, scope.topic.name, aim.list?.text, run.number]
        )
    }
}

extension MembershipGoal {
    fileprivate var list: ListID? {
        if case .list(let id) = self { id } else { nil }
    }
}
