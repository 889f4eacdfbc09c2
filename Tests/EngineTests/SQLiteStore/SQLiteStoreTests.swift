import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Synchronization
import Testing
import Time

@testable import SQLiteStore
@testable import StoreTables

struct SQLiteStoreTests {
    private let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    @Test(arguments: StoreCases.all)
    func `passes the conformance suite`(_ conformance: StoreCase) async throws {
        try await conformance.run(StoreUnderTest { [folder] in try folder.open() })
    }

    @Test func `uses a write-ahead log and syncs every commit`() throws {
        let store = try folder.open()
        let (synchronous, foreignKeys) = try store.queue.read { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        // SQLite documentation, PRAGMA synchronous: 2 is FULL.
        #expect(synchronous == 2)
        #expect(foreignKeys == 1)
        let second = try DatabaseQueue(path: folder.state)
        let header = try second.read { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA application_id"),
                try Int.fetchOne(db, sql: "PRAGMA user_version")
            )
        }
        #expect(header.0 == "wal")
        #expect(header.1 == 0x4872_6C64)
        #expect(header.2 == 1)
    }

    @Test func `reports a run after its start is on disk`() async throws {
        let serials = Mutex<[StateSerial?]>([])
        let store = try SQLiteStore.open(
            path: folder.state,
            events: SQLiteStore.Events(didBeginRun: { store in
                // Another connection sees only what is committed.
                let other = try? SQLiteStore.open(path: store.path)
                let serial = try? await other?.identity().serial
                serials.withLock { $0.append(serial) }
            })
        )
        for _ in 0..<2 { _ = try await store.beginRun(StoreFixtures.worker) }
        let expected = [1, 2].map { StateSerial(number: $0) }
        #expect(serials.withLock(\.self) == expected)
    }

    @Test func `restores write-ahead mode after another program has switched it off`() async throws
    {
        try await folder.fill()
        do {
            let other = try DatabaseQueue(path: folder.state)
            try await other.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try other.close()
        }
        let store = try folder.open()
        let mode = try await store.queue.read {
            try String.fetchOne($0, sql: "PRAGMA journal_mode")
        }
        #expect(mode == "wal")
    }

