import Testing

@testable import Fleet

/// Tests what a worker does when an occurrence is recalled, and when it has to rest.
struct FleetRecallTests {
    private static let occurrence = OccurrenceNumber(7)

    private static func unit(_ number: Int, count: Int = 40) -> WorkUnit {
        WorkUnit(WorkUnitID(number), of: occurrence, requests: 0..<count, omitted: [])
    }

    /// A worker with a unit, of which 4 requests are open and others are released.
    private static func sending() throws -> (SteppedWorker, SendOrder) {
        let worker = try SteppedWorker()
        _ = try worker.claim(unit(1))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(4))
        var orders = worker.takeOrders()
        while orders.reduce(0, { $0 + $1.requests.count }) < 4 {
            worker.pass(.milliseconds(1))
            orders += worker.takeOrders()
        }
        let first = try #require(orders.first)
        let last = try #require(orders.last)
        let requests = first.requests.lowerBound..<last.requests.upperBound
        return (worker, SendOrder(requests, of: first.unit, fence: first.fence, attempt: 1))
    }

    // MARK: - Permits

    @Test func `returns permits that were granted while it returned others`() throws {
        let (worker, order) = try Self.sending()
        // A request for a slice that is answered late.
        worker.pass(.milliseconds(700))
        Self.acceptAll(of: order, by: worker)
        #expect(try Self.returned(by: worker) == 100)
        try worker.grant(permits: 30)
        #expect(worker.returnedPermits() == nil)
        worker.pass(.seconds(1))
        try worker.grant(permits: 30)
        #expect(try Self.returned(by: worker) == 30)
    }

    /// `isAnsweredAgain`: whether a new writer grants for the last request, which was answered.
    @Test(arguments: [false, true])
    func `returns permits that a division grants after the answer to the request`(
        isAnsweredAgain: Bool
    ) throws {
        let (worker, order) = try Self.sending()
        for _ in 0..<100 where !worker.asks { worker.pass(.milliseconds(10)) }
        let last = try worker.grant(answered: 1)
        Self.acceptAll(of: order, by: worker)
        #expect(try Self.returned(by: worker) == 100)
        if isAnsweredAgain {
            for _ in 0..<200 {
                if worker.asks { try worker.grant(permits: 0, answered: last) }
                worker.pass(.milliseconds(10))
            }
        }
        #expect(try Self.returned(by: worker, granting: 30) == 30)
        worker.pass(.seconds(3))
        #expect(!worker.asks)
    }

    /// Accepts the requests of the unit until all are recorded; takes 400 ms.
    private static func acceptAll(of order: SendOrder, by worker: SteppedWorker) {
        var accepted = 0
        for _ in 0..<40 {
            let sent =
                worker.takeOrders().map(\.requests.upperBound).max() ?? order.requests.upperBound
            if sent > accepted { worker.accept(accepted..<sent, of: order) }
            accepted = max(accepted, sent)
            while worker.commit() != nil {}
            worker.pass(.milliseconds(10))
        }
        #expect(accepted == 40 && worker.machine.owned.isEmpty)
    }

    /// What a worker without units returns within three seconds, in which nothing is free.
    ///
    /// `permits`: the answer to its requests; nil without answers.
    private static func returned(
        by worker: SteppedWorker,
        granting permits: Int? = nil
    ) throws -> Int {
        for _ in 0..<300 {
            worker.claimNothing()
            if let permits, worker.asks { try worker.grant(permits: permits) }
            if let returned = worker.returnedPermits() { return returned }
            worker.pass(.milliseconds(10))
        }
        return 0
    }

    // MARK: - Recalls

    @Test func `gives the units of a recalled occurrence back after their last answer`() throws {
        let (worker, order) = try Self.sending()
        let sent = order.requests
        worker.pass(.milliseconds(700))
        let more = worker.takeOrders().map(\.requests.upperBound).max() ?? sent.upperBound
        try worker.grant(recalled: [Self.occurrence])
        while let changes = worker.commit() {
            #expect(changes.allSatisfy { $0.ending == nil })
        }
        worker.pass(.seconds(2))
        #expect(worker.takeOrders().isEmpty)
        #expect(worker.machine.owned == [WorkUnitID(1)])
        worker.accept(0..<more - 1, of: order)
        let changes = try #require(worker.commit())
        #expect(changes.map(\.ending) == [nil])
        worker.accept(more - 1..<more, of: order)
        let last = try #require(worker.commit()?.first)
        #expect(last.ending == .givenBack)
        #expect(last.mark == nil)
        #expect(last.records == [AttemptRecord(.accepted, of: more - 1, attempt: 1)])
        #expect(worker.machine.owned.isEmpty)
        worker.pass(.seconds(2))
        #expect(worker.takeOrders().isEmpty)
    }

    @Test func `takes back what is released and not sent when its occurrence is recalled`() throws {
        let worker = try SteppedWorker(maximumOpen: 2)
        _ = try worker.claim(Self.unit(1))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(700))
        #expect(worker.takeOrders().flatMap(\.requests) == [0, 1])
        while worker.commit() != nil {}
        try worker.grant(recalled: [Self.occurrence])
        let change = try #require(worker.commit()?.first)
        let returned = change.records.filter { $0.outcome == .returned }.map(\.request)
        #expect(returned == Array(2..<returned.count + 2))
        #expect(returned.count >= 6)
        #expect(change.ending == nil)
        #expect(change.mark == nil)
    }

    @Test func `sends nothing of a recalled occurrence while a commit is in progress`() throws {
        let worker = try SteppedWorker(maximumOpen: 2)
        _ = try worker.claim(Self.unit(1))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(100))
        let order = try #require(worker.takeOrders().first)
        worker.accept(0..<1, of: order)
        worker.pass(.milliseconds(700))
        #expect(!worker.takeOrders().isEmpty)
        #expect(worker.isCommitting)
        try worker.grant(recalled: [Self.occurrence])
        worker.accept(1..<2, of: order)
        worker.pass(.milliseconds(700))
        #expect(worker.takeOrders().isEmpty)
        #expect(worker.isCommitting)
    }

    @Test func `sends a recalled occurrence that is entrusted again`() throws {
        let worker = try SteppedWorker()
        _ = try worker.claim(Self.unit(1))
        try worker.grant(recalled: [Self.occurrence])
        // The permits and slices of the recalled unit are not used.
        let release = try #require(worker.commit()?.first)
        #expect(release.ending == .givenBack)
        #expect(release.mark == nil)
        worker.pass(.seconds(3))
        try worker.grant(recalled: [Self.occurrence])
        while worker.commit() != nil {}
        #expect(worker.takeOrders().isEmpty)
        _ = try worker.claim(Self.unit(9))
        worker.pass(.milliseconds(700))
        try worker.grant()
        #expect(worker.commit()?.first?.unit == WorkUnitID(9))
        worker.pass(.milliseconds(100))
        #expect(worker.takeOrders().first?.unit == WorkUnitID(9))
    }

    @Test func `sends nothing of a unit that was withdrawn between two answers`() throws {
        let worker = try SteppedWorker(units: 2, maximumOpen: 2)
        _ = try worker.claim(Self.unit(1, count: 10))
        let fence = try worker.claim(Self.unit(2))
        try worker.grant()
        while worker.commit() != nil {}
        worker.pass(.milliseconds(700))
        let order = try #require(worker.takeOrders().first)
        #expect(order.unit == WorkUnitID(1))
        // The recall is over: the occurrence has left the fleet.
        try worker.grant(losses: 1)
        while worker.commit() != nil {}
        #expect(worker.isSettling)
        worker.accept(order.requests, of: order)
        worker.pass(.milliseconds(100))
        #expect(worker.takeOrders().isEmpty)
        try worker.settle(losses: 1, units: [WorkUnitID(2): fence])
        #expect(worker.machine.owned == [WorkUnitID(2)])
        for _ in 0..<200 where worker.orders.isEmpty {
            worker.pass(.milliseconds(10))
            if worker.asks { try worker.grant(losses: 1) }
            _ = worker.commit()
            #expect(!worker.isSettling)
        }
        #expect(worker.takeOrders().first?.unit == WorkUnitID(2))
    }

    @Test func `other occurrences are sent during a recall`() throws {
        let (worker, order) = try Self.sending()
        worker.pass(.milliseconds(700))
        try worker.grant(recalled: [OccurrenceNumber(8)])
        _ = worker.takeOrders()
        worker.accept(order.requests, of: order)
        while worker.commit() != nil {}
        worker.pass(.milliseconds(100))
        #expect(!worker.takeOrders().isEmpty)
        #expect(worker.machine.owned == [WorkUnitID(1)])
    }

    // MARK: - Limits

    @Test func `a rest takes back what was not sent, and nothing is sent until its end`() throws {
        let worker = try SteppedWorker(maximumOpen: 2)
        _ = try worker.claim(Self.unit(1))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(100))
        let orders = worker.takeOrders()
        #expect(orders.flatMap(\.requests) == [0, 1])
        while worker.commit() != nil {}
        let end = worker.now + .seconds(5)
        worker.receive(.limited(until: end, open: 10))
        let change = try #require(worker.commit()?.first)
        #expect(!change.records.isEmpty)
        #expect(change.records.allSatisfy { $0.outcome == .returned && $0.request >= 2 })
        #expect(change.mark == nil)
        #expect(change.ending == nil)
        // Answers are recorded during the rest, and the unit is kept.
        for order in orders { worker.accept(order.requests, of: order) }
        worker.pass(.milliseconds(600))
        let answered = try #require(worker.commit()?.first)
        #expect(answered.records.map(\.outcome) == [.accepted, .accepted])
        #expect(answered.mark == nil)
        while worker.now < end - .milliseconds(10) {
            worker.pass(.milliseconds(10))
            if worker.asks { try worker.grant() }
            for change in worker.commit() ?? [] {
                #expect(change.mark == nil)
                #expect(!change.records.contains { $0.outcome == .released })
            }
            #expect(worker.takeOrders().isEmpty)
        }
        #expect(worker.machine.owned == [WorkUnitID(1)])
        var sent: [SendOrder] = []
        for _ in 0..<200 where sent.isEmpty {
            worker.pass(.milliseconds(10))
            if worker.asks { try worker.grant() }
            _ = worker.commit()
            sent += worker.takeOrders()
        }
        // What was taken back is sent as a second attempt.
        #expect(sent.first?.requests == 2..<3)
        #expect(sent.first?.attempt == 2)
    }

    @Test func `a rest gives the units of recalled occurrences back`() throws {
        let (worker, order) = try Self.sending()
        worker.receive(.limited(until: worker.now + .seconds(60), open: 4))
        while worker.commit() != nil {}
        worker.accept(order.requests, of: order)
        while worker.commit() != nil {}
        for _ in 0..<200 where !worker.asks { worker.pass(.milliseconds(10)) }
        try worker.grant(recalled: [Self.occurrence])
        #expect(worker.commit()?.first?.ending == .givenBack)
    }

    @Test(arguments: [1, 3, 10, 50])
    func `the limit of open requests holds`(limit: Int) throws {
        let worker = try SteppedWorker(ahead: 20, maximumOpen: 10)
        _ = try worker.claim(Self.unit(1, count: 1_000))
        worker.receive(.limited(until: worker.now, open: limit))
        var open: [(order: SendOrder, request: Int)] = []
        var most = 0
        var sent = 0
        for step in 0..<600 {
            worker.pass(.milliseconds(10))
            if worker.asks { try worker.grant() }
            _ = worker.commit()
            for order in worker.takeOrders() {
                open += order.requests.map { (order, $0) }
                sent += order.requests.count
            }
            most = max(most, open.count)
            #expect(open.count == worker.machine.open)
            guard step % 7 == 0, !open.isEmpty else { continue }
            let (order, request) = open.removeFirst()
            worker.accept(request..<request + 1, of: order)
        }
        // A worker never has more open than its settings allow.
        #expect(most == min(limit, 10))
        #expect(sent > 50)
    }

    @Test func `open requests of a unit that another worker took over count for the limit`()
        throws
    {
        let worker = try SteppedWorker(maximumOpen: 2)
        _ = try worker.claim(Self.unit(1))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(100))
        let order = try #require(worker.takeOrders().first)
        worker.accept(0..<1, of: order)
        worker.pass(.milliseconds(700))
        #expect(worker.takeOrders().flatMap(\.requests) == [2])
        #expect(worker.commit(lost: [WorkUnitID(1)]) != nil)
        #expect(worker.machine.owned.isEmpty)
        for _ in 0..<200 where !worker.isClaiming {
            worker.pass(.milliseconds(10))
            _ = worker.commit()
        }
        _ = try worker.claim(Self.unit(2))
        // Permits that were counted before the loss do not count.
        try worker.grant()
        worker.pass(.milliseconds(700))
        try worker.grant()
        #expect(worker.commit()?.first?.mark == 8)
        worker.pass(.milliseconds(100))
        #expect(worker.takeOrders().isEmpty)
        #expect(worker.machine.open == 2)
        worker.accept(1..<2, of: order)
        worker.pass(.milliseconds(100))
        #expect(worker.takeOrders().map(\.unit) == [WorkUnitID(2)])
        #expect(worker.machine.open == 2)
    }

    @Test(arguments: [0, 9])
    func `a worker that waits does not look at the time often`(rest: Int) throws {
        let worker = try SteppedWorker(units: 2, maximumOpen: 2)
        _ = try worker.claim(Self.unit(1, count: 1_000))
        worker.receive(.limited(until: worker.now + .seconds(rest), open: 2))
        var wakes = 0
        for _ in 0..<500 {
            if worker.asks { try worker.grant() }
            _ = worker.commit()
            let time = try #require(worker.wake)
            if time <= worker.now + .milliseconds(10) { wakes += 1 }
            worker.pass(.milliseconds(10))
        }
        #expect(wakes < 50)
    }
}
