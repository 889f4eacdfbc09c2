import CampaignModel
import Inbox
import JSON
import Planning
import RunControl
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// Tests that a reply is a send of the ledger: at most one per message, and none to who opted out.
@Suite(.timeLimit(.minutes(5)))
struct ReplyApplyTests {
    let scene: PlanScene
    private let rule: UpstreamRule

    init() throws {
        scene = try PlanScene()
        rule = try scene.reply()
    }

    /// Records the replies to messages of phones, as the beginning of a run does.
    private func receive(
        _ phones: [Int],
        from first: Int64 = 1,
        at time: Instant = PlanScene.now
    ) async throws {
        let messages = try phones.enumerated().map { place, phone in
            let number = first + Int64(place)
            return InboxMessage(
                position: InboxPosition(inbox: "0123456789abcdef", number: number),
                fingerprint: try scene.fingerprints(phone)[0],
                message: UpstreamMessage(
                    content: UpstreamContent(
                        id: "\(number)",
                        category: "com.example.harbour",
                        data: ["action": "answer"]
                    ),
                    from: try scene.registration(phone),
                    to: InboxFixtures.sender,
                    arrival: UpstreamArrival(at: time, over: .http)
                )
            )
        }
        let inbox = MessageList(messages)
        let reader = InboxReader(inbox, rules: [], replying: [rule])
        try await reader.absorb(into: scene.store)
    }

    private func apply(to transport: ScriptedTransport) async throws -> ApplyReport {
        await scene.apply(try await scene.plan(upstream: [rule]), to: transport)
    }

    private func begin() async throws { try await scene.remember(scene.plan(upstream: [rule])) }

    private func records() async throws -> [OccurrenceRecord] {
        try await scene.store.occurrences(.of([try #require(rule.replies)]))
    }

    @Test func `answers each registration once, with a key`() async throws {
        try await begin()
        try await receive([0, 1, 0])
        let transport = ScriptedTransport()
        let report = try await apply(to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([0, 1]))
        let message = transport.seen.first?.body["message"]
        #expect(message?["notification"]?["title"]?.stringValue == "Thank you")
        let record = try #require(try await records().first)
        #expect(record.id.description == "thanks/reply:01234567-1/1")
        #expect(record.status == .finished)
        #expect(record.unit?.tally == StoreFixtures.tally([.accepted: 2]))
        #expect(
            message?["android"]?["notification"]?["tag"]?.stringValue == record.deduplicationKey
        )
        #expect(report.sends.map(\.occurrence) == [record.id])
        _ = try await apply(to: transport)
        #expect(transport.seen.count == 2)
        try await receive([0], from: 4)
        _ = try await apply(to: transport)
        #expect(transport.seen.count == 3)
    }

    @Test func `skips who has opted out or died`() async throws {
        try await begin()
        try await receive([0, 1, 2])
        try await scene.store.record(
            scene.fingerprints(1).map { .optOut($0, at: PlanScene.now) },
            upTo: InboxPosition(inbox: "0123456789abcdef", number: 4)
        )
        try await scene.store.markDead(scene.fingerprints(2), at: PlanScene.now)
        let transport = ScriptedTransport()
        let report = try await apply(to: transport)
        #expect(transport.seen.compactMap(\.token) == scene.tokens([0]))
        #expect(report.sends.map(\.optedOut) == [1])
        let unit = try #require(try await records().first?.unit)
        let skipped = try await scene.store.requests(of: unit.id, with: .suppressed, limit: 3)
        #expect(skipped.map(\.detail) == ["opt_out", "dead"])
    }

    @Test func `continues after a crash, and repeats nothing that may have been sent`()
        async throws
    {
        try await begin()
        try await receive([0, 1, 2])
        let unit = try #require(try await records().first?.unit)
        // The process was killed while the answer to the first request was on its way.
        _ = try await scene.store.beginRun(StoreFixtures.worker)
        try await scene.store.record([], released: 1, of: unit.id)
        let recorder = OccurrenceRecorder(store: scene.store, fingerprinter: scene.fingerprinter)
        let cutOff = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(cutOff.map { $0.tally[.unknown] } == [1])
        let transport = ScriptedTransport()
        _ = try await apply(to: transport)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([1, 2]))
        let record = try #require(try await records().first)
        #expect(record.unit?.tally == StoreFixtures.tally([.accepted: 2, .unknown: 1]))
        _ = try await apply(to: transport)
        #expect(transport.seen.count == 2)
    }

    @Test func `waits while everything or the rule is paused`() async throws {
        try await begin()
        try await receive([0])
        let scopes = [PauseScope.everything, .campaign(try #require(rule.replies))]
        for scope in scopes {
            let pause = Pause(
                scope: scope,
                since: StoreFixtures.worker.since,
                user: "ada",
                host: "desk"
            )
            _ = try await scene.store.pause(pause)
            let transport = ScriptedTransport()
            _ = try await apply(to: transport)
            #expect(transport.seen.isEmpty)
            _ = try await scene.store.liftPause(pause)
        }
        let transport = ScriptedTransport()
        _ = try await apply(to: transport)
        #expect(transport.seen.count == 1)
    }

    @Test func `with a service, the apply sends nothing`() async throws {
        try await begin()
        try await receive([0])
        let transport = ScriptedTransport()
        let sale = try scene.campaign()
        let plan = try await scene.plan([sale], sends: .run, upstream: [rule])
        #expect(await scene.apply(plan, to: transport).error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.store.occurrences(.openReplies).count == 1)
    }

    @Test func `a reply that is too old is not sent`() async throws {
        try await begin()
        try await receive([0], at: PlanScene.now.advanced(bySeconds: -3_000_000))
        let transport = ScriptedTransport()
        let report = try await apply(to: transport)
        #expect(transport.seen.isEmpty)
        #expect(report.expired.map(\.description) == ["thanks/reply:01234567-1/1"])
        #expect(try await records().first?.unit?.tally[.expired] == 1)
        #expect(try await scene.store.occurrences(.openReplies) == [])
    }
}

/// Messages in the order of an inbox.
private actor MessageList: InboxStore {
    private let content: [InboxMessage]

    init(_ content: [InboxMessage]) {
        self.content = content
    }

    func store(_ messages: [UpstreamMessage]) -> [InboxResult] { messages.map { _ in .duplicate } }

    func messages(after position: InboxPosition?, limit: Int) -> [InboxMessage] {
        Array(content.filter { $0.position.number > position?.number ?? 0 }.prefix(limit))
    }

    func confirm(upTo position: InboxPosition) {}

    func confirmed() -> Int64 { 0 }

    func removeMessages(before time: Instant) -> Int { 0 }

    func summary() -> InboxSummary {
        InboxSummary(inbox: "memory", stored: content.count, waiting: 0, conflicts: 0)
    }
}
