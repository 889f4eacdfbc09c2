import State
import Foundation
import Testing

@testable import SQLiteStore

/// A folder in which nothing can be created.
///
/// Its mode forbids that. For root, which ignores modes, the file system's immutable flag does so
/// if it is supported.
private enum FrozenFolder {
    static let isPossible: Bool = {
        guard let folder = try? StateFolder() else { return false }
        freeze(folder.path)
        defer { thaw(folder.path) }
        return !isWritable(folder.path)
    }()

    static func freeze(_ path: String) {
        _ = try? runToEnd("chmod", "0500", path)
        if isWritable(path) { _ = try? runToEnd("chattr", "+i", path) }
    }

    static func thaw(_ path: String) {
        _ = try? runToEnd("chattr", "-i", path)
        _ = try? runToEnd("chmod", "0700", path)
    }

    private static func isWritable(_ path: String) -> Bool {
        let probe = path + "/probe"
        defer { try? FileManager.default.removeItem(atPath: probe) }
        return FileManager.default.createFile(atPath: probe, contents: Data())
    }
}

@Suite(.enabled(if: FrozenFolder.isPossible, "nothing here is read-only for this user"))
struct SQLiteStoreReadOnlyTests {
    private let folder: StateFolder
    private var parent: String { folder.path + "/made/here" }

    init() throws {
        folder = try StateFolder()
    }

    @Test func `reads a state that is not open in a read-only folder`() async throws {
        try folder.fill()
        FrozenFolder.freeze(parent)
        defer { FrozenFolder.thaw(parent) }
        try folder.readAll()
        let store = try folder.open()
        #expect(throws: StateStoreError.readOnly(path: folder.state)) {
            try store.beginRun(StoreFixtures.worker)
        }
        await #expect(throws: StateStoreError.readOnly(path: folder.state + ".lock")) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
    }

    @Test func `creates no state in a read-only folder`() throws {
        try FileManager.default.createDirectory(
            atPath: parent,
            withIntermediateDirectories: true
        )
        FrozenFolder.freeze(parent)
        defer { FrozenFolder.thaw(parent) }
        do {
            _ = try folder.open()
            Issue.record("made a state")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
