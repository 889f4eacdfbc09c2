import Foundation
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

/// Each test runs in a separate process as an ordinary user, because root ignores file modes.
struct SQLiteStoreReadOnlyTests {
    @Test func `reads a state in a read-only folder if no process has it open`() async {
        await #expect(processExitsWith: .success) {
            let folder = try await FrozenFolder { try await $0.fill() }
            let state = folder.folder.state
            try await folder.folder.readAll()
            let store = try folder.folder.open()
            await #expect(throws: StateStoreError.readOnly(path: state)) {
                try await store.beginRun(StoreFixtures.worker)
            }
            await #expect(throws: StateStoreError.readOnly(path: state)) {
                try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            }
        }
    }

    @Test func `creates no state in a read-only folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = try await FrozenFolder()
            do throws(StateStoreError) {
                _ = try folder.folder.open()
                Issue.record("created a state")
            } catch {
                guard case .unreachable = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
}

/// A folder that this process cannot write to; a class, because its deinitializer removes the
/// folder.
private final class FrozenFolder {
    let folder: StateFolder
    private let parent: String

    /// If root runs the process, it becomes an ordinary user.
    init(filledBy fill: (StateFolder) async throws -> Void = { _ in }) async throws {
        let nobody: uid_t = 65_534
        if geteuid() == 0 { try #require(setuid(nobody) == 0) }
        folder = try StateFolder()
        parent = folder.path + "/made/here"
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try await fill(folder)
        try #require(chmod(parent, 0o500) == 0)
        let probe = FileManager.default.createFile(atPath: parent + "/probe", contents: Data())
        try #require(!probe)
    }

    deinit {
        chmod(parent, 0o700)
    }
}