    @Test func `creates files and folders that only the user can read`() async throws {
        let store = try folder.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        _ = try await store.beginRun(StoreFixtures.worker)
        for name in ["", "-wal", "-shm", ".writer"] {
            #expect(try folder.mode(of: folder.state + name) == 0o600, "\(name)")
        }
        #expect(try folder.mode(of: folder.path + "/made") == 0o700)
        #expect(try folder.mode(of: folder.path + "/made/here") == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/made/here")
        #expect(
            Set(names) == ["dev.sqlite", "dev.sqlite-wal", "dev.sqlite-shm", "dev.sqlite.writer"]
        )
    }

    @Test func `takes lineage and key from the given bytes`() async throws {
        let numbered = SQLiteStore.MissingState.created { count in
            (0..<count).map { UInt8($0 + (count == 32 ? 100 : 0)) }
        }
        let store = try SQLiteStore.open(path: folder.state, ifMissing: numbered)
        let identity = try await store.appliedState().identity
        #expect(identity.lineage.text == "000102030405060708090a0b0c0d0e0f")
        #expect(identity.fingerprintKey.bytes == Array(100...131))
    }

    @Test func `keeps everything when it is opened again`() async throws {
        try await folder.fill()
        let first = try await folder.open().appliedState()
        let store = try folder.open()
        let again = try await store.appliedState()
        #expect(again.identity == first.identity)
        #expect(again.definitions == first.definitions && again.definitions.count == 1)
        #expect(again.occurrences == first.occurrences)
        let unit = try #require(again.occurrences.values.first?.unit)
        #expect(unit.released == 100)
        #expect(unit.tally == StoreFixtures.tally([.intended: 436, .rejected: 64]))
        #expect(again.memberships.map(\.count) == [500])
        try await folder.readAll()
    }

    @Test func `recorded calls are on disk before the store is closed`() async throws {
        let store = try folder.open()
        let unit = try await StoreFixtures.openedUnit(store, count: 9)
        try await store.record(
            [RequestOutcome(index: 4, outcome: .accepted)],
            released: 7,
            of: unit.id
        )
        let copy = try StateFolder()
        for name in ["", "-wal"] {
            try runToEnd("cp", folder.state + name, copy.path + "/copy.sqlite" + name)
        }
        let survivor = try SQLiteStore.open(path: copy.path + "/copy.sqlite")
        #expect(try await StoreFixtures.unit(of: "sale", in: survivor).released == 7)
        #expect(try await survivor.outcomes(of: unit.id, in: 4..<5) == [.accepted])
        #expect(try await store.appliedState().identity == survivor.appliedState().identity)
    }

    @Test func `details that many requests have take no rows`() async throws {
        let store = try folder.open()
        let unit = try await StoreFixtures.openedUnit(store, count: 10_000).id
        let reasons = [OutcomeDetail.dead, OutcomeDetail.cap, OutcomeDetail.forgotten]
        // Some requests were returned first, with a reason that the byte does not contain.
        try await store.record(
            (0..<100).map { RequestOutcome(index: $0, outcome: .returned, detail: "429") },
            released: 10_000,
            of: unit
        )
        let outcomes = (0..<10_000).map { index in
            index % 4 == 3
                ? RequestOutcome(index: index, outcome: .rejected, detail: "UNREGISTERED")
                : RequestOutcome(index: index, outcome: .suppressed, detail: reasons[index % 4])
        }
        try await store.record(outcomes, released: 10_000, of: unit)
        let rows = try await store.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM outcome_details")
        }
        #expect(rows == 0)
        #expect(
            try await store.requests(of: unit, with: .suppressed, limit: 10_000)
                == outcomes.filter { $0.outcome == .suppressed }
        )
        #expect(try await store.details(of: unit, in: 0..<10_000).count == 10_000)
        #expect(try await store.unit(unit).capped == 2_500)
    }

    @Test func `one of many processes that open a missing state creates it for all`() async throws {
        let lineages = try await withThrowingTaskGroup(of: StateLineage.self) { group in
            for _ in 0..<8 {
                group.addTask { [folder] in try await folder.open().appliedState().identity.lineage
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(lineages.count == 1)
    }

    @Test func `marks unfinished runs as abandoned`() async throws {
        let store = try folder.open()
        let finished = try await store.beginRun(StoreFixtures.worker)
        try await store.finishRun(
            finished,
            as: RunEnd(
                status: .complete,
                tally: StoreFixtures.tally([.accepted: 3, .unknown: 1]),
                at: StoreFixtures.due
            )
        )
        _ = try await store.beginRun(StoreFixtures.worker)
        _ = try await store.beginRun(StoreFixtures.worker)
        let rows = try runs(in: store)
        let statuses = rows.map { $0["status"] as UInt8? }
        #expect(statuses == [RunStatus.complete, .abandoned, .running].map(\.rawValue))
        let first = try #require(rows.first)
        #expect(first["command"] as String? == "apply")
        #expect(first["host"] as String? == "desk")
        #expect(first["process"] as Int? == 4_711)
        #expect(first["ended"] as Int64? == StoreFixtures.due.secondsSince1970)
        #expect(first["accepted"] as Int? == 3)
        #expect(first["unknown"] as Int? == 1)
        #expect(first["intended"] as Int? == 0)
    }

    private func runs(in store: SQLiteStore) throws -> [Row] {
        try store.queue.read { try Row.fetchAll($0, sql: "SELECT * FROM runs ORDER BY id") }
    }

    @Test func `removes the text of an unused list`() async throws {
        try await folder.fill()
        let store = try folder.open()
        try await store.close(StoreFixtures.occurrence("sale"), as: .finished)
        let chunks = try await store.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM list_chunks")
        }
        #expect(chunks == 0)
    }

    @Test(arguments: ["file:odd?mode=memory", ":memory:", "späte Grüße 100%.sqlite"])
    func `treats every name as a file name`(_ name: String) async throws {
        let path = folder.path + "/" + name
        let lineage = try await SQLiteStore.open(path: path).appliedState().identity.lineage
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await SQLiteStore.open(path: path).appliedState().identity.lineage == lineage)
        #expect(Connection.plainName(name) == "./" + name)
    }
}
