import Foundation
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

/// Tests what a store does if its files are not where they should be.
struct StatePlaceTests {
    private let folder: StateFolder
    private var state: String { folder.state }
    private var other: String { folder.path + "/other" }

    init() throws {
        folder = try StateFolder()
        _ = try folder.open()
    }

    private func refused(_ reason: UnsuitablePlace) -> StateStoreError {
        .unsuitable(path: state, reason: reason)
    }

    @Test func `refuses a state that is a link`() throws {
        #expect(rename(state, other) == 0)
        #expect(symlink(other, state) == 0)
        #expect(throws: refused(.link)) { try folder.open() }
    }

    @Test func `refuses a state with a second name, and accepts it without`() throws {
        #expect(link(state, other) == 0)
        #expect(throws: refused(.severalNames(2))) { try folder.open() }
        #expect(unlink(other) == 0)
        _ = try folder.open()
    }

    @Test(arguments: ["pipe", "folder"])
    func `refuses what is not a file`(kind: String) throws {
        #expect(unlink(state) == 0)
        #expect((kind == "pipe" ? mkfifo(state, 0o600) : mkdir(state, 0o700)) == 0)
        #expect(throws: refused(.noFile)) { try folder.open() }
    }

    @Test func `writes nothing after the state was moved away`() async throws {
        let store = try folder.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        #expect(rename(state, other) == 0)
        await #expect(throws: StateStoreError.displaced(path: state, what: .state)) {
            try await store.beginRun(StoreFixtures.worker)
        }
        #expect(rename(other, state) == 0)
        _ = try await store.beginRun(StoreFixtures.worker)
    }

    @Test func `writes nothing after the state was replaced by a copy`() async throws {
        let store = try folder.open()
        try await store.copy(to: other)
        #expect(rename(other, state) == 0)
        await #expect(throws: StateStoreError.displaced(path: state, what: .state)) {
            try await store.beginRun(StoreFixtures.worker)
        }
    }

    @Test func `writes nothing after the state got a second name`() async throws {
        let store = try folder.open()
        #expect(link(state, other) == 0)
        await #expect(throws: StateStoreError.displaced(path: state, what: .secondName)) {
            try await store.beginRun(StoreFixtures.worker)
        }
    }

    @Test(arguments: ["-wal", "-shm"])
    func `writes nothing after a part of the log was removed`(part: String) async throws {
        let store = try folder.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        #expect(unlink(state + part) == 0)
        await #expect(throws: StateStoreError.displaced(path: state, what: .log)) {
            try await store.beginRun(StoreFixtures.worker)
        }
    }

    @Test func `the main file alone shows the beginning of a run`() async throws {
        let store = try folder.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        try FileManager.default.copyItem(atPath: state, toPath: other)
        #expect(throws: lostLog(of: other)) { try SQLiteStore.open(path: other) }
        // A draft is not the state of any run.
        #expect(try SQLiteStore.openDraft(path: other, home: state).unfinishedRun()?.number == 1)
    }

    @Test func `a state whose run ended needs no log`() async throws {
        do {
            let store = try folder.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.finishRun(
                run,
                as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
            )
        }
        #expect(!FileManager.default.fileExists(atPath: state + "-wal"))
        #expect(try folder.open().unfinishedRun() == nil)
    }

    @Test func `the log of a run that has not ended stays, and without it the state is refused`()
        async throws
    {
        do { _ = try await folder.open().beginRun(StoreFixtures.worker) }
        #expect(try folder.open().unfinishedRun()?.number == 1)
        #expect(unlink(state + "-wal") == 0)
        #expect(throws: lostLog(of: state)) { try folder.open() }
        // It is not repaired by being refused.
        #expect(throws: lostLog(of: state)) { try folder.open() }
    }

    @Test func `a state that is being written needs no log of an earlier run`() async throws {
        let writer = try folder.open()
        try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
        _ = try await writer.beginRun(StoreFixtures.worker)
        #expect(try folder.open().unfinishedRun()?.number == 1)
    }

    private func lostLog(of path: String) -> StateStoreError {
        .damaged(path: path, reason: "run 1 has not ended, and its write-ahead log is missing")
    }

    @Test func `names that a killed command left are removed under the lock`() async throws {
        #expect(link(state, state + ".damaged-20370320T083000Z") == 0)
        #expect(link(state, other) == 0)
        let lock = try StateLock(path: state)
        await #expect(throws: refused(.severalNames(2))) {
            try await lock.acquire(for: StoreFixtures.worker, waiting: .zero)
        }
        #expect(!FileManager.default.fileExists(atPath: state + ".damaged-20370320T083000Z"))
        #expect(FileManager.default.fileExists(atPath: other))
        lock.release()
    }

    @Test func `a state that is put in place is locked before others can open it`() async throws {
        let lock = try StateLock(path: state)
        try await lock.acquire(for: StoreFixtures.worker, waiting: .zero)
        let draft = TemporaryStateFile.name(beside: state)
        try SQLiteStore.makeDraft(path: draft, lineage: nil, key: nil)
        try DisplacedStateFile(of: state, as: "replaced", at: "now").replace(
            with: draft,
            under: lock
        )
        let store = try folder.open()
        await #expect(throws: StateStoreError.locked(holder: StoreFixtures.worker)) {
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        lock.release()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
    }

    @Test func `a missing state that a command recovers is not created`() async throws {
        #expect(unlink(state) == 0)
        let lock = try StateLock(path: state)
        try await lock.acquire(for: StoreFixtures.worker, waiting: .zero)
        let second = try StateLock(path: state)
        await #expect(throws: StateStoreError.locked(holder: StoreFixtures.worker)) {
            try await second.acquire(for: StoreFixtures.worker, waiting: .zero)
        }
        lock.release()
        try await second.acquire(for: StoreFixtures.worker, waiting: .zero)
        second.release()
        _ = try folder.open()
    }
}
