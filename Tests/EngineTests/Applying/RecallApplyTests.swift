import CampaignMessages
import CampaignModel
import JSON
import Planning
import RunControl
import State
import StoreConformance
import Testing
import Time

@testable import Applying

@Suite(.timeLimit(.minutes(5)))
struct RecallApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var id: OccurrenceID { get throws { try scene.id("sale") } }

    /// Requests the recall of the occurrence, as the command does.
    private func request(at now: Instant = PlanScene.now) async throws {
        let sent = try #require(try await scene.store.occurrence(id))
        let plan = try RecallPlan(sent, saying: .standard, among: [], at: now)
        let requested = RequestedRecall(
            plan.sent.id,
            message: plan.template.stored,
            worker: StoreFixtures.worker
        )
        #expect(try await scene.store.request(requested))
    }

    private func recall() async throws -> OccurrenceRecord {
        try #require(try await scene.store.occurrence(id.recall))
    }

    private func texts(_ transport: ScriptedTransport) -> [String?] {
        transport.seen.map { $0.body["message"]?["android"]?["notification"]?["body"]?.stringValue }
    }

    @Test func `replaces the message of accepted and unknown requests only`() async throws {
        let unit = try await scene.begin(
            scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        )
        try await scene.record([.accepted, .rejected, .unknown, .accepted], of: unit)
        try await request()
        let transport = ScriptedTransport()
        let report = await scene.apply(try await scene.plan(), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([0, 2, 3]))
        #expect(
            texts(transport) == Array(repeating: "Please ignore the previous message", count: 3)
        )
        let tally = try #require(try await recall().unit?.tally)
        #expect(tally == StoreFixtures.tally([.accepted: 3, .suppressed: 2]))
        #expect(try await recall().status == .finished)
        let sent = try #require(try await scene.store.occurrence(id))
        #expect(sent.status == .cancelled)
        #expect(sent.unit?.tally[.cancelled] == 1)
        #expect(try await scene.store.pauses() == [])
    }

    @Test func `an interrupted recall continues with the rest and repeats unknown requests`()
        async throws
    {
        let unit = try await scene.begin(
            scene.campaign(to: .registrations(scene.inline(0, 1, 2)))
        )
        try await scene.record([.accepted, .accepted, .accepted], of: unit)
        try await request()
        let opened = try await scene.store.open(
            OpenedOccurrence(
                id: id.recall,
                due: try await recall().due,
                message: try #require(try await recall().message),
                target: unit.target,
                count: unit.count
            ),
            in: try await scene.store.beginRun(StoreFixtures.worker)
        )
        let first = RequestOutcome(index: 0, outcome: .accepted)
        let second = RequestOutcome(index: 1, outcome: .unknown, detail: "cut off")
        try await scene.store.record([first, second], released: 2, of: opened.id)
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([1, 2]))
        #expect(try await recall().unit?.tally[.accepted] == 3)
    }

    @Test func `a run that leaves out all that remains is complete`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        var report = SendReport(
            occurrence: try id.recall,
            target: unit.target,
            tally: StoreFixtures.tally([.suppressed: 2]),
            rejected: [],
            unknown: []
        )
        #expect(report.cameToNothing)
        report.notReached = 2
        #expect(!report.cameToNothing)
    }

    @Test func `skips registrations that have died since then`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        try await scene.record([.accepted, .accepted], of: unit)
        try await scene.store.markDead(scene.fingerprints(0), at: PlanScene.now)
        try await request()
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.compactMap(\.token) == scene.tokens([1]))
    }

    @Test func `skips registrations that have opted out since then`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1, 2))))
        try await scene.record([.accepted, .accepted, .accepted], of: unit)
        try await scene.store.markDead(scene.fingerprints(0), at: PlanScene.now)
        try await scene.store.record(
            scene.fingerprints(2).map { .optOut($0, at: PlanScene.now) },
            upTo: InboxPosition(inbox: "inbox", number: 1)
        )
        try await request()
        let transport = ScriptedTransport()
        let report = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.compactMap(\.token) == scene.tokens([1]))
        #expect(report.sends.map(\.optedOut) == [1])
        let recalled = try #require(try await recall().unit)
        let skipped = try await scene.store.requests(of: recalled.id, with: .suppressed, limit: 3)
        #expect(skipped.map(\.detail) == ["dead", "opt_out"])
    }

    @Test func `a topic gets one message`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.accepted], of: unit)
        try await request()
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.map(\.topic) == ["news"])
        #expect(try await recall().status == .finished)
    }

    @Test func `goes out in spite of an earlier pause, and waits for the end of a later one`()
        async throws
    {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.accepted], of: unit)
        func pause(after seconds: Int64) -> Pause {
            let since = StoreFixtures.worker.since.advanced(bySeconds: seconds)
            return Pause(scope: .everything, since: since, user: "ada", host: "desk")
        }
        try await request()
        _ = try await scene.store.pause(pause(after: 1))
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.isEmpty)
        _ = try await scene.store.liftPause(pause(after: 1))
        _ = try await scene.store.pause(pause(after: -1))
        _ = await scene.apply(try await scene.plan(), to: transport)
        #expect(transport.seen.map(\.topic) == ["news"])
    }

    @Test func `no plan contains a recall, and nothing is sent again`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.file(0..<3)))
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: transport)
        try await scene.store.store(
            StoreFixtures.registrations(0..<3),
            as: try scene.list(of: try await scene.store.occurrence(id))
        )
        try await request()
        _ = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(transport.seen.count == 6)
        #expect(try await scene.plan([campaign]).campaigns.map(\.step) == [.unchanged])
    }
}

extension PlanScene {
    fileprivate func list(of record: OccurrenceRecord?) throws -> ListID {
        guard case .registrations(let list)? = record?.unit?.target else { throw NoList() }
        return list
    }

    private struct NoList: Error {}
}
