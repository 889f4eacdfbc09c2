import Foundation
import Inbox
import SQLiteStore
import State
import StoreConformance
import Testing

struct SQLiteInboxTests {
    private let folder: StateFolder
    private static let key = StateKey(bytes: [UInt8](repeating: 9, count: StateKey.size))

    init() throws {
        folder = try StateFolder()
    }

    private func inbox(of store: SQLiteStore) async throws -> SQLiteInbox {
        try #require(try await SQLiteInbox.open(of: store, creates: true))
    }

    @Test(arguments: [nil, key])
    func `meets the requirements of an inbox`(key: StateKey?) async throws {
        let store = try folder.open(key: key)
        try await InboxRequirements.check(try await inbox(of: store))
    }

    @Test(arguments: [nil, key])
    func `files contain registrations only if the state is plain`(key: StateKey?) async throws {
        let store = try folder.open(key: key)
        let inbox = try await inbox(of: store)
        _ = try await inbox.store([try InboxFixtures.message("1", from: "secret-phone:1")])
        let found = try ["", "-wal"].contains { suffix in
            let file = URL(fileURLWithPath: inbox.path + suffix)
            return try Data(contentsOf: file).range(of: Data("secret-phone:1".utf8)) != nil
        }
        #expect(found == (key == nil))
    }

    @Test func `a missing inbox is created only on request`() async throws {
        let store = try folder.open()
        #expect(try await SQLiteInbox.open(of: store, creates: false) == nil)
        #expect(!FileManager.default.fileExists(atPath: SQLiteInbox.path(ofStateAt: folder.state)))
    }

    @Test func `only one process listens, and others read`() async throws {
        let store = try folder.open()
        let first = try await inbox(of: store)
        try await first.lock(for: StoreFixtures.worker, waiting: .zero)
        let second = try await inbox(of: store)
        await #expect(throws: StateStoreError.self) {
            try await second.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        _ = try await first.store([try InboxFixtures.message("1")])
        #expect(try await second.messages(after: nil, limit: 9).count == 1)
        await first.unlock()
        try await second.lock(for: StoreFixtures.worker, waiting: .zero)
        await second.unlock()
    }

    @Test func `refuses the inbox of another state`() async throws {
        _ = try await inbox(of: try folder.open())
        let files = FileManager.default
        for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: folder.state + suffix) }
        let store = try folder.open()
        await #expect {
            _ = try await inbox(of: store)
        } throws: { error in
            if case .foreign? = error as? StateStoreError { true } else { false }
        }
    }
}
