import Foundation
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

/// Tests the lock between processes; the other process is `flock(1)` from util-linux.
struct WriterLockTests {
    private let folder: StateFolder
    private let store: SQLiteStore
    private var file: String { folder.state }
    private var note: String { folder.state + ".writer" }

    init() throws {
        folder = try StateFolder()
        store = try folder.open()
    }

    @Test func `another process sees the lock and its holder`() async throws {
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try runToEnd("flock", "--nonblock", file, "true") == 1)
        let text = try String(contentsOfFile: note, encoding: .utf8)
        #expect(
            text == """
                {"command":"apply","user":"ada","host":"desk","process":4711,"since":1800000000}

                """
        )
        await store.unlock()
        #expect(try runToEnd("flock", "--nonblock", file, "true") == 0)
        #expect(try String(contentsOfFile: note, encoding: .utf8).isEmpty)
    }

    @Test func `the lock is the file's, whatever happens to names next to it`() async throws {
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        for name in [note, folder.state + ".lock"] { unlink(name) }
        let other = try folder.open()
        await #expect(throws: StateStoreError.locked(holder: nil)) {
            try await other.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        await store.unlock()
        try await other.lock(for: StoreFixtures.worker, waiting: .zero)
    }

    @Test func `a link in the place of the note is left alone`() async throws {
        let precious = folder.path + "/precious"
        try "do not touch".write(toFile: precious, atomically: false, encoding: .utf8)
        #expect(symlink(precious, note) == 0)
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        await store.unlock()
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "do not touch")
    }

    @Test
    func `closing one store of a file leaves SQLite's locks of another one`() async throws {
        _ = try await store.beginRun(StoreFixtures.worker)
        do { _ = try await folder.open().identity() }
        // SQLite in another process would otherwise delete the write-ahead log on closing.
        let read = """
            import sqlite3, sys
            state = sqlite3.connect(sys.argv[1])
            state.execute("SELECT 1 FROM meta").fetchall()
            state.close()
            """
        #expect(try runToEnd("/usr/bin/python3", "-c", read, folder.state) == 0)
        #expect(FileManager.default.fileExists(atPath: folder.state + "-wal"))
        _ = try await store.beginRun(StoreFixtures.worker)
        #expect(try await folder.open().identity().serial.number == 2)
    }

    @Test func `sees another process's lock and its description of the holder`() async throws {
        let other = try Holder(of: file)
        await #expect(throws: StateStoreError.locked(holder: nil)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        try #"{"command":"apply","user":"ada","host":"desk","process":4711,"since":1800000000}"#
            .write(toFile: note, atomically: false, encoding: .utf8)
        await #expect(throws: StateStoreError.locked(holder: StoreFixtures.worker)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        other.end(with: SIGKILL)
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
    }

    @Test
    func `a process that waited for the lock writes nothing to a replaced file`() async throws {
        let other = folder.path + "/other.sqlite"
        try await store.copy(to: other)
        #expect(rename(other, folder.state) == 0)
        await #expect(throws: StateStoreError.replaced(path: folder.state)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        #expect(try runToEnd("flock", "--nonblock", file, "true") == 0)
        try await folder.open().lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(unlink(folder.state) == 0)
        await #expect(throws: StateStoreError.replaced(path: folder.state)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
    }

    @Test func `a moved file has no version`() async throws {
        let version = try await store.version()
        let elsewhere = folder.path + "/elsewhere.sqlite"
        #expect(rename(folder.state, elsewhere) == 0)
        await #expect(throws: StateStoreError.displaced(path: folder.state, what: .state)) {
            try await store.version()
        }
        #expect(rename(elsewhere, folder.state) == 0)
        #expect(try await store.version() == version)
    }

    @Test func `a stopped process keeps the lock, and a killed one loses it`() async throws {
        let other = try Holder(of: file)
        kill(other.processID, SIGSTOP)
        await #expect(throws: StateStoreError.locked(holder: nil)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        other.end(with: SIGKILL)
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
    }

    @Test func `a child that runs longer than the store does not keep the lock`() async throws {
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        // Unlike Foundation's Process, popen passes on all descriptors that are not closed on exec.
        let child = try #require(popen("cat", "w"))
        await store.unlock()
        #expect(try runToEnd("flock", "--nonblock", file, "true") == 0)
        #expect(pclose(child) == 0)
    }
}

/// A process that holds a lock from its start; a class, because it owns the process.
private final class Holder {
    private let process = Process()
    private let input = Pipe()

    var processID: Int32 { process.processIdentifier }

    init(of file: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Only flock itself has the file open; the shell ends with its input.
        process.arguments = ["flock", "--close", file, "sh", "-c", "echo held; cat > /dev/null"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let word = output.fileHandleForReading.readData(ofLength: 5)
        #expect(word == Data("held\n".utf8))
    }

    deinit {
        end(with: SIGKILL)
    }

    func end(with signal: Int32) {
        try? input.fileHandleForWriting.close()
        guard process.isRunning else { return }
        kill(processID, signal)
        process.waitUntilExit()
    }
}
