import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

// Claims, marks, outcomes.
extension FleetExchange {
    static func commit(
        _ fence: WorkerFence,
        _ changes: [UnitChange],
        returnedPermits: Int,
        notes: [WorkUnitID: UnitNotes]
    ) -> Self {
        // Units are locked in the order of their numbers.
        let sorted = changes.sorted { $0.unit < $1.unit }
        var pass = Pass(fence: fence, returnedPermits: returnedPermits)
        guard sorted.isEmpty || sorted.contains(where: { stored(notes[$0.unit], with: $0) != nil })
        else {
            pass.changes = sorted.map { values(of: $0) }
            return commit(of: sorted, with: pass)
        }
        let statements = sorted.map { change($0, notes: notes[$0.unit]) }
        return Self(statements, pass: pass) { results, server in
            let isMade = try results.map { try $0.isChanged }
            return .committed(server, lost: lost(among: sorted, isMade))
        }
    }

    /// A commit without notes.
    ///
    /// Asking the server after it would cost a third of the commit. A worker waits for a standby only with the
    /// units that it ends: a standby that has the end of a unit has all earlier commits, and the worker needs
    /// nothing of a unit that is lost after its last claim.
    private static func commit(of changes: [UnitChange], with pass: Pass) -> Self {
        let ends = changes.contains { $0.ending != nil }
        let told = ends ? nil : pass.fence.told { try $0.map { abs(try $0.place) }.max() ?? 0 }
        return Self([], pass: pass, told: told) { results, server in
            let isMade = try results.map { try $0.place >= 0 }
            return .committed(server, lost: lost(among: changes, isMade))
        }
    }

    private static func lost(among changes: [UnitChange], _ isMade: [Bool]) -> [WorkUnitID] {
        zip(changes, isMade).filter { !$0.1 }.map(\.0.unit)
    }

    private static func values(of change: UnitChange) -> [PostgresValue] {
        let ending =
            switch change.ending {
            case nil: 0
            case .finished: 1
            case .givenBack: 2
            }
        return [
            .number(change.unit.number), .number(change.fence.epoch),
            .token(change.fence.token), .number(change.mark ?? 0), .number(ending),
        ] + AttemptBlock.values(of: AttemptBlock.pack(change.records))
    }

    /// Nil if a change needs no notes: planning their statement takes longer than all the rest.
    private static func stored(_ notes: UnitNotes?, with change: UnitChange) -> UnitNotes? {
        let stored = notes?.only(change.records)
        return stored?.isEmpty ?? true ? nil : stored
    }

