import Applying
import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import Synchronization
import Testing
import Time

@testable import RunControl
@testable import Sending

/// Tests delays of sends to a topic or condition.
@Suite(.timeLimit(.minutes(5)))
struct SendGateTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaigns() throws -> [Campaign] {
        let condition = try Condition(parsing: "'art' in topics && 'news' in topics")
        return [
            try scene.campaign("to-news", to: .topic(scene.topic("news"))),
            try scene.campaign("to-both", to: .condition(condition)),
            try scene.campaign("to-sport", to: .topic(scene.topic("sport"))),
            try scene.campaign("to-list", to: .registrations(scene.inline(7))),
        ]
    }

    /// Returns a plan in which one registration leaves `news`, with the campaigns.
    private func plan(settle: Int64 = 0, at now: Instant = PlanScene.now) async throws -> Plan {
        try await scene.plan(
            campaigns(),
            audiences: [scene.audience(scene.inline(1))],
            settle: settle,
            at: now
        )
    }

    private static func targets(_ transport: ScriptedTransport) -> [String?] {
        transport.seen.filter { $0.batch == nil }.map {
            $0.topic ?? $0.token ?? $0.body["message"]?["condition"]?.stringValue
        }
    }

    @Test func `sends to a topic wait for its open leaves, and others continue`() async throws {
        try await scene.join(0, 1)
        let refusing = ScriptedTransport { call in
            call.batch == nil ? .accepted : .verdicts(["PERMISSION_DENIED"])
        }
        let report = await scene.apply(try await plan(), to: refusing)
        #expect(report.error == nil)
        #expect(Self.targets(refusing) == [scene.tokens([7])[0], "sport"])
        let topic = try scene.topic()
        #expect(
            try report.waiting == [
                WaitingSend(occurrence: scene.id("to-both"), topic: topic, openLeaves: 1),
                WaitingSend(occurrence: scene.id("to-news"), topic: topic, openLeaves: 1),
            ]
        )
        #expect(report.notBegun == 2)
        // They are sent after the member has left.
        let second = ScriptedTransport()
        let rest = await scene.apply(try await plan(), to: second)
        #expect(rest.waiting == [])
        #expect(Self.targets(second) == ["'art' in topics && 'news' in topics", "news"])
    }

    @Test func `an open leave of an earlier run also delays sends`() async throws {
        try await scene.join(0, 1, audience: "other")
        _ = try await scene.store.beginLeave(
            scene.fingerprints(0),
            in: StoreFixtures.scope("other", "news")
        )
        let plan = try await scene.plan(
            campaigns(),
            audiences: [scene.audience(scene.inline(1), named: "other")]
        )
        #expect(
            try plan.notices.contains(.openLeaves(StoreFixtures.scope("other", "news"), count: 1))
        )
        let refusing = ScriptedTransport { call in
            call.batch == nil ? .accepted : .verdicts(["PERMISSION_DENIED"])
        }
        let report = await scene.apply(plan, to: refusing)
        #expect(report.waiting.map(\.openLeaves) == [1, 1])
    }

    @Test func `a send that waits for the settle delay comes after the other sends`() async throws {
        let beginning = ContinuousClock.now
        let joined = Mutex<ContinuousClock.Instant?>(nil)
        let sent = Mutex<ContinuousClock.Instant?>(nil)
        let transport = ScriptedTransport { call in
            if call.batch != nil { joined.withLock { $0 = .now } }
            if call.topic == "news" { sent.withLock { $0 = .now } }
            return .accepted
        }
        let waits = Mutex<[Int64]>([])
        let report = await scene.apply(try await plan(settle: 1), to: transport) { event in
            if case .settles(let seconds) = event { waits.withLock { $0.append(seconds) } }
        }
        #expect(report.error == nil)
        #expect(
            Self.targets(transport) == [
                scene.tokens([7])[0], "sport", "'art' in topics && 'news' in topics", "news",
            ]
        )
        let (join, send) = (
            try #require(joined.withLock { $0 }), try #require(sent.withLock { $0 })
        )
        #expect(beginning.duration(to: join) >= .zero)
        #expect(join.duration(to: send) >= .seconds(1))
        // On a busy machine the other sends may take that long, so no wait remains.
        #expect(waits.withLock { $0 }.allSatisfy { $0 == 1 })
    }

    @Test func `the settle delay also covers a join of an earlier run`() async throws {
        let scope = try StoreFixtures.scope("all", "news")
        try await scene.joining([1])
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([1])),
            in: scope,
            at: PlanScene.now.advanced(bySeconds: -3_601)
        )
        let transport = ScriptedTransport()
        let report = await scene.apply(try await plan(settle: 3_600), to: transport)
        #expect(report.error == nil)
        #expect(Self.targets(transport).count == 4)
    }

    @Test func `a stop ends the wait, and the send remains`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport()
        let report = await scene.apply(
            try await plan(settle: 3_600),
            to: transport,
            stop: stop,
            report: { if case .settles = $0 { stop.raise() } }
        )
        #expect(report.error == .interrupted)
        #expect(Self.targets(transport) == [scene.tokens([7])[0], "sport"])
        #expect(report.notBegun == 2)
        let rest = try await plan()
        #expect(rest.sends.map(\.occurrence.campaign.rawValue) == ["to-both", "to-news"])
    }
}
