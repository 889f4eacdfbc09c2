import CampaignModel
import Inbox
import State
import Testing
import Time

enum InboxFixtures {
    static let sender = {
        guard let sender = SenderID("1029384756") else { preconditionFailure("it is a number") }
        return sender
    }()
    static let arrival = UpstreamArrival(at: Instant(secondsSince1970: 1_000), over: .xmpp)

    static func message(
        _ id: String,
        from token: String = "phone:1",
        data: [String: String] = ["action": "leave"],
        to sender: String = "1029384756"
    ) throws -> UpstreamMessage {
        UpstreamMessage(
            content: UpstreamContent(id: id, category: "com.example.harbour", data: data),
            from: try #require(Registration(token)),
            to: try #require(SenderID(sender)),
            arrival: arrival
        )
    }
}

/// The requirements for every inbox.
enum InboxRequirements {
    static func check(_ inbox: any InboxStore) async throws {
        try await checkIdentities(inbox)
        try await checkReading(inbox)
        try await checkRemoval(inbox)
    }

    private static func checkIdentities(_ inbox: any InboxStore) async throws {
        let first = [
            try InboxFixtures.message("1"), try InboxFixtures.message("2"),
            try InboxFixtures.message("1"), try InboxFixtures.message("1", data: ["a": "b"]),
            try InboxFixtures.message("1", from: "phone:2"),
            try InboxFixtures.message("1", to: "5"),
        ]
        #expect(
            try await inbox.store(first)
                == [.stored, .stored, .duplicate, .conflictingContent, .stored, .stored]
        )
        let second = [
            try InboxFixtures.message("1"), try InboxFixtures.message("2", data: [:]),
            try InboxFixtures.message("3"),
        ]
        #expect(try await inbox.store(second) == [.duplicate, .conflictingContent, .stored])
        let many = try (0..<200).map { try InboxFixtures.message("many-\($0)") }
        #expect(try await inbox.store(many).allSatisfy { $0 == .stored })
        #expect(try await inbox.store(many).allSatisfy { $0 == .duplicate })
        let summary = try await inbox.summary()
        #expect(summary.stored == 205)
        #expect(summary.waiting == 205)
        #expect(summary.conflicts == 2)
    }

    private static func checkReading(_ inbox: any InboxStore) async throws {
        let all = try await inbox.messages(after: nil, limit: 1_000)
        #expect(all.count == 205)
        #expect(all.map(\.position.number) == all.map(\.position.number).sorted())
        #expect(all.first?.message == (try InboxFixtures.message("1")))
        var read: [InboxMessage] = []
        while true {
            let page = try await inbox.messages(after: read.last?.position, limit: 7)
            read += page
            if page.count < 7 { break }
        }
        #expect(read == all)
        let elsewhere = InboxPosition(inbox: "another", number: 1_000_000)
        #expect(try await inbox.messages(after: elsewhere, limit: 1_000) == all)
    }

    /// Messages stay until a run has acted on them.
    private static func checkRemoval(_ inbox: any InboxStore) async throws {
        let later = InboxFixtures.arrival.time.advanced(bySeconds: 1)
        #expect(try await inbox.removeMessages(before: later) == 0)
        let all = try await inbox.messages(after: nil, limit: 1_000)
        #expect(try await inbox.confirmed() == 0)
        try await inbox.confirm(upTo: all[2].position)
        try await inbox.confirm(upTo: all[0].position)
        #expect(try await inbox.confirmed() == all[2].position.number)
        #expect(try await inbox.removeMessages(before: InboxFixtures.arrival.time) == 0)
        #expect(try await inbox.removeMessages(before: later) == 3)
        let summary = try await inbox.summary()
        #expect(summary.stored == 202)
        #expect(summary.waiting == 202)
    }
}
