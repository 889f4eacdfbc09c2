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
import Testing

@testable import RunControl

/// Tests how an apply determines the owner of a subscription.
@Suite(.timeLimit(.minutes(5)))
struct MembershipOwnershipTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(_ numbers: Int..., rejoins: Bool = false) async throws -> Plan {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try await scene.plan(audiences: [scene.audience(list, rejoins: rejoins)])
    }

    /// The existing subscriptions, which do not change.
    private func transport(_ topics: [Int: [String]]) -> ScriptedTransport {
        let named = Dictionary(
            uniqueKeysWithValues: topics.map { ("SECRET:device-\($0)", $1) }
        )
        return ScriptedTransport.telling(info: { .topics(named[$0.token] ?? []) })
    }

    private func statuses(_ numbers: Int...) async throws -> [MembershipStatus?] {
        let all = try await scene.statuses()
        return try numbers.map { all[try scene.fingerprints($0)[0]] }
    }

    @Test
    func `a member is external if it was subscribed before the first join`() async throws {
        let transport = transport([1: ["news"], 2: ["sport"]])
        let report = await scene.apply(try await plan(0, 1, 2), to: transport)
        #expect(report.error == nil)
        #expect(Set(transport.asked) == Set(scene.tokens(0...2)))
        #expect(transport.seen.map(\.batch) == [scene.tokens([0, 2])])
        #expect(try await statuses(0, 1, 2) == [.joined, .external, .joined])
        #expect((report.memberships.joined, report.memberships.external) == (2, 1))
        let again = try await plan(0, 1, 2)
        #expect(again.memberships == [])
        #expect(
            try again.notices == [.externalMembers(StoreFixtures.scope("all", "news"), count: 1)]
        )
    }

    @Test func `external members stay when they leave the list`() async throws {
        _ = await scene.apply(try await plan(0, 1), to: transport([1: ["news"]]))
        let leaving = ScriptedTransport()
        let audience = try scene.audience(scene.inline(0, 1), in: [])
        let report = await scene.apply(try await scene.plan(audiences: [audience]), to: leaving)
        #expect(report.error == nil)
        #expect(leaving.seen.map(\.batch) == [scene.tokens([0])])
        #expect(try await scene.statuses().isEmpty)
    }

    @Test func `sends no batch if all members are external`() async throws {
        let transport = transport([0: ["news"], 1: ["news"]])
        let report = await scene.apply(try await plan(0, 1), to: transport)
        #expect(transport.seen.isEmpty)
        #expect(report.memberships.external == 2)
        #expect(report.didAnything)
    }

    @Test func `members that an interrupted run was joining are managed, and are not queried`()
        async throws
    {
        try await scene.joining([0, 1])
        let transport = transport([0: ["news"], 1: ["news"], 2: ["news"]])
        _ = await scene.apply(try await plan(0, 1, 2), to: transport)
        #expect(transport.asked == scene.tokens([2]))
        #expect(transport.seen.map(\.batch) == [scene.tokens(0...1)])
        #expect(try await statuses(0, 1, 2) == [.joined, .joined, .external])
    }

    @Test func `members do not wrongly become external if a run dies after queries`() async throws {
        // FCM's subscriptions: the first run's batch arrives, but its answer is lost.
        let joined = Mutex<Set<String>>([])
        let info: @Sendable (ScriptedTransport.Ask) -> ScriptedTransport.Reply = { ask in
            .topics(joined.withLock { $0.contains(ask.token) } ? ["news"] : [])
        }
        let stop = StopSignal()
        let dying = ScriptedTransport.telling(
            info: info,
            script: { call in
                joined.withLock { $0.formUnion(call.batch ?? []) }
                stop.raise()
                return .silence
            }
        )
        _ = await scene.apply(
            try await plan(0, 1),
            to: dying,
            stop: stop,
            drainLimit: .milliseconds(1)
        )
        #expect(try await statuses(0, 1) == [.joining, .joining])
        let report = await scene.apply(
            try await plan(0, 1),
            to: ScriptedTransport.telling(info: info)
        )
        #expect(report.memberships.external == 0)
        #expect(try await statuses(0, 1) == [.joined, .joined])
    }

    @Test func `the join, not the query, detects a dead registration`() async throws {
        let transport = ScriptedTransport.telling(
            info: { _ in .answer(404, ["error": "No information found about this instance id."]) },
            script: { _ in .verdicts(["NOT_FOUND"]) }
        )
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.error == nil)
        #expect(report.memberships.refused.map(\.reason) == ["NOT_FOUND"])
        #expect(try await statuses(0) == [.refused])
    }

    @Test func `repeats an unanswered query for its registrations only`() async throws {
        let transport = ScriptedTransport.telling(info: { ask in
            switch ask.number {
            case 1: .refusal(429, "RESOURCE_EXHAUSTED")
            case 2: .lost(.perhapsSent)
            case 3: .refusal(503, "UNAVAILABLE")
            default: .topics(ask.token.hasSuffix("-1") ? ["news"] : [])
            }
        })
        let report = await scene.apply(try await plan(0, 1, 2), to: transport)
        #expect(report.error == nil)
        #expect(try await statuses(0, 1, 2) == [.joined, .external, .joined])
        #expect(transport.asked.count == 6)
    }

    @Test func `ends the run without managed members if no query is answered`() async throws {
        let transport = ScriptedTransport.telling(info: { _ in .refusal(503, "UNAVAILABLE") })
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.error == .unanswered(reason: "503 words"))
        #expect(transport.asked.count == 6)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.statuses().isEmpty)
    }

    @Test func `a rejection of the caller in a query ends the run immediately`() async throws {
        let transport = ScriptedTransport.telling(info: { _ in
            .answer(401, ["error": "Unauthorized"])
        })
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.error == .refused(reason: "401 Unauthorized"))
        #expect(transport.asked.count == 1)
        #expect(try await scene.statuses().isEmpty)
    }

    @Test func `runs several queries at a time, within the limit`() async throws {
        let transport = CountingTransport()
        let audience = try scene.audience(scene.file(0..<200))
        let report = await scene.apply(
            try await scene.plan(audiences: [audience]),
            to: transport,
            parallelism: 8
        )
        #expect(report.memberships.joined == 200)
        #expect(transport.most == 8)
    }

    @Test func `a stop ends the queries`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport.telling(info: { ask in
            if ask.number == 3 { stop.raise() }
            return ask.number < 3 ? .topics([]) : .silence
        })
        let report = await scene.apply(try await plan(0, 1, 2, 3), to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(transport.seen.isEmpty)
    }

    @Test func `a member that moves between audiences stays managed`() async throws {
        try await scene.join(0, 1)
        let transport = transport([0: ["news"], 1: ["news"]])
        let plan = try await scene.plan(audiences: [
            scene.audience(scene.inline(0)),
            scene.audience(scene.inline(1), named: "more"),
        ])
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        #expect(transport.asked.isEmpty)
        #expect(try await scene.statuses("more", "news").values.map(\.self) == [.joined])
        #expect(try await scene.statuses().count == 1)
    }

    @Test func `uses the record of another audience without a query`() async throws {
        try await scene.keep(0, as: .external, audience: "more")
        try await scene.keep(1, as: .optedOut, audience: "more")
        let transport = transport([:])
        let plan = try await scene.plan(audiences: [
            scene.audience(scene.inline(0, 1)),
            scene.audience(scene.inline(0, 1), named: "more"),
        ])
        _ = await scene.apply(plan, to: transport)
        #expect(transport.asked.isEmpty && transport.seen.isEmpty)
        #expect(try await statuses(0, 1) == [.external, .optedOut])
    }

    @Test func `rejoins an opted-out member only if it is not subscribed already`() async throws {
        try await scene.keep(0, 1, as: .optedOut)
        let transport = transport([1: ["news"]])
        let report = await scene.apply(try await plan(0, 1, rejoins: true), to: transport)
        #expect(transport.seen.map(\.batch) == [scene.tokens([0])])
        #expect(try await statuses(0, 1) == [.joined, .external])
        #expect(report.memberships.joined == 1)
    }

    @Test func `waits for Retry-After of a batch until a stop`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { call in
            Task { stop.raise() }
            return .answer(
                429,
                ["error": "RESOURCE_EXHAUSTED"],
                [HTTPHeader(name: "Retry-After", value: "3600")]
            )
        }
        let report = await scene.apply(try await plan(0), to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
    }
}

/// Answers every query after other tasks have run, and counts open queries.
///
/// A class, because many tasks share the count.
private final class CountingTransport: Transport, Sendable {
    private let counts = Mutex((open: 0, most: 0))
    private let inner = ScriptedTransport()

    var most: Int { counts.withLock(\.most) }

    func prepare(_ url: String) async throws(TransportError) {}

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        counts.withLock { counts in
            counts.open += 1
            counts.most = max(counts.most, counts.open)
        }
        for _ in 0..<50 { await Task.yield() }
        defer { counts.withLock { $0.open -= 1 } }
        return try await inner.send(request)
    }
}
