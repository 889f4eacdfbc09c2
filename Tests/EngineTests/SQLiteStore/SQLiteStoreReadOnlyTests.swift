import Foundation
import State
import StoreConformance
import Testing

@testable import SQLiteStore

/// In a process of each test's own, because file modes do not bind root.
struct SQLiteStoreReadOnlyTests {
    @Test func `reads a state that nobody has open in a folder that cannot be written`() async {
        await #expect(processExitsWith: .success) {
            let folder = try await FrozenFolder { try await $0.fill() }
            let state = folder.folder.state
            try await folder.folder.readAll()
            let store = try folder.folder.open()
            await #expect(throws: StateStoreError.readOnly(path: state)) {
                try await store.beginRun(StoreFixtures.worker)
            }
            await #expect(throws: StateStoreError.readOnly(path: state + ".lock")) {
                try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            }
        }
    }

    @Test func `makes no state in a folder that cannot be written`() async {
        await #expect(processExitsWith: .success) {
            let folder = try await FrozenFolder()
            do throws(StateStoreError) {
                _ = try folder.folder.open()
                Issue.record("made a state")
            } catch {
                guard case .unreachable = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
}

/// A folder whose mode forbids this process to write; a class, to be removed when the test drops it.
private final class FrozenFolder {
    let folder: StateFolder
    private let parent: String

    /// The whole process becomes an ordinary user if it is root's.
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