    private static func change(_ change: UnitChange, notes: UnitNotes?) -> PostgresStatement {
        let values = values(of: change)
        let call = "fleet_change($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        guard let stored = stored(notes, with: change) else {
            return PostgresStatement("SELECT true FROM \(call)", values)
        }
        return PostgresStatement(
            """
            WITH changed AS (SELECT unit, id, first FROM \(call)),
            \(UnitNotes.statements(from: 11))
            SELECT true FROM changed
            """,
            values + UnitNotes.values(of: stored)
        )
    }

    /// The statement part that appends outcomes to the unit of the row `changed`.
    ///
    /// `parameter`: the number of the first of five parameters, see `AttemptBlock.values(of:)`.
    private static func logged(from parameter: Int) -> String {
        let values = (parameter..<parameter + 5).map { "$\($0)" }
        let arrays = values.dropLast().map { "\($0)::bigint[]" }.joined(separator: ", ")
        return """
            logged AS (
                INSERT INTO attempt_log (unit, work_unit, attempt, first, outcomes)
                SELECT changed.unit, changed.id, block.attempt, block.first,
                    substr(\(values[4])::bytea, block.start::int, block.length::int)
                FROM changed, unnest(\(arrays)) AS block (attempt, first, start, length))
            """
    }

    // MARK: Claims

    static func claim(_ fence: WorkerFence, _ tokens: [ClaimToken]) -> Self {
        let claim = PostgresStatement(
            "SELECT fleet_claim($1, $2)",
            [.worker(fence.worker), values(of: tokens)]
        )
        let statements = [claim] + claimed(tokens, by: fence.worker)
        // A standby that has the end of a unit has its claim.
        let told = fence.told { try $0[0].place }
        return Self(statements, pass: Pass(fence: fence), told: told) { results, server in
            .claimed(server, try claims(results[1], log: results[2]))
        }
    }

    private static func values(of tokens: [ClaimToken]) -> PostgresValue {
        .integers(tokens.map { Int64(bitPattern: $0.number) })
    }

    /// Two statements, which read the units that tokens claimed, and their outcomes.
    static func claimed(_ tokens: [ClaimToken], by worker: WorkerID) -> [PostgresStatement] {
        let values = [PostgresValue.worker(worker), values(of: tokens)]
        return [
            PostgresStatement(
                """
                SELECT id, unit, first, count, omitted, epoch, token, released FROM work_units
                WHERE owner = $1 AND token = ANY ($2) AND finished = 0 ORDER BY id
                """,
                values
            ),
            PostgresStatement(
                "SELECT work_unit, attempt, first, outcomes FROM fleet_claimed_outcomes($1, $2)",
                values
            ),
        ]
    }

    static func claims(_ units: PostgresResult, log: PostgresResult) throws -> [ClaimedUnit] {
        var blocks: [Int: [AttemptBlock]] = [:]
        for row in log.rows {
            blocks[try row.number(at: 0), default: []].append(try AttemptBlock(row, from: 1))
        }
        return try units.rows.map { row in
            let first = try row.number(at: 2)
            let count = try row.number(at: 3)
            let unit = WorkUnit(
                WorkUnitID(try row.number(at: 0)),
                of: OccurrenceNumber(try row.number(at: 1)),
                requests: first..<first + count,
                omitted: OmittedBits.unpack(try row.decode(Data.self, atIndex: 4))
            )
            let mark = try row.number(at: 7)
            let history = UnitHistory(of: unit, mark: mark, blocks[unit.id.number] ?? [])
            return ClaimedUnit(
                unit,
                fence: try row.fence(at: 5),
                mark: mark,
                records: history.records.filter { $0.request < mark }
            )
        }
    }

    // MARK: Answers that come late

    static func addLateAnswers(
        _ fence: WorkerFence,
        _ answers: [LateAnswer],
        notes: [WorkUnitID: UnitNotes]
    ) -> Self {
        let sorted = answers.sorted { $0.unit < $1.unit }
        let statements = sorted.map { lateAnswer($0, notes: notes[$0.unit]) }
        return Self(statements, pass: Pass(fence: fence)) { results, server in
            let dropped = results.count { $0.rowCount == 0 }
            return .lateAnswersAdded(server, dropped: dropped)
        }
    }

    private static func lateAnswer(_ answer: LateAnswer, notes: UnitNotes?) -> PostgresStatement {
        PostgresStatement(
            """
            WITH changed AS (
                SELECT unit, id, first FROM fleet_add_late_answer($1, $2, $3, $4)),
            \(UnitNotes.statements(from: 5))
            SELECT 1 FROM changed
            """,
            [
                .number(answer.unit.number), .number(answer.record.request),
                .number(answer.record.attempt), .number(Int(answer.record.outcome.rawValue)),
            ] + UnitNotes.values(of: notes?.only([answer.record]))
        )
    }

    // MARK: Failovers

    /// Takes a unit with a greater epoch or the same fence; marks and outcomes are added in any case.
    ///
    /// The requests that this worker had released are stored as possibly doubled if another worker has
    /// the unit. The answer has whether it is taken.
    static func restoration(
        _ unit: RestoredUnit,
        of worker: WorkerID,
        notes: UnitNotes?
    ) -> PostgresStatement {
        let holding =
            switch unit.holding {
            case .owned: 0
            case .finished: 1
            case .former: 2
            case .abandoned: 3
            }
        return PostgresStatement(
            """
            WITH found AS (
                SELECT id, epoch < $2 OR epoch = $2 AND token = $3 AS taken
                FROM work_units WHERE id = $1 FOR UPDATE),
            changed AS (
                UPDATE work_units u SET released = greatest(released, $4),
                    epoch = CASE WHEN taken THEN $2 ELSE epoch END,
                    token = CASE WHEN taken THEN $3 ELSE token END,
                    finished = CASE WHEN taken AND $5::bigint = 1 THEN 1 ELSE finished END,
                    owner = CASE WHEN NOT taken OR $5::bigint = 0 AND finished = 1 THEN owner
                        WHEN $5::bigint = 0 THEN $6::bigint END
                FROM found WHERE u.id = found.id RETURNING u.unit, u.id, u.first, taken),
            \(logged(from: 7)),
            doubled AS (
                INSERT INTO fleet_doubled (unit, work_unit, first, count)
                SELECT unit, id, first, $4::bigint FROM changed
                WHERE NOT taken AND $5::bigint IN (0, 3) AND $4::bigint > 0
                ON CONFLICT (unit, work_unit)
                DO UPDATE SET count = greatest(fleet_doubled.count, excluded.count)),
            \(UnitNotes.statements(from: 12))
            SELECT taken FROM changed
            """,
            [
                .number(unit.unit.number), .number(unit.fence.epoch), .token(unit.fence.token),
                .number(unit.mark), .number(holding), .worker(worker),
            ] + AttemptBlock.values(of: AttemptBlock.pack(unit.records))
                + UnitNotes.values(of: notes?.only(unit.records))
        )
    }
}

extension WorkerFence {
    /// What the answers to a transaction with this fence tell about the server.
    fileprivate func told(
        place: @escaping ([PostgresResult]) throws -> Int
    ) -> ([PostgresResult]) throws -> ServerState {
        { results in
            ServerState(
                // The transaction has compared it.
                timeline: timeline,
                position: LogPosition(try place(results)),
                safe: LogPosition(0)
            )
        }
    }
}

extension PostgresResult {
    /// A place in the log after the last claim of a unit; negative if the unit was not changed.
    fileprivate var place: Int {
        get throws { try PostgresRow(self, 0).number(at: 0) }
    }

    /// Whether a unit was changed.
    fileprivate var isChanged: Bool {
        get throws { try rowCount == 1 && PostgresRow(self, 0).decode(Bool.self, atIndex: 0) }
    }
}

extension UnitHistory {
    /// What is recorded about a unit: the mark releases every request below it that is not left out.
    init(of unit: WorkUnit, mark: Int, _ blocks: [AttemptBlock]) {
        self.init(count: unit.count)
        for request in 0..<mark where !unit.omits(request) {
            merge(AttemptRecord(.released, of: request, attempt: 1))
        }
        for record in blocks.flatMap(\.records) where record.request < unit.count { merge(record) }
    }
}

extension UnitNotes {
    /// The notes about the requests with an outcome in these records.
    fileprivate func only(_ records: [AttemptRecord]) -> Self {
        var details: [Int: String] = [:]
        var ids: [Int: String] = [:]
        for record in records where record.outcome != .released {
            details[record.request] = self.details[record.request]
            if record.outcome == .accepted { ids[record.request] = messageIDs[record.request] }
        }
        return UnitNotes(unit, first: first, details: details, messageIDs: ids)
    }
}
