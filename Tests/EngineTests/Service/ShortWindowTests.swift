import Applying
import CampaignModel
import HTTPTransport
import JSON
import Planning
import RateControl
import RunControl
import Service
import State
import StoreConformance
import Synchronization
import Testing
import Time

/// Tests windows with many short sends, which are started together.
@Suite(.timeLimit(.minutes(2)))
struct ShortWindowTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let due = PlanScene.now.advanced(bySeconds: 60)

    private static func names(_ count: Int) -> [String] { (0..<count).map { "c\(1_000 + $0)" } }

    /// Records campaigns to lists of three registrations each, with consecutive numbers.
    private func schedule(_ count: Int, aimingAt objective: String? = nil) async throws {
        let campaigns = try Self.names(count).enumerated().map { number, name in
            let list = try scene.inline(3 * number, 3 * number + 1, 3 * number + 2)
            let campaign = try scene.campaign(
                name,
                to: .registrations(list),
                schedule: .at(PlanScene.moment(60))
            )
            return try objective.map { try campaign.aiming(at: $0) } ?? campaign
        }
        try await scene.remember(try await scene.plan(campaigns))
    }

    private func plan() async throws -> DueWork {
        DueWork(plan: try await scene.planFromState(after: 60), next: nil)
    }

    private func perform(
        _ work: DueWork,
        to transport: ScriptedTransport,
        recording ledger: (any Ledger)? = nil,
        stop: StopSignal = StopSignal(),
        open: OpenLimit? = nil,
        drainLimit: Duration = .seconds(20),
        perMinute: Int = 100_000_000,
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) async throws -> ApplyReport {
        try #require(
            await scene.performWindow(
                work,
                requests: 3_000,
                to: transport,
                recording: ledger,
                stop: stop,
                open: open,
                drainLimit: drainLimit,
                perMinute: perMinute,
                at: Self.due,
                report: report
            )
        )
    }

    private func ids(_ count: Int) throws -> [OccurrenceID] {
        try Self.names(count).map(scene.id)
    }

    @Test func `records when short sends reached their objective`() async throws {
        try await schedule(3, aimingAt: "90% in 2m")
        let unavailable = "SECRET:device-4"
        let transport = ScriptedTransport { call in
            call.token == unavailable ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        let report = try await perform(try await plan(), to: transport)
        #expect(report.error == nil)
        let records = try await scene.store.appliedState().occurrences
        let reached = try ids(3).map { records[$0]?.reachedAfter }
        // One of the three registrations of the second is dead.
        #expect(reached == [0, nil, 0])
        #expect(try ids(3).allSatisfy { records[$0]?.objective == Objective("90% in 2m") })
    }

    @Test func `a short send that continues alone reaches its objective, too`() async throws {
        try await schedule(1, aimingAt: "50% in 2m")
        let transport = ScriptedTransport { call in
            call.token == "SECRET:device-1"
                ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        _ = try await perform(try await plan(), to: transport)
        let record = try await scene.record(of: "c1000")
        #expect(record.unit?.tally == StoreFixtures.tally([.accepted: 2, .rejected: 1]))
        #expect(record.reachedAfter == 0)
    }

    @Test func `records many short sends together`() async throws {
        try await schedule(300)
        let transport = ScriptedTransport()
        let sent = Mutex<(first: Int?, events: [ApplyEvent])>((nil, []))
        let ledger = WatchedLedger(scene.store) { number in
            if number == 1 { sent.withLock { $0.first = transport.seen.count } }
        }
        let report = try await perform(try await plan(), to: transport, recording: ledger) {
            event in
            sent.withLock { $0.events.append(event) }
        }
        #expect(report.error == nil)
        // Nothing leaves before the first commit.
        #expect(sent.withLock(\.first) == 0)
        // Three batches, each with two commits, unless answers take longer than half a second.
        #expect(ledger.commits < 100)
        #expect(try report.sends.map(\.occurrence) == ids(300))
        #expect(report.sends.allSatisfy { $0.tally == StoreFixtures.tally([.accepted: 3]) })
        #expect(report.notBegun == 0)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0..<900).sorted())
        #expect(try await scene.store.occurrences(.dispatching).isEmpty)
        let records = try await scene.store.appliedState().occurrences
        #expect(records.values.allSatisfy { $0.status == .finished })
        #expect(records.values.allSatisfy { $0.unit?.tally[.accepted] == 3 })
        let run = try #require(try await scene.store.runs(limit: 1).first)
        #expect(run.status == .complete)
        #expect(run.tally == StoreFixtures.tally([.accepted: 900]))
        let sendings = try await scene.store.sendings(of: run.id)
        #expect(try sendings.map(\.occurrence) == ids(300))
        #expect(try await scene.store.verifyHistory().isIntact)
        let first = try scene.id("c1000")
        let events = sent.withLock(\.events)
        let began = try #require(events.firstIndex(of: .began(.sending(first), total: 3)))
        let ended = try #require(events.firstIndex(of: .ended(.sending(first))))
        let last = try #require(events.firstIndex(of: .sent(report.sends[0])))
        let progress = events[began...ended].filter { event in
            if case .progressed(_, .done, first) = event { true } else { false }
        }
        #expect(began < ended && ended < last)
        #expect(!progress.isEmpty)
    }

    @Test func `a full disk at the start sends nothing`() async throws {
        try await schedule(20)
        let transport = ScriptedTransport()
        let ledger = WatchedLedger(scene.store, failsAtCommit: 1)
        let report = try await perform(try await plan(), to: transport, recording: ledger)
        #expect(report.error == .state(.diskFull(path: "full")))
        #expect(transport.seen.isEmpty)
        #expect(report.sends.isEmpty)
        let records = try await scene.store.appliedState().occurrences
        #expect(records.values.allSatisfy { $0.status == .scheduled && $0.unit == nil })
    }

    @Test func `a full disk at the end leaves the outcomes unknown`() async throws {
        try await schedule(20)
        let transport = ScriptedTransport()
        let ledger = WatchedLedger(scene.store, failsAtCommit: 2)
        let report = try await perform(try await plan(), to: transport, recording: ledger)
        #expect(report.error == .state(.diskFull(path: "full")))
        #expect(transport.seen.count == 60)
        #expect(try report.sends.map(\.occurrence) == ids(20))
        #expect(report.tally[.unknown] == 60)
        #expect(try await scene.store.occurrences(.dispatching).count == 20)
    }

    @Test func `a request without an answer does not delay the end after a full disk`() async throws
    {
        try await schedule(20)
        let (dead, silent) = (scene.tokens(7...7)[0], scene.tokens(30...30)[0])
        let transport = ScriptedTransport { call in
            if call.token == silent { return .silence }
            return call.token == dead ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        // The start is recorded, and the rejection is not.
        let ledger = WatchedLedger(scene.store, failsAtCommit: 2)
        let report = try await perform(
            try await plan(),
            to: transport,
            recording: ledger,
            drainLimit: .milliseconds(100)
        )
        #expect(report.error == .state(.diskFull(path: "full")))
        #expect(transport.seen.count == 60)
        #expect(report.tally[.unknown] == 60)
    }

    @Test func `skips dead registrations, even those that died after the plan`() async throws {
        try await schedule(20)
        let dead = try scene.fingerprints(1, 4)
        try await scene.store.markDead([dead[0]], at: PlanScene.now)
        let work = try await plan()
        try await scene.store.markDead([dead[1]], at: PlanScene.now)
        let transport = ScriptedTransport()
        let report = try await perform(work, to: transport)
        #expect(report.error == nil)
        let living = (0..<60).filter { $0 != 1 && $0 != 4 }
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(living).sorted())
        let partly = StoreFixtures.tally([.accepted: 2, .suppressed: 1])
        #expect(
            report.sends.prefix(3).map(\.tally) == [
                partly, partly, StoreFixtures.tally([.accepted: 3]),
            ]
        )
        let unit = try await StoreFixtures.unit(of: "c1000", in: scene.store)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<3)
                == [.accepted, .suppressed, .accepted]
        )
        #expect(try await scene.store.details(of: unit.id, in: 0..<3) == [1: OutcomeDetail.dead])
    }

    @Test func `a rejected registration is marked as dead and reported`() async throws {
        try await schedule(20)
        let dead = scene.tokens(7...7)[0]
        let transport = ScriptedTransport { call in
            call.token == dead ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        let report = try await perform(try await plan(), to: transport)
        #expect(report.error == nil)
        #expect(report.tally == StoreFixtures.tally([.accepted: 59, .rejected: 1]))
        let fingerprints = try scene.fingerprints(7)
        #expect(
            report.sends.flatMap(\.rejected)
                == [SendProblem(fingerprint: fingerprints[0], reason: "UNREGISTERED")]
        )
        #expect(try await scene.store.deadRegistrations().contains(fingerprints[0]))
        #expect(try await scene.store.occurrences(.dispatching).isEmpty)
    }

    @Test func `a quota refusal and a server error are repeated as in any send`() async throws {
        try await schedule(20)
        let (limited, failing) = (scene.tokens(10...10)[0], scene.tokens(50...50)[0])
        let count = Mutex<[String: Int]>([:])
        let transport = ScriptedTransport { call in
            let token = call.token ?? ""
            let number = count.withLock { count in
                count[token, default: 0] += 1
                return count[token, default: 0]
            }
            guard number == 1, token == limited || token == failing else { return .accepted }
            let status = token == limited ? 429 : 503
            let name = token == limited ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE"
            return .answer(
                status,
                ["error": ["code": .integer(Int64(status)), "status": .string(name)]],
                [HTTPHeader(name: "Retry-After", value: "1")]
            )
        }
        let report = try await perform(try await plan(), to: transport)
        #expect(report.error == nil)
        // Whether the 503 is repeated depends on the message, whose notification is replaced.
        #expect(report.tally[.accepted] + report.tally[.unknown] == 60)
        let calls = count.withLock { $0 }
        #expect(calls[limited] == 2)
        #expect(calls.count == 60)
        #expect(calls.filter { $0.value > 1 }.keys.allSatisfy { $0 == limited || $0 == failing })
        #expect(try await scene.store.occurrences(.dispatching).isEmpty)
    }

    @Test func `a slow answer delays no other send`() async throws {
        try await schedule(20)
        let others = StopSignal()
        let slow = scene.tokens(30...30)[0]
        let transport = ScriptedTransport { call in
            call.token == slow ? .acceptedAfter(others) : .accepted
        }
        let ended = Mutex(0)
        let report = try await perform(try await plan(), to: transport) { event in
            guard case .sent = event else { return }
            let count = ended.withLock { ended in
                ended += 1
                return ended
            }
            if count == 19 { others.raise() }
        }
        #expect(report.error == nil)
        #expect(report.tally == StoreFixtures.tally([.accepted: 60]))
        #expect(try report.sends.map(\.occurrence) == ids(20))
    }

    @Test func `a campaign that was paused after the plan is not sent`() async throws {
        try await schedule(20)
        let work = try await plan()
        let paused = try scene.id("c1003")
        _ = try await scene.store.pause(
            Pause(
                scope: .campaign(paused.campaign),
                since: PlanScene.now,
                user: "ada",
                host: "desk"
            )
        )
        let transport = ScriptedTransport()
        let report = try await perform(work, to: transport)
        #expect(report.error == nil)
        #expect(report.paused.map(\.occurrence) == [paused])
        #expect(report.notBegun == 3)
        let sent = (0..<60).filter { $0 / 3 != 3 }
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(sent).sorted())
        #expect(try await scene.store.occurrence(paused)?.status == .scheduled)
    }

    @Test func `a campaign that is paused while an earlier batch is recorded is not sent`()
        async throws
    {
        try await schedule(80)
        // In the second batch, which is read meanwhile.
        let paused = try scene.id("c1074")
        let store = scene.store
        let ledger = WatchedLedger(store) { number in
            guard number == 1 else { return }
            let pause = Pause(
                scope: .campaign(paused.campaign),
                since: PlanScene.now,
                user: "ada",
                host: "desk"
            )
            _ = try? await store.pause(pause)
        }
        let transport = ScriptedTransport()
        let report = try await perform(try await plan(), to: transport, recording: ledger)
        #expect(report.error == nil)
        #expect(report.paused.map(\.occurrence) == [paused])
        let sent = (0..<240).filter { $0 / 3 != 74 }
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(sent).sorted())
    }

    @Test func `nothing is sent after a stop while the first batch is recorded`() async throws {
        try await schedule(80)
        let stop = StopSignal()
        let ledger = WatchedLedger(scene.store) { number in if number == 1 { stop.raise() } }
        let transport = ScriptedTransport()
        let report = try await perform(
            try await plan(),
            to: transport,
            recording: ledger,
            stop: stop
        )
        #expect(report.error == .interrupted)
        #expect(transport.seen.isEmpty)
        #expect(report.tally[.unknown] == 0)
        let units = try await scene.store.appliedState().occurrences.values.compactMap(\.unit)
        #expect(units.count == 64)
        #expect(units.allSatisfy { $0.open == 0 })
    }

    @Test func `a limited pace and small limits hold for short sends`() async throws {
        try await schedule(20)
        let transport = ScriptedTransport()
        let ledger = WatchedLedger(scene.store)
        // 24 requests at once, then 99 per second; at most two open, and four unknown.
        let report = try await perform(
            try await plan(),
            to: transport,
            recording: ledger,
            open: OpenLimit(fixed: 2),
            perMinute: 6_000
        )
        #expect(report.error == nil)
        #expect(report.tally == StoreFixtures.tally([.accepted: 60]))
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0..<60).sorted())
        #expect(ledger.commits > 20)
    }

    @Test func `a stop leaves each request known`() async throws {
        try await schedule(600)
        let stop = StopSignal()
        let transport = ScriptedTransport { call in
            if call.number == 5 { stop.raise() }
            return .accepted
        }
        let report = try await perform(try await plan(), to: transport, stop: stop)
        #expect(report.error == nil || report.error == .interrupted)
        #expect(report.tally[.accepted] == transport.seen.count)
        #expect(report.tally[.unknown] == 0)
        let units = try await scene.store.appliedState().occurrences.values.compactMap(\.unit)
        #expect(units.allSatisfy { $0.open == 0 })
        #expect(units.reduce(0) { $0 + $1.tally[.accepted] } == transport.seen.count)
    }
}
