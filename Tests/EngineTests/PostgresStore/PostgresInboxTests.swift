import Inbox
import State
import StoreTables
import Testing

@testable import PostgresStore

/// One after the other, because each case has several connections.
@Suite(.serialized)
struct PostgresInboxTests {
    private let scene: PostgresScene

    init() throws {
        scene = try PostgresScene()
    }

    @Test func `meets the requirements of an inbox`() async throws {
        try await InboxRequirements.check(try await PostgresInbox(of: try await scene.open()))
    }

    @Test func `a message changes no version of the state`() async throws {
        let store = try await scene.open()
        let version = try await store.version()
        let inbox = try await PostgresInbox(of: store)
        _ = try await inbox.store([try InboxFixtures.message("1")])
        #expect(try await store.version() == version)
    }

    @Test func `two listeners store each message once, in the order of their commits`() async throws
    {
        let store = try await scene.open()
        let inboxes = [try await PostgresInbox(of: store), try await PostgresInbox(of: store)]
        let messages = try (0..<400).map { try InboxFixtures.message("\($0)") }
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for inbox in inboxes {
                group.addTask {
                    var count = 0
                    for first in stride(from: 0, to: messages.count, by: 20) {
                        let batch = Array(messages[first..<first + 20])
                        count += try await inbox.store(batch).count { $0 == .stored }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stored == messages.count)
        #expect(try await inboxes[0].messages(after: nil, limit: 1_000).count == messages.count)
    }
}
