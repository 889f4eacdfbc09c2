import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SQLiteStoreFailureTests {
    private let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    private var openingError: StateStoreError? {
        do {
            _ = try folder.open()
            return nil
        } catch {
            return error
        }
    }

    private func expectDamaged(_ reason: String? = nil) {
        guard case .damaged(let path, let found) = openingError else {
            Issue.record("\(String(describing: openingError))")
            return
        }
        #expect(path == folder.state)
        if let reason { #expect(found == reason) }
    }

    private func write(_ data: Data) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/made/here",
            withIntermediateDirectories: true
        )
        try data.write(to: URL(fileURLWithPath: folder.state))
    }

    @Test(arguments: [5, 200, 511, 5_000])
    func `rejects a text file`(size: Int) throws {
        try write(Data(repeating: UInt8(ascii: "x"), count: size))
        expectDamaged("it is not a SQLite database")
    }

    @Test func `rejects an empty file instead of starting over`() throws {
        try write(Data())
        expectDamaged("it is not a Herald state")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.state)).isEmpty)
    }

    @Test func `rejects tables of a version that was not released`() async throws {
        _ = try folder.open()
        let queue = try DatabaseQueue(path: folder.state)
        try await queue.write { try $0.execute(sql: "ALTER TABLE meta DROP COLUMN moved") }
        try queue.close()
        expectDamaged("its tables are not those of this version: no such column: moved")
    }

    @Test func `rejects another program's database and leaves it unchanged`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/made/here",
            withIntermediateDirectories: true
        )
        do {
            let other = try DatabaseQueue(path: folder.state)
            try await other.write { try $0.execute(sql: "CREATE TABLE meta (id, lineage)") }
            try other.close()
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.state))
        expectDamaged("it is not a Herald state")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.state)) == before)
    }

    @Test func `rejects a state of a later format`() async throws {
        try await folder.fill()
        do {
            let other = try DatabaseQueue(path: folder.state)
            try await other.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA user_version = 4")
            }
            try other.close()
        }
        #expect(openingError == .otherFormat(path: folder.state, found: 4, supported: 1))
    }

    @Test func `rejects a state without a lineage`() async throws {
        try await folder.fill()
        do {
            let other = try DatabaseQueue(path: folder.state)
            try await other.write { try $0.execute(sql: "DELETE FROM meta") }
            try other.close()
        }
        expectDamaged("it has no lineage")
    }

    @Test(arguments: [100, 4_095, 4_096, 20_000, 40_960])
    func `rejects a truncated state`(size: Int) async throws {
        try await folder.fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.state))
        #expect(whole.count > 2 * 40_960)
        try write(whole.prefix(size))
        expectDamaged()
    }

    @Test func `rejects a state with an overwritten page`() async throws {
        try await folder.fill()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.state))
        bytes[2 * 4_096] ^= 0b100
        try write(bytes)
        expectDamaged()
    }

    @Test func `refuses to create a state next to the log of a missing one`() async throws {
        try await folder.fill()
        try FileManager.default.removeItem(atPath: folder.state)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.state + "-wal"))
        expectDamaged("only its write-ahead log exists")
    }

    @Test func `a flipped bit is an error or harmless, never a crash, and errors show no secret`()
        async throws
    {
        try await folder.fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.state))
        var generator = SeededGenerator(seed: 7)
        for round in 0..<150 {
            var bytes = whole
            // The first page contains the header and the schema, so it gets half of all changes.
            let end = round.isMultiple(of: 2) ? 4_096 : whole.count
            let position = Int.random(in: 0..<end, using: &generator)
            bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try write(bytes)
            do {
                try await folder.readAll()
            } catch let error as StateStoreError {
                #expect(!"\(error)".contains("SECRET"), "byte \(position)")
            }
        }
    }

    @Test(arguments: [
        "UPDATE lists SET count = 499", "UPDATE lists SET count = 501",
        "UPDATE list_chunks SET count = 499", "UPDATE list_chunks SET first = 1",
    ])
    func `a list with another length than stored is damage`(change: String) async throws {
        try await folder.fill()
        try await DatabaseQueue(path: folder.state).write { try $0.execute(sql: change) }
        await #expect(throws: StateStoreError.self) { try await folder.readAll() }
    }

    @Test(arguments: [
        ("outcome_chunks", "outcomes"), ("list_chunks", "registrations"),
        ("membership_chunks", "records"), ("registration_pages", "registrations"),
    ])
    func `detects every flipped bit of outcomes and stored lists`(
        table: String,
        column: String
    ) async throws {
        try await folder.fill()
        let other = try DatabaseQueue(path: folder.state)
        let read = "SELECT \(column) FROM \(table)"
        let whole = try #require(try await other.read { try Data.fetchOne($0, sql: read) })
        for position in stride(from: 0, to: whole.count, by: 7) {
            var bytes = whole
            bytes[position] ^= 1 << UInt8(position % 8)
            try await other.write { [bytes] in
                try $0.execute(sql: "UPDATE \(table) SET \(column) = ?", arguments: [bytes])
            }
            await #expect(throws: StateStoreError.self, "byte \(position)") {
                try await folder.readAll()
            }
        }
    }

    @Test(arguments: ["/dev/null/x/dev.sqlite", "/proc/herald/dev.sqlite"])
    func `reports a state path below a file`(path: String) {
        do {
            _ = try SQLiteStore.open(path: path)
            Issue.record("opened \(path)")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `reports a state path that is a folder`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.state,
            withIntermediateDirectories: true
        )
        #expect(openingError == .unsuitable(path: folder.state, reason: .noFile))
    }

    /// A page limit makes SQLite report a full disk.
    @Test func `reports a full disk and keeps the old content`() async throws {
        try await folder.fill()
        let store = try folder.open()
        try await store.queue.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
        }
        let scope = try StoreFixtures.scope("all", "news")
        let members = try StoreFixtures.members(1_000..<3_000)
        await #expect(throws: StateStoreError.diskFull(path: folder.state)) {
            try await store.beginJoin(members, in: scope)
        }
        #expect(try await store.memberships(in: scope).count == 500)
        #expect(try await store.appliedState().memberships.map(\.count) == [500])
    }

    @Test func `reports that another program locks the database`() async throws {
        let store = try folder.open()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.state, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await store.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA busy_timeout = 1")
        }
        await #expect(
            throws: StateStoreError.failed(path: folder.state, reason: "database is locked")
        ) {
            try await store.beginRun(StoreFixtures.worker)
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        _ = try await store.beginRun(StoreFixtures.worker)
    }
}
