import CampaignModel
import CampaignPlanning
import CampaignState
import FCMWire
import HTTPTransport
import Synchronization
import Testing

@testable import CampaignExecution

@Suite(.timeLimit(.minutes(1)))
struct MembershipApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(_ numbers: Int...) throws -> Plan {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try scene.plan(audiences: [scene.audience(list)])
    }

    @Test func `a join is recorded before its request, and done after it`() async throws {
        let scene = scene
        let during = Mutex<[MembershipStatus]>([])
        let transport = ScriptedTransport { _ in
            let statuses = (try? scene.statuses().values.map(\.self)) ?? []
            during.withLock { $0 = statuses }
            return .accepted
        }
        let report = await scene.apply(try plan(0, 1), to: transport)
        #expect(during.withLock { $0 } == [.joining, .joining])
        #expect(try scene.statuses().values.map(\.self) == [.joined, .joined])
        #expect(report.memberships.joined == 2)
    }

    @Test func `a leave is recorded before its request, and gone after it`() async throws {
        try scene.join(0, 1)
        let scene = scene
        let during = Mutex<[Fingerprint: MembershipStatus]>([:])
        let transport = ScriptedTransport { _ in
            let statuses = (try? scene.statuses()) ?? [:]
            during.withLock { $0 = statuses }
            return .accepted
        }
        let report = await scene.apply(try plan(1), to: transport)
        let (zero, one) = (try scene.fingerprints(0)[0], try scene.fingerprints(1)[0])
        #expect(during.withLock { $0 } == [zero: .leaving, one: .joined])
        #expect(try scene.statuses() == [one: .joined])
        #expect(report.memberships.left == 1)
    }

    @Test func `repeats only for whom FCM did not say yes or no`() async throws {
        let transport = ScriptedTransport { call in
            switch call.number {
            case 1: .verdicts([nil, "NOT_FOUND", "INTERNAL", "RESOURCE_EXHAUSTED"])
            case 2: .verdicts(["INTERNAL", nil])
            default: .accepted
            }
        }
        let report = await scene.apply(try plan(0, 1, 2, 3), to: transport)
        #expect(report.error == nil)
        #expect(
            transport.seen.map(\.batch) == [
                scene.tokens(0...3), scene.tokens(2...3), scene.tokens(2...2),
            ]
        )
        #expect(report.memberships.joined == 3)
        let refused = SendProblem(fingerprint: try scene.fingerprints(1)[0], reason: "NOT_FOUND")
        #expect(report.memberships.refused == [refused])
        #expect(try scene.statuses().values.count { $0 == .refused } == 1)
        #expect(try plan(0, 1, 2, 3).memberships == [])
    }

    @Test(arguments: [
        ScriptedTransport.Reply.refusal(503, "UNAVAILABLE"), .refusal(429, "RESOURCE_EXHAUSTED"),
        .lost(.perhapsSent), .lost(.notSent),
    ])
    func `gives up after six attempts and does it again at the next apply`(
        reply: ScriptedTransport.Reply
    ) async throws {
        let transport = ScriptedTransport { _ in reply }
        let report = await scene.apply(try plan(0, 1), to: transport)
        guard case .unanswered? = report.error else {
            Issue.record("\(String(describing: report.error))")
            return
        }
        #expect(transport.seen.count == 6)
        #expect(try scene.statuses().values.map(\.self) == [.joining, .joining])
        #expect(try plan(0, 1).memberships.map(\.joins) == [scene.fingerprints(0, 1)])
    }

    @Test func `a refusal of us ends the run`() async throws {
        let transport = ScriptedTransport { _ in .answer(403, ["error": "MismatchSenderId"]) }
        let report = await scene.apply(try plan(0, 1), to: transport)
        #expect(report.error == .refused(reason: "403 MismatchSenderId"))
        #expect(transport.seen.count == 1)
    }

    @Test func `an answer for another number of registrations is no answer`() async throws {
        let transport = ScriptedTransport { _ in .verdicts([nil]) }
        let report = await scene.apply(try plan(0, 1), to: transport)
        #expect(report.error == .unanswered(reason: "200 the answer can't be read"))
        #expect(transport.seen.count == 6)
        #expect(try scene.statuses().values.map(\.self) == [.joining, .joining])
    }

    @Test func `who can't be unsubscribed because he is dead has left`() async throws {
        try scene.join(0, 1)
        let transport = ScriptedTransport { _ in .verdicts(["NOT_FOUND"]) }
        let report = await scene.apply(try plan(1), to: transport)
        #expect(report.error == nil)
        #expect(report.memberships.left == 1)
        #expect(report.memberships.refused == [])
        #expect(try scene.statuses().count == 1)
    }

    @Test func `who is forgotten goes without a request`() async throws {
        try scene.joining([0, 1])
        try scene.store.finishJoin(
            StoreFixtures.results(scene.members([0]), .refused("NOT_FOUND")),
            in: StoreFixtures.scope("all", "news")
        )
        try scene.store.finishJoin(
            StoreFixtures.results(scene.members([1])),
            in: StoreFixtures.scope("all", "news")
        )
        let transport = ScriptedTransport()
        let report = await scene.apply(try plan(1), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try scene.statuses().count == 1)
        #expect(report.memberships.left == 0)
    }

    @Test func `goes through a list in batches of a thousand`() async throws {
        let audience = try scene.audience(scene.file(0..<2_001))
        let transport = ScriptedTransport()
        let joined = await scene.apply(try scene.plan(audiences: [audience]), to: transport)
        #expect(joined.memberships.joined == 2_001)
        let shorter = try scene.audience(scene.file(2_000..<2_001))
        let left = await scene.apply(try scene.plan(audiences: [shorter]), to: transport)
        #expect(left.memberships.left == 2_000)
        #expect(transport.seen.map { $0.batch?.count } == [1_000, 1_000, 1, 1_000, 1_000])
    }

    @Test func `a stop lets no further batch begin`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            stop.raise()
            return .accepted
        }
        let plan = try scene.plan(audiences: [scene.audience(scene.file(0..<1_500))])
        let report = await scene.apply(plan, to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
        #expect(report.memberships.joined == 1_000)
        #expect(try scene.statuses().count == 1_000)
    }
}
