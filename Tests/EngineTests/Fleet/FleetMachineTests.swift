import Testing

@testable import Fleet

/// Tests single steps of the machines, as their driver sees them.
struct FleetMachineTests {
    private static func server(
        _ position: Int,
        safe: Int,
        timeline: Int = 1
    ) -> ServerState {
        ServerState(
            timeline: Timeline(timeline),
            position: LogPosition(position),
            safe: LogPosition(safe)
        )
    }

    private static let fence = ClaimFence(epoch: 1, token: ClaimToken(1))

    private static func transactions(
        _ commands: [FleetCommand]
    ) -> [(transaction: FleetTransaction, ticket: FleetTicket)] {
        commands.compactMap { command in
            guard case .perform(let transaction, let ticket) = command else { return nil }
            return (transaction, ticket)
        }
    }

    private static func notices(_ commands: [FleetCommand]) -> [FleetNotice] {
        commands.compactMap { if case .report(let notice) = $0 { notice } else { nil } }
    }

    // MARK: - The writer

    /// A machine that has become the writer, and the ticket of its first division.
    private static func writer() throws -> (WriterMachine, FleetTicket) {
        let settings = WriterMachine.Settings(quota: 600, permits: 100)
        var machine = WriterMachine(settings, seed: 1)
        let take = try #require(transactions(machine.receive(.time, at: .seconds(10))).first)
        let answer = FleetAnswer.writer(server(1, safe: 1), fence)
        let next = machine.receive(.answered(take.ticket, answer), at: .seconds(10))
        return (machine, try #require(transactions(next).first).ticket)
    }

    /// `delay`: from each transaction to its answer; the longer one is longer than the time between divisions.
    @Test(
        arguments: zip(
            [Duration.milliseconds(10), .milliseconds(300)],
            [
                ["read", "cut", "divide", "read", "cut", "divide", "read"],
                ["read", "divide", "cut", "divide", "read", "divide", "cut"],
            ]
        )
    )
    func `divides the quota between cuts`(delay: Duration, expected: [String]) throws {
        var (machine, ticket) = try Self.writer()
        let uncut = (1...3).map {
            UncutOccurrence(OccurrenceNumber($0), count: 5, firstUnit: 8 * $0, isStored: false)
        }
        let division = DivisionAnswer(
            server: Self.server(1, safe: 1),
            rows: [],
            uncut: uncut,
            isConfirmed: true
        )
        var names: [String] = []
        var now = Duration.seconds(10)
        while names.count < 7 {
            let answer: FleetAnswer
            switch names.last {
            case "read": answer = .omitted(Self.server(1, safe: 1), [])
            case "cut": answer = .cut(Self.server(2, safe: 1))
            default: answer = .divided(division)
            }
            now += delay
            var commands = machine.receive(.answered(ticket, answer), at: now)
            while Self.transactions(commands).isEmpty {
                now += .milliseconds(10)
                commands = machine.receive(.time, at: now)
            }
            let next = try #require(Self.transactions(commands).first)
            ticket = next.ticket
            switch next.transaction {
            case .readOmitted: names.append("read")
            case .cut: names.append("cut")
            case .divide: names.append("divide")
            default: Issue.record("unexpected \(next.transaction)")
            }
        }
        #expect(names == expected)
    }

    @Test func `ends the lease of the writer after a drain`() throws {
        var (machine, ticket) = try Self.writer()
        #expect(Self.transactions(machine.receive(.drain, at: .seconds(11))).isEmpty)
        let division = DivisionAnswer(
            server: Self.server(1, safe: 1),
            rows: [],
            uncut: [],
            isConfirmed: true
        )
        let answered = machine.receive(.answered(ticket, .divided(division)), at: .seconds(11))
        let last = try #require(Self.transactions(answered).first)
        #expect(last.transaction == .endWriter(Self.fence))
        #expect(!machine.hasEnded)
        ticket = last.ticket
        let end = FleetAnswer.writerEnded(Self.server(3, safe: 1))
        #expect(machine.receive(.answered(ticket, end), at: .seconds(12)).isEmpty)
        #expect(machine.hasEnded)
        #expect(machine.receive(.time, at: .seconds(60)).isEmpty)
    }

    // MARK: - Workers

    private static func worker() -> WorkerMachine {
        let settings = WorkerMachine.Settings(
            units: 1,
            ahead: 4,
            maximumOpen: 10,
            repeatsUnknown: false,
            isSynchronous: false
        )
        return WorkerMachine(settings, seed: 1)
    }

    /// Registers a worker at 0 s and returns what it does then.
    private static func register(
        _ machine: inout WorkerMachine,
        _ server: ServerState
    ) throws -> [FleetCommand] {
        let first = try #require(transactions(machine.receive(.time, at: .zero)).first)
        return machine.receive(.answered(first.ticket, .registered(server)), at: .zero)
    }

    @Test func `reports a long wait for a standby once`() throws {
        var machine = Self.worker()
        var notices = Self.notices(try Self.register(&machine, Self.server(5, safe: 4)))
        for second in 1...29 {
            notices += Self.notices(machine.receive(.time, at: .seconds(second)))
        }
        #expect(notices.isEmpty)
        for second in 30...90 {
            notices += Self.notices(machine.receive(.time, at: .seconds(second)))
        }
        #expect(notices == [.waitsForStandby])
    }

    /// Registers a worker on the second timeline, and returns its settlement after a failed fence.
    private static func unsettled(_ machine: inout WorkerMachine) throws -> FleetTicket {
        let commands = try register(&machine, server(5, safe: 5, timeline: 2))
        let claim = try #require(transactions(commands).first { $0.ticket.lane == .ledger })
        _ = machine.receive(.failed(claim.ticket, .fenced), at: .seconds(1))
        let settle = transactions(machine.receive(.time, at: .seconds(2)))
            .first { $0.ticket.lane == .ledger }
        return try #require(settle).ticket
    }

    @Test func `stays unsettled while a former primary answers`() throws {
        var machine = Self.worker()
        let ticket = try Self.unsettled(&machine)
        let row = SettledWorker(
            incarnation: 2,
            commits: 0,
            confirmed: Timeline(1),
            wasSuspect: false,
            permits: 0,
            units: [:],
            claims: []
        )
        let answer = FleetAnswer.settled(Self.server(9, safe: 9, timeline: 1), row)
        let commands = machine.receive(.answered(ticket, answer), at: .seconds(2))
        #expect(Self.notices(commands) == [.formerPrimary(Timeline(1))])
        let next = Self.transactions(machine.receive(.time, at: .seconds(4)))
        #expect(next.contains { $0.transaction == .settle(machine.id, claims: []) })
    }

    @Test func `leaves only when a standby has the removal`() throws {
        var machine = Self.worker()
        let first = try #require(Self.transactions(machine.receive(.drain, at: .zero)).first)
        let registered = FleetAnswer.registered(Self.server(5, safe: 5))
        let commands = machine.receive(.answered(first.ticket, registered), at: .zero)
        let leave = try #require(Self.transactions(commands).first { $0.ticket.lane == .ledger })
        guard case .leave = leave.transaction else {
            Issue.record("unexpected \(leave.transaction)")
            return
        }
        let failed = machine.receive(.failed(leave.ticket, .inDoubt), at: .seconds(1))
        let beat = try #require(Self.transactions(failed).first { $0.ticket.lane == .beats })
        let settle = Self.transactions(machine.receive(.time, at: .seconds(2)))
            .first { $0.ticket.lane == .ledger }
        let ticket = try #require(settle).ticket
        let answer = FleetAnswer.settled(Self.server(8, safe: 5), nil)
        _ = machine.receive(.answered(ticket, answer), at: .seconds(2))
        #expect(!machine.hasLeft)
        let absent = BeatAnswer(server: Self.server(9, safe: 8), incarnation: nil, straggler: nil)
        let last = machine.receive(.answered(beat.ticket, .beat(absent)), at: .seconds(3))
        #expect(Self.notices(last) == [.left])
        #expect(machine.hasLeft)
    }

    @Test func `reports a 429 until a request for a slice is answered`() throws {
        var machine = Self.worker()
        _ = try Self.register(&machine, Self.server(5, safe: 5))
        let order = SendOrder(0..<1, of: WorkUnitID(1), fence: Self.fence, attempt: 1)
        let refused = SendResult.Answer.refused(after: .seconds(1), isThrottled: true)
        var ask = Self.ask(machine.receive(.sent(SendResult(refused, to: 0, of: order)), at: .zero))
        #expect(ask?.isThrottled == true)
        let lost = try #require(ask).ticket
        _ = machine.receive(.failed(lost, .inDoubt), at: .milliseconds(100))
        ask = Self.ask(machine.receive(.time, at: .seconds(1)))
        #expect(ask?.isThrottled == true)
        let slice = SliceAnswer(number: 0, height: 0, permits: 0, share: 1)
        let answer = FleetAnswer.asked(Self.server(5, safe: 5), slice)
        let answered = try #require(ask).ticket
        _ = machine.receive(.answered(answered, answer), at: .seconds(1))
        #expect(Self.ask(machine.receive(.time, at: .seconds(3))) == nil)
    }

    private static func ask(
        _ commands: [FleetCommand]
    ) -> (isThrottled: Bool, ticket: FleetTicket)? {
        for (transaction, ticket) in transactions(commands) {
            if case .ask(_, let request) = transaction { return (request.isThrottled, ticket) }
        }
        return nil
    }

    // MARK: - Lost units

    @Test func `adds the answers of a lost unit that no commit has recorded`() throws {
        var unit = OwnedUnit(
            ClaimedUnit(
                WorkUnit(WorkUnitID(1), of: OccurrenceNumber(1), requests: 0..<2, omitted: []),
                fence: Self.fence,
                mark: 0,
                records: []
            ),
            repeatsUnknown: false
        )
        var allowance = OwnedUnit.Allowance(
            permits: 2,
            lead: OwnedUnit.Lead(2),
            mayRelease: true,
            isResting: false,
            now: .zero
        )
        _ = unit.prepare(&allowance, isDraining: false)
        unit.commitPending()
        let taken = unit.takeOrder(upTo: 2)
        let order = try #require(taken)
        unit.receive(SendResult(.accepted, to: 0, of: order), now: .zero)
        var former = FormerUnit(unit, holding: .former, at: LogPosition(3))
        former.receive(SendResult(.rejected, to: 1, of: order))
        #expect(!former.isDurable(at: LogPosition(3)))
        let expected = [
            AttemptRecord(.accepted, of: 0, attempt: 1),
            AttemptRecord(.rejected, of: 1, attempt: 1),
        ]
        #expect(former.restored.records == expected)
        #expect(
            former.addLateAnswers(upTo: 9) == expected.map { LateAnswer($0, of: WorkUnitID(1)) }
        )
        former.addedLateAnswers(at: LogPosition(7))
        #expect(!former.isDurable(at: LogPosition(6)))
        #expect(former.isDurable(at: LogPosition(7)))
    }

    @Test func `repeats the earliest request first`() {
        var queue = RepeatQueue()
        for (request, second) in [(4, 3), (2, 1), (3, 2), (1, 1)] {
            queue.add(request, at: .seconds(second))
        }
        #expect(queue.nextTime == .seconds(1))
        var order: [Int] = []
        while let request = queue.next(at: .seconds(2)) { order.append(request) }
        #expect(order == [2, 1, 3])
        #expect(queue.count == 1)
    }
}
