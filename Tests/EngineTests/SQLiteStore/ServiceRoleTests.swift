import Foundation
import SQLiteStore
import State
import StoreConformance
import Testing

/// Tests the role of the service that sends; another process is `flock(1)` from util-linux.
struct ServiceRoleTests {
    private let folder: StateFolder
    private var file: String { folder.state + ".service" }

    init() throws {
        folder = try StateFolder()
        _ = try folder.open()
    }

    private func role() -> FileServiceRole { FileServiceRole(ofStateAt: folder.state) }

    @Test func `one service has the role, and others learn its name`() throws {
        let (first, second) = (role(), role())
        #expect(first.take(for: StoreFixtures.worker) == .taken)
        #expect(second.take(for: StoreFixtures.worker) == .held(by: StoreFixtures.worker))
        #expect(try runToEnd("flock", "--nonblock", file, "true") == 1)
        first.release()
        #expect(try String(contentsOfFile: file, encoding: .utf8).isEmpty)
        #expect(second.take(for: StoreFixtures.worker) == .taken)
        second.release()
        second.release()
    }

    @Test func `the role ends with its owner`() {
        takeAndDrop()
        #expect(role().take(for: StoreFixtures.worker) == .taken)
    }

    private func takeAndDrop() {
        #expect(role().take(for: StoreFixtures.worker) == .taken)
    }

    @Test func `the role is not the lock`() async throws {
        let role = role()
        #expect(role.take(for: StoreFixtures.worker) == .taken)
        let store = try folder.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        await store.unlock()
    }

    @Test func `a link or a second name in the place of the file is left alone`() throws {
        let precious = folder.path + "/precious"
        try "do not touch".write(toFile: precious, atomically: false, encoding: .utf8)
        #expect(symlink(precious, file) == 0)
        #expect(role().take(for: StoreFixtures.worker) == .taken)
        #expect(unlink(file) == 0)
        #expect(link(precious, file) == 0)
        #expect(role().take(for: StoreFixtures.worker) == .taken)
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "do not touch")
    }
}
