import CampaignModel
import FCMClient
import FCMWire
import JSON
import Planning
import RateControl
import State
import StoreConformance
import Testing
import Time

@testable import Memberships
@testable import RunControl

@Suite(.timeLimit(.minutes(5)))
struct MembershipRefreshTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func refresh(
        _ transport: ScriptedTransport,
        stop: StopSignal = StopSignal(),
        settle: Int64 = 0
    )
        -> MembershipRefresh
    {
        MembershipRefresh(
            store: scene.store,
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(),
                clock: .fixed(PlanScene.now),
                stop: stop,
                backoff: Backoff(shortest: .microseconds(100))
            ),
            settle: settle
        )
    }

    /// The existing subscriptions; all other registrations are dead.
    private func transport(_ topics: [Int: [String]]) -> ScriptedTransport {
        let named = Dictionary(
            uniqueKeysWithValues: topics.map { ("SECRET:device-\($0)", $1) }
        )
        return ScriptedTransport.telling(info: { ask in
            named[ask.token].map { .topics($0) }
                ?? .answer(404, ["error": "No information found about this instance id."])
        })
    }

    /// 0 stays, 1 left; 2 stays, 3 left; 4 stays away, 5 is back; 6 is dead.
    private func prepare() async throws {
        try await scene.join(0, 1, 6)
        try await scene.keep(2, 3, as: .external)
        try await scene.keep(4, 5, as: .optedOut)
        try await scene.keep(7, as: .joining)
        try await scene.keep(8, as: .leaving)
        try await scene.keep(9, as: .refused)
    }

    private let truth = [0: ["news"], 1: ["sport"], 2: ["news"], 3: [], 4: [], 5: ["news"]]

    private func named(_ findings: MembershipFindings) throws -> [String] {
        findings.all.flatMap { scope, found in
            found.map { "\(scope.audience) \(scope.topic) \($0.0) \($0.1)" }
        }.sorted()
    }

    private func expected() throws -> [String] {
        try [
            "all news \(scene.fingerprints(1)[0]) leftByHimself",
            "all news \(scene.fingerprints(3)[0]) externalLeft",
            "all news \(scene.fingerprints(5)[0]) isBack",
        ].sorted()
    }

    @Test func `reports missing and returned members without recording them`() async throws {
        try await prepare()
        let before = try await scene.statuses()
        let transport = transport(truth)
        let report = try await refresh(transport).look()
        #expect(try named(report.findings) == expected())
        #expect((report.read, report.dead) == (7, 1))
        #expect(Set(transport.asked) == Set(scene.tokens(0...6)))
        #expect(transport.seen.isEmpty)
        #expect(try await scene.statuses() == before)
    }

    @Test func `records opted-out, external and forgotten members`() async throws {
        try await prepare()
        let report = try await refresh(transport(truth))
            .record(by: StoreFixtures.worker)
        #expect(try named(report.findings) == expected())
        let all = try await scene.statuses()
        let statuses = try (0...9).map { all[try scene.fingerprints($0)[0]] }
        #expect(
            statuses == [
                .joined, .optedOut, .external, nil, .optedOut, .external, .joined, .joining,
                .leaving, .refused,
            ]
        )
        let again = try await refresh(transport(truth)).look()
        #expect(again.findings.isEmpty)
        #expect(try await scene.store.runs(limit: 1).map(\.status) == [.complete])
    }

    @Test func `queries a registration in several topics once`() async throws {
        for topic in ["news", "art", "sport"] { try await scene.join(0, 1, 2, topic: topic) }
        try await scene.join(1, audience: "more")
        let transport = transport([0: ["news", "art"], 1: ["art", "sport"], 2: []])
        let report = try await refresh(transport).look()
        #expect(Set(transport.asked) == Set(scene.tokens(0...2)))
        #expect(transport.asked.count == 3)
        let fingerprints = try scene.fingerprints(0, 1, 2)
        #expect(
            try named(report.findings)
                == [
                    "all sport \(fingerprints[0]) leftByHimself",
                    "all news \(fingerprints[1]) leftByHimself",
                    "more news \(fingerprints[1]) leftByHimself",
                    "all art \(fingerprints[2]) leftByHimself",
                    "all news \(fingerprints[2]) leftByHimself",
                    "all sport \(fingerprints[2]) leftByHimself",
                ].sorted()
        )
    }

    @Test func `reads all members if there are more than one chunk`() async throws {
        let numbers = Array(0..<2_300)
        try await scene.joining(numbers)
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members(numbers)),
            in: StoreFixtures.scope("all", "news")
        )
        let transport = ScriptedTransport.telling(info: {
            .topics($0.token.hasSuffix("99") ? [] : ["news"])
        })
        let report = try await refresh(transport)
            .record(by: StoreFixtures.worker)
        #expect(report.read == 2_300)
        #expect(try await scene.statuses().values.count { $0 == .optedOut } == 23)
    }

    @Test func `keeps recorded results after an error or a stop`() async throws {
        try await prepare()
        let stop = StopSignal()
        stop.raise()
        await #expect(throws: ApplyError.interrupted) {
            try await refresh(transport(truth), stop: stop)
                .record(by: StoreFixtures.worker)
        }
        #expect(try await scene.store.runs(limit: 1).map(\.status) == [.interrupted])
        let refusing = ScriptedTransport.telling(info: { _ in .answer(403, ["error": "Forbidden"]) }
        )
        await #expect(throws: ApplyError.refused(reason: "403 Forbidden")) {
            try await refresh(refusing).look()
        }
    }
}
