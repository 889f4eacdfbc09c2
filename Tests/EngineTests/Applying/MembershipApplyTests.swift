import Applying
import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import Memberships
import Planning
import State
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import RunControl

@Suite(.timeLimit(.minutes(5)))
struct MembershipApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(_ numbers: Int...) async throws -> Plan {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try await scene.plan(audiences: [scene.audience(list)])
    }

    @Test func `records a join before its request, and completes it afterwards`() async throws {
        let scene = scene
        let during = Mutex<[MembershipStatus]>([])
        let transport = ScriptedTransport { _ in
            let statuses = (try? await scene.statuses().values.map(\.self)) ?? []
            during.withLock { $0 = statuses }
            return .accepted
        }
        let report = await scene.apply(try await plan(0, 1), to: transport)
        #expect(during.withLock { $0 } == [.joining, .joining])
        #expect(try await scene.statuses().values.map(\.self) == [.joined, .joined])
        #expect(report.memberships.joined == 2)
    }

    @Test func `records a leave before its request, and removes it afterwards`() async throws {
        try await scene.join(0, 1)
        let scene = scene
        let during = Mutex<[Fingerprint: MembershipStatus]>([:])
        let transport = ScriptedTransport { _ in
            let statuses = (try? await scene.statuses()) ?? [:]
            during.withLock { $0 = statuses }
            return .accepted
        }
        let report = await scene.apply(try await plan(1), to: transport)
        let (zero, one) = (try scene.fingerprints(0)[0], try scene.fingerprints(1)[0])
        #expect(during.withLock { $0 } == [zero: .leaving, one: .joined])
        #expect(try await scene.statuses() == [one: .joined])
        #expect(report.memberships.left == 1)
    }

    @Test(.covers("A13", "A30", "F2.1-internal", "F2.1-not-found"))
    func `repeats only registrations without a verdict`() async throws {
        let transport = ScriptedTransport { call in
            switch call.number {
            case 1: .verdicts([nil, "NOT_FOUND", "INTERNAL", "UNAVAILABLE"])
            case 2: .verdicts(["INTERNAL", nil])
            default: .accepted
            }
        }
        let report = await scene.apply(try await plan(0, 1, 2, 3), to: transport)
        #expect(report.error == nil)
        #expect(
            transport.seen.map(\.batch) == [
                scene.tokens(0...3), scene.tokens(2...3), scene.tokens(2...2),
            ]
        )
        #expect(report.memberships.joined == 3)
        let refused = SendProblem(fingerprint: try scene.fingerprints(1)[0], reason: "NOT_FOUND")
        #expect(report.memberships.refused == [refused])
        #expect(try await scene.statuses().values.count { $0 == .refused } == 1)
        #expect(try await plan(0, 1, 2, 3).memberships == [])
    }

    @Test(
        .covers("A13"),
        arguments: [
            ScriptedTransport.Reply.refusal(503, "UNAVAILABLE"),
            .lost(.perhapsSent), .lost(.notSent),
        ]
    )
    func `gives up after six attempts and continues at the next apply`(
        reply: ScriptedTransport.Reply
    ) async throws {
        let transport = ScriptedTransport { _ in reply }
        let report = await scene.apply(try await plan(0, 1), to: transport)
        guard case .unanswered? = report.error else {
            Issue.record("\(String(describing: report.error))")
            return
        }
        #expect(transport.seen.count == 6)
        #expect(try await scene.statuses().values.map(\.self) == [.joining, .joining])
        #expect(try await plan(0, 1).memberships.map(\.joins) == [scene.fingerprints(0, 1)])
    }

    @Test func `gives up after twenty quota refusals in a row`() async throws {
        let transport = ScriptedTransport { _ in
            .answer(
                429,
                ["error": "RESOURCE_EXHAUSTED"],
                [HTTPHeader(name: "Retry-After", value: "0")]
            )
        }
        // One registration, because a slow pace splits a batch into concurrent requests.
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.error == .unanswered(reason: "429 RESOURCE_EXHAUSTED"))
        #expect(transport.seen.count == 20)
        #expect(try await scene.statuses().values.map(\.self) == [.joining])
    }

    @Test(.covers("F2.1-resource-exhausted"))
    func `members that hit the quota wait, and the others are completed`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            stop.raise()
            return .verdicts([nil, "RESOURCE_EXHAUSTED", "NOT_FOUND"])
        }
        let report = await scene.apply(try await plan(0, 1, 2), to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
        #expect(report.memberships.joined == 1)
        let found = try scene.fingerprints(0, 1, 2)
        #expect(
            try await scene.statuses()
                == [found[0]: .joined, found[1]: .joining, found[2]: .refused]
        )
    }

    @Test(.covers("A32")) func `a rejection of the caller ends the run`() async throws {
        let transport = ScriptedTransport { _ in .answer(401, ["error": "Unauthorized"]) }
        let report = await scene.apply(try await plan(0, 1), to: transport)
        #expect(report.error == .refused(reason: "401 Unauthorized"))
        #expect(transport.seen.count == 1)
    }

    @Test func `ignores an answer with a different number of registrations`() async throws {
        let transport = ScriptedTransport { _ in .verdicts([nil]) }
        let report = await scene.apply(try await plan(0, 1), to: transport)
        #expect(report.error == .unanswered(reason: "200 the answer cannot be read"))
        #expect(transport.seen.count == 6)
        #expect(try await scene.statuses().values.map(\.self) == [.joining, .joining])
    }

    @Test func `a dead registration that FCM cannot unsubscribe has left the topic`() async throws {
        try await scene.join(0, 1)
        let transport = ScriptedTransport { _ in .verdicts(["NOT_FOUND"]) }
        let report = await scene.apply(try await plan(1), to: transport)
        #expect(report.error == nil)
        #expect(report.memberships.left == 1)
        #expect(report.memberships.refused == [])
        #expect(try await scene.statuses().count == 1)
    }

    @Test func `forgets members without a request`() async throws {
        try await scene.joining([0, 1])
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([0]), .refused("NOT_FOUND")),
            in: StoreFixtures.scope("all", "news")
        )
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([1])),
            in: StoreFixtures.scope("all", "news")
        )
        let transport = ScriptedTransport()
        let report = await scene.apply(try await plan(1), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.statuses().count == 1)
        #expect(report.memberships.left == 0)
    }

    @Test func `forgets members before the first leave is requested`() async throws {
        try await scene.join(0, 1)
        try await scene.join(6, audience: "other", topic: "b")
        try await scene.joining([5], audience: "other", topic: "b")
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([5]), .refused("NOT_FOUND")),
            in: StoreFixtures.scope("other", "b")
        )
        let plan = try await scene.plan(audiences: [
            scene.audience(scene.inline(1)),
            scene.audience(scene.inline(6), named: "other", in: ["b"]),
        ])
        try #require(plan.memberships.map(\.forgotten.count) == [0, 1])
        let scene = scene
        let during = Mutex<[Fingerprint]>([])
        let transport = ScriptedTransport { _ in
            let kept = (try? await scene.statuses("other", "b").keys.map(\.self)) ?? []
            during.withLock { $0 = kept }
            return .answer(401, ["error": "Unauthorized"])
        }
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == .refused(reason: "401 Unauthorized"))
        #expect(transport.seen.map(\.batch) == [scene.tokens(0...0)])
        #expect(try during.withLock { $0 } == scene.fingerprints(6))
    }

    @Test(.covers("F2.1-invalid-argument", "F2.1-permission-denied"))
    func `a member with a rejected leave stays and is requested again`() async throws {
        try await scene.join(0, 1, 2, 3)
        let (zero, one) = (try scene.fingerprints(0)[0], try scene.fingerprints(1)[0])
        let refusing = ScriptedTransport { call in
            .verdicts(
                (call.batch ?? []).map { token in
                    switch token.last {
                    case "0": "PERMISSION_DENIED"
                    case "1": "INVALID_ARGUMENT"
                    default: nil
                    }
                }
            )
        }
        let report = await scene.apply(try await plan(3), to: refusing)
        #expect(report.error == nil)
        #expect(refusing.seen.count == 1)
        #expect(report.memberships.left == 2)
        #expect(
            report.memberships.refusedLeaves
                == [SendProblem(fingerprint: zero, reason: "PERMISSION_DENIED")]
        )
        #expect(report.memberships.refused == [])
        let three = try scene.fingerprints(3)[0]
        #expect(try await scene.statuses() == [zero: .leaving, three: .joined])
        #expect(try await scene.statuses()[one] == nil)
        let again = try await plan(3)
        #expect(again.memberships.map(\.leaves) == [[zero]])
        let accepting = ScriptedTransport()
        let second = await scene.apply(again, to: accepting)
        #expect(accepting.seen.map(\.batch) == [scene.tokens(0...0)])
        #expect(second.memberships.left == 1)
        #expect(try await scene.statuses() == [three: .joined])
    }

    @Test func `counts and records the work before an error`() async throws {
        let transport = ScriptedTransport { call in
            call.number == 1 ? .verdicts([nil, "INTERNAL", "NOT_FOUND"]) : .lost(.perhapsSent)
        }
        let report = await scene.apply(try await plan(0, 1, 2), to: transport)
        #expect(report.error == .unanswered(reason: "connection lost"))
        #expect(report.memberships.joined == 1)
        #expect(report.memberships.refused.map(\.reason) == ["NOT_FOUND"])
        let found = try scene.fingerprints(0, 1, 2)
        #expect(
            try await scene.statuses()
                == [found[0]: .joined, found[1]: .joining, found[2]: .refused]
        )
        #expect(try await plan(0, 1, 2).memberships.map(\.joins) == [[found[1]]])
    }

    @Test func `stores the verdicts of an attempt before the next one`() async throws {
        try await scene.join(0, 1)
        let scene = scene
        let during = Mutex<[Fingerprint: MembershipStatus]>([:])
        let transport = ScriptedTransport { call in
            guard call.number > 1 else { return .verdicts([nil, "UNAVAILABLE"]) }
            let statuses = (try? await scene.statuses()) ?? [:]
            during.withLock { $0 = statuses }
            return .lost(.notSent)
        }
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0, 1), in: [])])
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == .unanswered(reason: "connection lost"))
        #expect(report.memberships.left == 1)
        let rest = try #require(plan.memberships.first?.leaves.last)
        #expect(during.withLock { $0 } == [rest: .leaving])
    }

    @Test func `a stop cancels an open batch after the drain limit`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            stop.raise()
            return .silence
        }
        let report = await scene.apply(
            try await plan(0, 1),
            to: transport,
            stop: stop,
            drainLimit: .milliseconds(20)
        )
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
        #expect(try await scene.statuses().values.map(\.self) == [.joining, .joining])
        #expect(try await plan(0, 1).memberships.map(\.joins) == [scene.fingerprints(0, 1)])
    }

    @Test(.covers("A11", "F2.1-max"))
    func `processes a list in batches of a thousand`() async throws {
        let audience = try scene.audience(scene.file(0..<2_001))
        let transport = ScriptedTransport()
        let joined = await scene.apply(try await scene.plan(audiences: [audience]), to: transport)
        #expect(joined.memberships.joined == 2_001)
        let shorter = try scene.audience(scene.file(2_000..<2_001))
        let left = await scene.apply(try await scene.plan(audiences: [shorter]), to: transport)
        #expect(left.memberships.left == 2_000)
        // The batches of an apply are sent together, so that their order varies.
        let sizes = transport.seen.map { $0.batch?.count ?? 0 }
        #expect(sizes.prefix(3).sorted() == [1, 1_000, 1_000])
        #expect(sizes.dropFirst(3).sorted() == [1_000, 1_000])
    }

    @Test func `a stop prevents further batches`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            stop.raise()
            return .accepted
        }
        let plan = try await scene.plan(audiences: [scene.audience(scene.file(0..<13_000))])
        let report = await scene.apply(plan, to: transport, stop: stop)
        #expect(report.error == .interrupted)
        // The batches of members that are recorded together may be on their way.
        #expect((1...8).contains(transport.seen.count))
        let joined = transport.seen.count * 1_000
        #expect(report.memberships.joined == joined)
        // The stop may come before or after the record that the others are about to join.
        #expect(try await scene.statuses().values.count { $0 == .joined } == joined)
    }
}
