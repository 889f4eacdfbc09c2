import CampaignModel
import Inbox
import JSON
import SQLiteStore
import State
import StoreConformance
import StoreTables
import Testing
import Time

/// Tests that messages change the state once.
struct InboxReaderTests {
    private let folder: StateFolder
    private let rules: [UpstreamRule]
    private let topic: Topic

    init() throws {
        folder = try StateFolder()
        topic = try #require(Topic("azores"))
        func rule(
            _ name: String,
            _ action: String,
            _ actions: UpstreamActions
        ) throws
            -> UpstreamRule
        {
            UpstreamRule(
                id: try #require(UpstreamRuleID(name)),
                about: nil,
                match: UpstreamMatch(category: nil, data: ["action": action]),
                actions: actions
            )
        }
        let campaign = try #require(CampaignID("question"))
        rules = [
            try rule("leave", "leave", UpstreamActions(optsOut: true)),
            try rule("join", "join", UpstreamActions(subscribe: [topic])),
            try rule("part", "part", UpstreamActions(unsubscribe: [topic])),
            try rule(
                "seen",
                "seen",
                UpstreamActions(event: UpstreamEvent(name: "seen", campaign: campaign))
            ),
        ]
    }

    private func stored(
        _ actions: [(id: String, token: String, action: String)],
        in inbox: any InboxStore
    ) async throws {
        let messages = try actions.map {
            try InboxFixtures.message($0.id, from: $0.token, data: ["action": $0.action])
        }
        _ = try await inbox.store(messages)
    }

    @Test func `records each message once, also without the inbox's note`() async throws {
        let store = try folder.open()
        let inbox = try #require(try await SQLiteInbox.open(of: store, creates: true))
        try await stored(
            [
                ("1", "phone:1", "leave"), ("2", "phone:2", "join"), ("3", "phone:3", "seen"),
                ("4", "phone:2", "part"), ("5", "phone:4", "nothing"),
            ],
            in: inbox
        )
        let reader = InboxReader(inbox, rules: rules)
        let pending = try await reader.pending(after: try await store.upstreamPosition())
        #expect(pending.changes.count == 4)
        try await reader.absorb(into: store)
        let standing = try await store.upstreamStanding(of: rules.map(\.id))
        #expect(standing == UpstreamStanding.none.applying(pending.changes))
        #expect(standing.optedOut.count == 1)
        #expect(standing.excluded[topic]?.count == 1)
        #expect(try await store.upstreamPosition() == pending.position)
        #expect(try await inbox.summary().waiting == 0)
        let campaign = try #require(CampaignID("question"))
        #expect(try await store.upstreamAnswers(to: campaign).count == 1)
        try await reader.absorb(into: store)
        #expect(try await store.upstreamAnswers(to: campaign).count == 1)
        // The registration subscribes again: it does not stay out any more.
        try await stored([("6", "phone:2", "join")], in: inbox)
        try await reader.absorb(into: store)
        let later = try await store.upstreamStanding(of: rules.map(\.id))
        #expect(later.excluded[topic] ?? [] == [])
        #expect(later.members.values.flatMap(\.values).map(\.token) == ["phone:2"])
    }

    @Test func `records messages up to the last one that was planned`() async throws {
        let store = try folder.open()
        let inbox = try #require(try await SQLiteInbox.open(of: store, creates: true))
        try await stored([("1", "phone:1", "leave")], in: inbox)
        let reader = InboxReader(inbox, rules: rules)
        let pending = try await reader.pending(after: nil)
        try await stored([("2", "phone:2", "leave")], in: inbox)
        try await reader.absorb(into: store, upTo: pending.position)
        #expect(try await store.upstreamStanding(of: []).optedOut.count == 1)
        #expect(try await inbox.summary().waiting == 1)
        try await reader.absorb(into: store)
        #expect(try await store.upstreamStanding(of: []).optedOut.count == 2)
    }

    @Test func `each message gets one reply, also in a state that was restored`() async throws {
        let store = try folder.open()
        let inbox = try #require(try await SQLiteInbox.open(of: store, creates: true))
        _ = try await store.beginRun(StoreFixtures.worker)
        let thanks = UpstreamRule(
            id: try #require(UpstreamRuleID("thanks")),
            about: nil,
            match: UpstreamMatch(category: nil, data: ["action": "answer"]),
            actions: UpstreamActions(
                reply: MessageContent(fields: ["notification": ["title": "Thank you"]])
            )
        )
        let reader = InboxReader(inbox, rules: rules, replying: [thanks])
        try await stored(
            [
                ("1", "phone:1", "answer"), ("2", "phone:2", "seen"), ("3", "phone:3", "answer"),
                ("4", "phone:1", "answer"),
            ],
            in: inbox
        )
        let pending = try await reader.pending(after: nil)
        let replies = pending.changes.compactMap { change in
            if case .reply(let replies) = change { replies } else { nil }
        }
        #expect(replies.map { $0.registrations.map(\.token) } == [["phone:1", "phone:3"]])
        #expect(replies.first?.due == InboxFixtures.arrival.time)
        try await reader.absorb(into: store)
        let open = try await store.occurrences(.openReplies)
        #expect(open.map(\.id) == replies.map(\.occurrence))
        #expect(open.map { $0.unit?.count } == [2])
        #expect(open.first?.message == replies.first?.message)
        // A state without the position acts on the messages again, and does not reply again.
        let restored = try await reader.pending(after: nil).changes
        #expect(restored.count == 1)
        #expect(!restored.contains { if case .reply = $0 { true } else { false } })
        try await stored([("5", "phone:1", "answer")], in: inbox)
        try await reader.absorb(into: store)
        #expect(try await store.occurrences(.openReplies).count == 2)
    }

    @Test func `an opt-out ends only on purpose`() async throws {
        let store = try folder.open()
        let inbox = try #require(try await SQLiteInbox.open(of: store, creates: true))
        try await stored([("1", "phone:1", "leave"), ("2", "phone:1", "join")], in: inbox)
        try await InboxReader(inbox, rules: rules).absorb(into: store)
        let optedOut = try await store.upstreamStanding(of: []).optedOut
        #expect(optedOut.count == 1)
        let fingerprints = Array(optedOut)
        #expect(try await store.skippedRegistrations(among: fingerprints).contains(fingerprints[0]))
        #expect(try await store.skippedRegistrations().contains(fingerprints[0]))
        #expect(try await store.optIn(fingerprints) == 1)
        #expect(try await store.optIn(fingerprints) == 0)
        #expect(try await store.skippedRegistrations().isEmpty)
    }
}
