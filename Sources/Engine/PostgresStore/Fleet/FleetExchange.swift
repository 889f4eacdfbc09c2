import Fleet
import PostgresClient
import StoreTables

/// The statements of a transaction, without its beginning and its `COMMIT`, and how their answers are
/// read.
struct FleetExchange {
    /// What the first statement of the transaction checks and counts, after its settings.
    struct Pass {
        let fence: WorkerFence
        var returnedPermits = 0
        /// The values of changes of units, which it makes with the statements that follow it; their answers are
        /// then the first ones.
        var changes: [[PostgresValue]] = []
    }

    /// Nil if the transaction does not count as a commit of a worker.
    let pass: Pass?
    let statements: [PostgresStatement]
    /// Reads what the answers tell about the server; nil if it is asked after the commit.
    private(set) var told: (([PostgresResult]) throws -> ServerState)?
    /// Reads the answers to the statements.
    ///
    /// - Throws: `NotCurrent`, if the transaction changed nothing, or that an answer is unexpected.
    let answer: ([PostgresResult], ServerState) throws -> FleetAnswer

    init(
        _ statements: [PostgresStatement],
        pass: Pass? = nil,
        told: (([PostgresResult]) throws -> ServerState)? = nil,
        answer: @escaping ([PostgresResult], ServerState) throws -> FleetAnswer
    ) {
        self.pass = pass
        self.told = told
        self.statements = statements
        self.answer = answer
    }

    init(_ transaction: FleetTransaction, notes: [UnitNotes]) {
        let notes = Dictionary(notes.map { ($0.unit, $0) }) { first, _ in first }
        switch transaction {
        case .register(let id, let isSynchronous):
            self = .register(id, isSynchronous: isSynchronous)
        case .beat(let id): self = .beat(id)
        case .ask(let id, let request): self = .ask(id, request)
        case .commit(let fence, let changes, let returned):
            self = .commit(fence, changes, returnedPermits: returned, notes: notes)
        case .claim(let fence, let tokens): self = .claim(fence, tokens)
        case .addLateAnswers(let fence, let answers):
            self = .addLateAnswers(fence, answers, notes: notes)
        case .settle(let id, let tokens): self = .settle(id, claims: tokens)
        case .restore(let fence, let units, let isLast):
            self = .restore(fence, units, isLast: isLast, notes: notes)
        case .strikeOff(let fence, let target): self = .strikeOff(fence, target)
        case .leave(let fence): self = .leave(fence)
        case .takeWriter(let token, let former, let lease):
            self = .takeWriter(token, former: former, lease: lease)
        case .divide(let fence, let timeline, let grants, let terms):
            self = .divide(fence, on: timeline, grants, terms: terms)
        case .readOmitted(let fence, let number): self = .readOmitted(fence, number)
        case .cut(let fence, let number, let units): self = .cut(fence, number, units)
        case .open(let fence, let number): self = .open(fence, number)
        case .endWriter(let fence): self = .endWriter(fence)
        }
    }
}

// MARK: - Values

extension PostgresValue {
    static func number(_ number: Int) -> Self { .integer(Int64(number)) }

    /// The same bits, because the tables have no numbers without sign.
    static func worker(_ id: WorkerID) -> Self { .integer(Int64(bitPattern: id.number)) }

    static func token(_ token: ClaimToken) -> Self { .integer(Int64(bitPattern: token.number)) }
}

extension PostgresResult {
    var rows: [PostgresRow] { (0..<rowCount).map { PostgresRow(self, $0) } }
}

extension PostgresRow {
    func number(at column: Int) throws -> Int { try decode(Int.self, atIndex: column) }

    func worker(at column: Int) throws -> WorkerID {
        WorkerID(UInt64(bitPattern: try decode(Int64.self, atIndex: column)))
    }

    /// Reads `epoch` and `token`.
    func fence(at column: Int) throws -> ClaimFence {
        ClaimFence(
            epoch: try number(at: column),
            token: ClaimToken(UInt64(bitPattern: try decode(Int64.self, atIndex: column + 1)))
        )
    }
}
