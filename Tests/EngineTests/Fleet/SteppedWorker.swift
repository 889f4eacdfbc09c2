import Testing

@testable import Fleet

/// A worker whose transactions a test answers.
final class SteppedWorker {
    private(set) var machine: WorkerMachine
    private(set) var now = Duration.zero
    /// The orders that were started and not taken by the test.
    private(set) var orders: [SendOrder] = []
    /// The transactions without an answer.
    private var waiting: [(transaction: FleetTransaction, ticket: FleetTicket)] = []
    private var position = 10
    /// When the worker wants to be told the time.
    private(set) var wake: Duration?

    /// An active worker.
    init(units: Int = 1, ahead: Int = 4, maximumOpen: Int = 10) throws {
        machine = WorkerMachine(
            WorkerMachine.Settings(
                units: units,
                ahead: ahead,
                maximumOpen: maximumOpen,
                repeatsUnknown: false,
                isSynchronous: false
            ),
            seed: 1
        )
        receive(.time)
        let registration = try #require(waiting.first)
        answer(registration.ticket, .registered(server))
    }

    private var server: ServerState {
        ServerState(
            timeline: Timeline(1),
            position: LogPosition(position),
            safe: LogPosition(.max)
        )
    }

    // MARK: Events

    func receive(_ event: FleetEvent) { receive([event]) }

    func receive(_ events: [FleetEvent]) {
        wake = nil
        for command in machine.receive(events, at: now) {
            switch command {
            case .perform(let transaction, let ticket): waiting.append((transaction, ticket))
            case .send(let order): orders.append(order)
            case .wake(let time): wake = time
            case .report, .forget: break
            }
        }
    }

    /// Lets time pass, in steps of 10 ms; beats and late answers are answered.
    func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = min(end, now + .milliseconds(10))
            receive(.time)
            answerBeat()
            answerLateAnswers()
        }
    }

    private func answerBeat() {
        guard let beat = waiting.first(where: { $0.ticket.lane == .beats }) else { return }
        answer(
            beat.ticket,
            .beat(BeatAnswer(server: server, incarnation: 1, straggler: nil))
        )
    }

    private func answerLateAnswers() {
        for (transaction, ticket) in waiting {
            guard case .addLateAnswers = transaction else { continue }
            answer(ticket, .lateAnswersAdded(server, dropped: 0))
        }
    }

    private func answer(_ ticket: FleetTicket, _ answer: FleetAnswer) {
        waiting.removeAll { $0.ticket == ticket }
        receive(.answered(ticket, answer))
    }

    // MARK: Answers of the server

    /// Grants what the worker asks for; returns the number of its request.
    ///
    /// `answered`: the last request that a division has answered; nil for this one. `losses`: the number of units that
    /// others have taken.
    @discardableResult
    func grant(
        permits: Int = 100,
        answered: Int? = nil,
        losses: Int = 0,
        recalled: Set<OccurrenceNumber> = []
    ) throws -> Int {
        let ask = try #require(waiting.first { $0.ticket.lane == .slices })
        guard case .ask(_, let request) = ask.transaction else { throw UnexpectedTransaction() }
        let slice = SliceAnswer(
            number: answered ?? request.number,
            height: 60_000,
            permits: permits,
            share: permits,
            losses: losses,
            recalled: recalled
        )
        answer(ask.ticket, .asked(server, slice))
        return request.number
    }

    /// Lets the worker claim this unit.
    func claim(_ unit: WorkUnit) throws -> ClaimFence {
        let claim = try #require(waiting.first { $0.ticket.lane == .ledger })
        guard case .claim(_, let tokens) = claim.transaction, let token = tokens.first else {
            throw UnexpectedTransaction()
        }
        let fence = ClaimFence(epoch: 1, token: token)
        let claimed = ClaimedUnit(unit, fence: fence, mark: 0, records: [])
        answer(claim.ticket, .claimed(server, [claimed]))
        return fence
    }

    /// Answers a claim in progress: nothing is free.
    func claimNothing() {
        guard let claim = waiting.first(where: { $0.ticket.lane == .ledger }),
            case .claim = claim.transaction
        else { return }
        answer(claim.ticket, .claimed(server, []))
    }

    /// The permits that the commit in progress returns, which is answered; nil if there is none.
    func returnedPermits() -> Int? {
        guard let commit = waiting.first(where: { $0.ticket.lane == .ledger }),
            case .commit(_, _, let returned) = commit.transaction
        else { return nil }
        answer(commit.ticket, .committed(server, lost: []))
        return returned
    }

    /// The changes of the commit in progress, which is answered; nil if there is none.
    func commit(lost: [WorkUnitID] = []) -> [UnitChange]? {
        guard let commit = waiting.first(where: { $0.ticket.lane == .ledger }),
            case .commit(_, let changes, _) = commit.transaction
        else { return nil }
        position += 1
        answer(commit.ticket, .committed(server, lost: lost))
        return changes
    }

    /// Answers a settlement; the worker has the units that it claimed, except for lost ones.
    func settle(losses: Int, units: [WorkUnitID: ClaimFence]) throws {
        let settle = try #require(waiting.first { $0.ticket.lane == .ledger })
        guard case .settle = settle.transaction else { throw UnexpectedTransaction() }
        let row = SettledWorker(
            incarnation: 2,
            commits: machine.commits,
            confirmed: Timeline(1),
            wasSuspect: false,
            permits: 100,
            losses: losses,
            units: units,
            claims: []
        )
        answer(settle.ticket, .settled(server, row))
    }

    /// Whether the worker reads again what the server has about it.
    var isSettling: Bool {
        waiting.contains { if case .settle = $0.transaction { true } else { false } }
    }

    /// Whether a commit has no answer.
    var isCommitting: Bool {
        waiting.contains { if case .commit = $0.transaction { true } else { false } }
    }

    var isClaiming: Bool {
        waiting.contains { if case .claim = $0.transaction { true } else { false } }
    }

    /// Whether the worker asks for a slice.
    var asks: Bool { waiting.contains { $0.ticket.lane == .slices } }

    // MARK: Answers of recipients

    /// The orders that were started since the last call.
    func takeOrders() -> [SendOrder] {
        defer { orders = [] }
        return orders
    }

    /// Reports that requests of an order were accepted.
    func accept(_ requests: Range<Int>, of order: SendOrder) {
        receive(requests.map { .sent(SendResult(.accepted, to: $0, of: order)) })
    }

    struct UnexpectedTransaction: Error {}
}
