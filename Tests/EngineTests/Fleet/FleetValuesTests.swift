import Testing

@testable import Fleet

/// Tests the parts of a fleet that need no schedule.
struct FleetValuesTests {
    private static let workers = (1...3).map { WorkerID(UInt64($0)) }

    private static func asks(_ number: Int) -> [(worker: WorkerID, request: SliceRequest)] {
        workers.map { ($0, SliceRequest(number: number, wanted: 100, isThrottled: false)) }
    }

    @Test func `merges histories in any order`() {
        let records = [
            AttemptRecord(.unknown, of: 2, attempt: 1), AttemptRecord(.released, of: 2, attempt: 2),
            AttemptRecord(.accepted, of: 2, attempt: 1),
            AttemptRecord(.rejected, of: 0, attempt: 1),
        ]
        var forwards = UnitHistory(count: 3)
        var backwards = UnitHistory(count: 3)
        for record in records { forwards.merge(record) }
        for record in records.reversed() + records { backwards.merge(record) }
        #expect(forwards == backwards)
        #expect(forwards.last(of: 2) == .released)
        #expect(forwards.attempts(of: 2) == 2)
        #expect(forwards.attempts(of: 1) == 0)
        #expect(forwards.records.contains(AttemptRecord(.accepted, of: 2, attempt: 1)))
    }

