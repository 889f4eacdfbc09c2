package import CampaignModel
import FoundationEssentials
import JSON
package import State
import Time

extension TableStore {
    package func runs(
        before: RunID?,
        limit: Int
    ) throws(StateStoreError) -> [RunRecord] {
        try read { db in
            var runs: [RunRecord] = []
            let rows = try db.rows(
                """
                SELECT id, status, command, "user", host, process, began, commit_id, dirty,
                    ci_run, ci_actor, digest, bypasses, serial, ended, cause, approvals,
                    \(OutcomeTally.columns)
                FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?
                """,
                arguments: [before?.number ?? .max, max(0, limit)]
            )
            while let row = try rows.next() { runs.append(try run(row)) }
            return runs
        }
    }

    private func run(_ row: any StoredRow) throws -> RunRecord {
        let id = RunID(number: try row.decode(Int64.self, atIndex: 0))
        guard let status = RunStatus(rawValue: try row.decode(UInt8.self, atIndex: 1)) else {
            throw damaged("run \(id.number) has an unknown status")
        }
        return RunRecord(
            id: id,
            worker: try worker(row, of: id),
            status: status,
            ended: try row.decode(Int64?.self, atIndex: 14).map(Instant.init(secondsSince1970:)),
            tally: try OutcomeTally(row, from: 17),
            cause: try row.decode(String?.self, atIndex: 15),
            serial: try row.decode(Int64?.self, atIndex: 13).map(StateSerial.init(number:))
        )
    }

    private func worker(_ row: any StoredRow, of run: RunID) throws -> Worker {
        let bypasses = JSONValue(stored: try row.decode(String.self, atIndex: 12))?.arrayValue
        guard let bypasses else {
            throw damaged("the bypasses of run \(run.number) cannot be read")
        }
        let approvals = JSONValue(stored: try row.decode(String.self, atIndex: 16))?.arrayValue
        guard let approvals else {
            throw damaged("the approvals of run \(run.number) cannot be read")
        }
        return Worker(
            command: try row.decode(String.self, atIndex: 2),
            user: try row.decode(String.self, atIndex: 3),
            host: try row.decode(String.self, atIndex: 4),
            processID: try row.decode(Int32.self, atIndex: 5),
            since: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 6)),
            origin: RunOrigin(
                commit: try row.decode(String?.self, atIndex: 7),
                isDirty: try row.decode(Bool?.self, atIndex: 8),
                ciRun: try row.decode(String?.self, atIndex: 9),
                ciActor: try row.decode(String?.self, atIndex: 10)
            ),
            digest: try row.decode(String?.self, atIndex: 11),
            bypasses: bypasses.compactMap(\.stringValue),
            approvals: approvals.compactMap(RecordedApproval.init(stored:))
        )
    }

    package func sendings(of run: RunID) throws(StateStoreError) -> [RunOccurrence] {
        try read { db in try sendings(of: run, in: db) }
    }

    package func sendings(
        of occurrence: OccurrenceID
    ) throws(StateStoreError) -> [(run: RunID, sending: RunOccurrence)] {
        try read { db in
            var sendings: [(run: RunID, sending: RunOccurrence)] = []
            let rows = try db.rows(
                """
                \(Self.sendingColumns)
                WHERE campaign = ? AND slot = ? AND revision = ? ORDER BY run
                """,
                arguments: occurrence.arguments
            )
            while let row = try rows.next() { sendings.append(try sending(row)) }
            return sendings
        }
    }

    func sendings(of run: RunID, in db: any StateDatabase) throws -> [RunOccurrence] {
        var sendings: [RunOccurrence] = []
        let rows = try db.rows(
            "\(Self.sendingColumns) WHERE run = ? ORDER BY campaign, slot, revision",
            arguments: [run.number]
        )
        while let row = try rows.next() { sendings.append(try sending(row).sending) }
        return sendings
    }

    private static var sendingColumns: String {
        """
        SELECT run, campaign, slot, revision, repeated, problems, capped, \(OutcomeTally.columns)
        FROM run_sendings
        """
    }

    private func sending(_ row: any StoredRow) throws -> (run: RunID, sending: RunOccurrence) {
        let run = RunID(number: try row.decode(Int64.self, atIndex: 0))
        let sending = RunOccurrence(
            occurrence: try occurrenceID(row, from: 1),
            tally: try OutcomeTally(row, from: 7),
            repeated: try row.decode(Int.self, atIndex: 4),
            capped: try row.decode(Int.self, atIndex: 6),
            problems: try problems(try row.decode(String.self, atIndex: 5), of: run)
        )
        return (run, sending)
    }

    private func problems(_ text: String, of run: RunID) throws -> [RunProblem] {
        let values = JSONValue(stored: text)?.arrayValue
        let problems = values?.compactMap(RunProblem.init(stored:))
        guard let problems, problems.count == values?.count else {
            throw damaged("the problems of run \(run.number) cannot be read")
        }
        return problems
    }

    package func membershipChanges(of run: RunID) throws(StateStoreError) -> [RunMembership] {
        try read { db in
            var changes: [RunMembership] = []
            let rows = try db.rows(
                """
                SELECT audience, topic, joins, leaves, refusals, upstream
                FROM run_memberships WHERE run = ? ORDER BY audience, topic
                """,
                arguments: [run.number]
            )
            while let row = try rows.next() {
                changes.append(
                    RunMembership(
                        scope: try scope(row, from: 0),
                        joined: try row.decode(Int.self, atIndex: 2),
                        left: try row.decode(Int.self, atIndex: 3),
                        refused: try row.decode(Int.self, atIndex: 4),
                        leftUpstream: try row.decode(Int.self, atIndex: 5)
                    )
                )
            }
            return changes
        }
    }
}