    @Test func `divides an occurrence with the requests that each unit leaves out`() {
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 25,
            firstUnit: 7,
            isStored: false
        )
        let units = occurrence.units(of: 10, omitting: [0, 9, 10, 24])
        #expect(units.map(\.id.number) == [7, 8, 9])
        #expect(units.map(\.first) == [0, 10, 20])
        #expect(units.map(\.count) == [10, 10, 5])
        #expect(units.map(\.omitted) == [[0, 9], [0], [4]])
        #expect(units[0].omits(9))
        #expect(!units[0].omits(8))
    }

    @Test func `opens units only when a standby has them`() {
        let fence = ClaimFence(epoch: 1, token: ClaimToken(1))
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 5,
            firstUnit: 0,
            isStored: false
        )
        var machine = CutMachine(occurrence, size: 10, position: LogPosition(0))
        #expect(
            machine.next(fence: fence, safe: LogPosition(0))
                == .readOmitted(fence, OccurrenceNumber(1))
        )
        machine.read([3])
        let units = occurrence.units(of: 10, omitting: [3])
        #expect(
            machine.next(fence: fence, safe: LogPosition(0))
                == .cut(fence, OccurrenceNumber(1), units)
        )
        machine.stored(at: LogPosition(100))
        #expect(machine.next(fence: fence, safe: LogPosition(99)) == nil)
        #expect(
            machine.next(fence: fence, safe: LogPosition(100)) == .open(fence, OccurrenceNumber(1))
        )
    }

    @Test func `divides nothing while slices of a former divider may be valid`() {
        var divider = QuotaDivider(quota: 6_000, start: .seconds(12))
        #expect(divider.rest(at: .seconds(11)) == .seconds(1))
        #expect(divider.divide(among: Self.asks(1), of: 3, arrival: .seconds(11)).isEmpty)
        let heights = divider.divide(among: Self.asks(2), of: 3, arrival: .seconds(12))
        // A third of 99 % of the quota, less the burst of each slice.
        #expect(heights.values.sorted() == [1_973, 1_973, 1_973])
        #expect(divider.rest(at: .seconds(13)) == .seconds(1))
        #expect(divider.rest(at: .seconds(15)) == .zero)
    }

    @Test func `a slice counts as long as its request says`() {
        var divider = QuotaDivider(quota: 6_000, start: .zero)
        let slow = SliceRequest(
            number: 1,
            wanted: 100,
            isThrottled: false,
            validity: .seconds(5)
        )
        let alone = divider.divide(among: [(Self.workers[0], slow)], of: 1, arrival: .seconds(1))
        #expect(alone[Self.workers[0]] == 5_917)
        #expect(divider.rest(at: .seconds(2)) == .seconds(4))
        let other = [Self.asks(1)[1]]
        #expect(divider.divide(among: other, of: 2, arrival: .milliseconds(5_900)).isEmpty)
        #expect(divider.divide(among: other, of: 2, arrival: .seconds(6)).count == 1)
    }

    @Test func `counts a lowered slice at its old height until it ends`() {
        var divider = QuotaDivider(quota: 6_000, start: .seconds(2))
        let first = [Self.asks(1)[0]]
        let alone = divider.divide(among: first, of: 1, arrival: .seconds(3))
        #expect(alone[Self.workers[0]] == 5_917)
        let both = divider.divide(among: Self.asks(2), of: 3, arrival: .seconds(4))
        #expect(both.count == 1)
        // The old slice ended at 5 s.
        let later = divider.divide(among: Self.asks(3), of: 3, arrival: .seconds(6))
        #expect(later.count == 3)
    }

    @Test func `a 429 halves the slices of all`() {
        var divider = QuotaDivider(quota: 6_000, start: .seconds(2))
        var asks = Self.asks(1)
        asks[1].request = SliceRequest(number: 1, wanted: 100, isThrottled: true)
        let heights = divider.divide(among: asks, of: 3, arrival: .seconds(3))
        #expect(heights.values.sorted() == [987, 987, 987])
    }

    @Test func `a slice ends at its holder before it ends for the divider`() {
        var meter = SliceMeter()
        let ask = SliceAsks.Ask(begin: .seconds(1), validity: .seconds(2))
        let end = SliceMeter.end(of: ask, answered: .milliseconds(1_400))
        #expect(end == .milliseconds(2_980))
        meter.use(height: 600, until: end, now: .milliseconds(1_500))
        #expect(meter.take(upTo: 10, now: .milliseconds(1_500)) == 0)
        // A send takes 101 ms of this slice.
        #expect(meter.take(upTo: 10, now: .milliseconds(1_701)) == 1)
        #expect(meter.take(upTo: 10, now: .milliseconds(1_702)) == 1)
        // The burst of 600 in 60 s is two.
        #expect(meter.take(upTo: 10, now: .milliseconds(2_900)) == 2)
        #expect(meter.take(upTo: 10, now: .milliseconds(2_985)) == 0)
        #expect(meter.next(now: .milliseconds(2_985)) == nil)
    }

    @Test func `a long slice is not used without answers, because its occurrence may be recalled`()
    {
        let ask = SliceAsks.Ask(begin: .seconds(1), validity: .seconds(8))
        #expect(SliceMeter.end(of: ask, answered: .seconds(3)) == .milliseconds(5_900))
        #expect(SliceMeter.end(of: ask, answered: .seconds(7)) == .milliseconds(8_920))
    }

    @Test func `slices count for longer if they arrive late`() {
        var asks = SliceAsks()
        #expect(asks.begin(at: .seconds(10)) == .seconds(2))
        asks.receive(1, at: .milliseconds(11_000))
        #expect(asks.begin(at: .seconds(11)) == .seconds(2))
        asks.receive(2, at: .seconds(13))
        #expect(asks.begin(at: .seconds(13)) == .milliseconds(3_500))
        // The answer with a slice says nothing about the network if the one before it is missing.
        asks.missAnswer()
        asks.receive(3, at: .seconds(18))
        #expect(asks.begin(at: .seconds(18)) == .milliseconds(3_500))
        asks.receive(4, at: .milliseconds(18_200))
        // Slices end in the order of their requests.
        #expect(asks.begin(at: .seconds(19)) == .seconds(3))
        #expect(asks.begin(at: .seconds(30)) == .seconds(2))
    }

    @Test func `a far server is reported once`() {
        var asks = SliceAsks()
        let times = [2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2].map { Duration.seconds($0) }
        #expect(times.map { asks.mustReport($0) }.count { $0 } == 1)
        #expect((0..<9).allSatisfy { _ in !asks.mustReport(.milliseconds(1_400)) })
    }

    @Test(arguments: [1, 2, 60]) func `sends with a small quota`(quota: Int) {
        var divider = QuotaDivider(quota: quota, start: .seconds(2))
        var meter = SliceMeter()
        var times: [Duration] = []
        for second in 3...300 {
            let now = Duration.seconds(second)
            let ask = [Self.asks(second)[0]]
            let height = divider.divide(among: ask, of: 1, arrival: now)[Self.workers[0]] ?? 0
            meter.use(height: height, until: now + .milliseconds(1_980), now: now)
            for _ in 0..<meter.take(upTo: 10, now: now) { times.append(now) }
        }
        #expect(times.count >= 2 * quota)
        for (first, last) in zip(times, times.dropFirst(quota)) {
            #expect(last - first >= .seconds(60))
        }
    }

    @Test func `never grants more permits than the stock`() {
        let pool = PermitPool(stock: 100)
        let held = [(Self.workers[0], 60), (Self.workers[1], 10)]
        let wanted = [(Self.workers[1], 1_000), (Self.workers[2], 1_000)]
        let grants = pool.grants(
            held: held.map { (worker: $0.0, permits: $0.1) },
            wanted: wanted.map { (worker: $0.0, count: $0.1) }
        )
        #expect(grants == [Self.workers[1]: 30])
    }

    @Test func `sends nothing before the answer to the commit that releases it`() throws {
        let settings = WorkerMachine.Settings(
            units: 1,
            ahead: 4,
            maximumOpen: 10,
            repeatsUnknown: false,
            isSynchronous: false
        )
        var machine = WorkerMachine(settings, seed: 1)
        let commands = machine.receive(.time, at: .zero)
        #expect(
            commands.contains(
                .perform(
                    .register(machine.id, isSynchronous: false),
                    FleetTicket(.ledger, number: 1)
                )
            )
        )
        let server = ServerState(
            timeline: Timeline(1),
            position: LogPosition(5),
            safe: LogPosition(4)
        )
        let waiting = machine.receive(
            .answered(FleetTicket(.ledger, number: 1), .registered(server)),
            at: .milliseconds(5)
        )
        // No standby has the registration, so nothing is claimed.
        #expect(
            !waiting.contains { if case .perform(.claim, _) = $0 { true } else { false } }
        )
    }
}