extension TableStore {
    package func record(_ sending: RunOccurrence, in run: RunID) async throws(StateStoreError) {
        try await writeTogether { [self] db in try record(sending, in: run, on: db) }
    }

    package func finish(_ sending: RunOccurrence, in run: RunID) async throws(StateStoreError) {
        try await writeTogether { [self] db in
            try record(sending, in: run, on: db)
            try close(sending.occurrence, as: .finished, in: db)
        }
    }

    func record(_ sending: RunOccurrence, in run: RunID, on db: any StateDatabase) throws {
        let head: StatementValues = [run.number]
        let problems = JSONValue.array(sending.problems.map(\.stored)).compactText
        let rest: StatementValues = [sending.repeated, problems, sending.capped]
        try db.run(
            """
            INSERT INTO run_sendings
                (run, campaign, slot, revision, repeated, problems, capped,
                    \(OutcomeTally.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (run, campaign, slot, revision) DO UPDATE SET repeated = excluded.repeated,
                problems = excluded.problems, capped = excluded.capped, \(OutcomeTally.replacements)
            """,
            arguments: head + sending.occurrence.arguments + rest
                + StatementValues(sending.tally.values)
        )
        try append(
            .sending,
            of: ChainedRowKey(in: .sendings, of: run.number, at: sending.occurrence.key),
            in: db
        )
    }

    package func record(_ membership: RunMembership, in run: RunID) throws(StateStoreError) {
        try write { db in
            try db.run(
                """
                INSERT INTO run_memberships
                    (run, audience, topic, joins, leaves, refusals, upstream)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (run, audience, topic) DO UPDATE SET joins = excluded.joins,
                    leaves = excluded.leaves, refusals = excluded.refusals,
                    upstream = excluded.upstream
                """,
                arguments: [
                    run.number, membership.scope.audience.rawValue, membership.scope.topic.name,
                    membership.joined, membership.left, membership.refused,
                    membership.leftUpstream,
                ]
            )
            let scope = [membership.scope.audience.rawValue, membership.scope.topic.name]
            try append(
                .membership,
                of: ChainedRowKey(in: .memberships, of: run.number, at: scope),
                in: db
            )
        }
    }
}

extension RunProblem {
    fileprivate init?(stored value: JSONValue) {
        guard let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
            let reason = value["reason"]?.stringValue
        else { return nil }
        self.init(
            kind: kind,
            registration: value["registration"]?.stringValue,
            reason: reason
        )
    }

    fileprivate var stored: JSONValue {
        var object: JSONObject = ["kind": .string(kind.rawValue), "reason": .string(reason)]
        object["registration"] = registration.map(JSONValue.string)
        return .object(object)
    }
}
