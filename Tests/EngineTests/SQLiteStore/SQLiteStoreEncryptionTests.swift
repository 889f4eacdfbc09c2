import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Synchronization
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SQLiteStoreEncryptionTests {
    private let folder: StateFolder
    private let key: StateKey
    private let other: StateKey

    init() throws {
        folder = try StateFolder()
        key = try #require(StateKey(bytes: [UInt8](1...32)))
        other = try #require(StateKey(bytes: [UInt8](2...33)))
    }

    @Test(arguments: StoreCases.all)
    func `passes the conformance suite`(_ conformance: StoreCase) async throws {
        try await conformance.run(StoreUnderTest { [folder, key] in try folder.open(key: key) })
    }

    @Test func `stores no registration in plain text, and opens all with its key`() async throws {
        try await folder.fill(key: key)
        #expect(try folder.filesWithSecrets() == [])
        try await folder.readAll(key: key)
        let store = try folder.open(key: key)
        let scope = try StoreFixtures.scope("all", "news")
        let members = try StoreFixtures.members(0..<500)
        #expect(try await store.members(members.map(\.fingerprint), in: scope) == members)
        let list = ListID(text: String(repeating: "0f", count: 32))
        #expect(
            try await store.registrations(of: list, from: 0, count: 500)
                == StoreFixtures.registrations(0..<500)
        )
    }

    @Test func `stores registrations in plain text without a key`() async throws {
        try await folder.fill()
        #expect(try folder.filesWithSecrets().contains("dev.sqlite"))
    }

    @Test func `opens only with its key`() async throws {
        try await folder.fill(key: key)
        let path = folder.state
        #expect(throws: StateStoreError.encrypted(path: path)) { try folder.open() }
        #expect(throws: StateStoreError.wrongKey(path: path)) { try folder.open(key: other) }
        let plain = try StateFolder()
        try await plain.fill()
        #expect(throws: StateStoreError.notEncrypted(path: plain.state)) {
            try plain.open(key: key)
        }
    }

    @Test func `is not created if creation is not allowed`() throws {
        #expect(throws: StateStoreError.missing(path: folder.state)) {
            try SQLiteStore.open(
                path: folder.state,
                keys: StateKeys(key: key),
                ifMissing: .refused
            )
        }
        #expect(try StateFile.isMissing(folder.state))
    }

    @Test func `overwrites deleted data and keeps temporary data in memory`() throws {
        let store = try folder.open(key: key)
        let settings = try store.queue.read { db in
            try ["secure_delete", "temp_store", "mmap_size"].map {
                try Int.fetchOne(db, sql: "PRAGMA \($0)")
            }
        }
        // SQLite documentation, PRAGMA temp_store: 2 is MEMORY.
        #expect(settings == [1, 2, 0])
    }
}

// MARK: - Changed content

extension SQLiteStoreEncryptionTests {
    @Test(arguments: [
        """
        UPDATE registration_pages SET registrations = CAST(
            substr(registrations, 1, 20) || x'00' || substr(registrations, 22) AS BLOB)
        """,
        "UPDATE registration_pages SET registrations = substr(registrations, 1, 28)",
        "UPDATE registration_pages SET registrations = x'020000000000000000'",
        "UPDATE registration_pages SET id = id + 100",
        """
        UPDATE membership_chunks SET records = CAST(
            substr(records, 1, 20) || x'00' || substr(records, 22) AS BLOB)
        """,
        "UPDATE membership_chunks SET records = substr(records, 1, 28)",
        "UPDATE membership_chunks SET records = CAST(x'02' || zeroblob(22) AS BLOB)",
        "UPDATE membership_chunks SET last = x'ffffffffffffffffffffffffffffffff'",
        """
        UPDATE list_chunks SET registrations = CAST(
            substr(registrations, 1, 99)
            || CASE substr(registrations, 100, 1) WHEN x'00' THEN x'01' ELSE x'00' END
            || substr(registrations, 101) AS BLOB)
        """,
        "UPDATE list_chunks SET first = first + 1; UPDATE lists SET count = count + 1",
        """
        UPDATE list_chunks SET
            registrations = CAST('SECRET:device-0' || char(10) AS BLOB)
        """,
        """
        UPDATE lists SET name =
            CASE substr(name, 1, 1) WHEN 'f' THEN 'e' ELSE 'f' END || substr(name, 2)
        """,
    ])
    func `is damaged if sealed content was changed, moved or replaced`(change: String) async throws
    {
        try await folder.fill(key: key)
        try folder.change(change)
        let error = await #expect(throws: StateStoreError.self) {
            try await folder.readAll(key: key)
        }
        guard case .damaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "UPDATE meta SET keys = substr(keys, 1, 60)",
        "UPDATE meta SET keys = CAST(keys || x'00' AS BLOB)",
        """
        UPDATE meta
        SET keys = CAST(substr(keys, 1, 60) || x'00' || x'01' || substr(keys, 63) AS BLOB)
        """,
        "UPDATE meta SET lineage = '00112233445566778899aabbccddeeff'",
    ])
    func `is damaged if its keys were changed`(change: String) async throws {
        try await folder.fill(key: key)
        try folder.change(change)
        #expect(
            throws: StateStoreError.damaged(
                path: folder.state,
                reason: "its keys cannot be decrypted"
            )
        ) { try folder.open(key: key) }
    }
}

// MARK: - Another key

extension SQLiteStoreEncryptionTests {
    @Test func `the next writer changes the state to the newer key once`() async throws {
        try await folder.fill(key: key)
        let sealed = try folder.sealed()
        let before = try await folder.open(key: key).appliedState().identity
        let said = Mutex(0)
        let open = { [folder, key, other] in
            try SQLiteStore.open(
                path: folder.state,
                keys: StateKeys(key: other, previous: key),
                events: SQLiteStore.Events(didRewrap: { said.withLock { $0 += 1 } })
            )
        }
        #expect(try await open().appliedState().identity == before)
        _ = try folder.open(key: key)
        for _ in 0..<2 {
            let store = try open()
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(try await store.appliedState().identity == before)
        }
        #expect(said.withLock(\.self) == 1)
        #expect(throws: StateStoreError.wrongKey(path: folder.state)) { try folder.open(key: key) }
        #expect(try await folder.open(key: other).appliedState().identity == before)
        #expect(try folder.sealed() == sealed)
        try await folder.readAll(key: other)
    }

    @Test func `a store that was opened with the previous key can still write`() async throws {
        try await folder.fill(key: key)
        let late = try folder.open(key: key)
        let store = try SQLiteStore.open(
            path: folder.state,
            keys: StateKeys(key: other, previous: key)
        )
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        await store.unlock()
        let scope = try StoreFixtures.scope("all", "azores")
        try await late.beginJoin(StoreFixtures.members(0..<3), in: scope)
        let members = try StoreFixtures.members(0..<3)
        #expect(try await store.members(members.map(\.fingerprint), in: scope) == members)
    }
}

// MARK: - Switching encryption on

extension SQLiteStoreEncryptionTests {
    @Test func `seals plain content, and leaves none of it in any page`() async throws {
        try await folder.fill()
        let store = try folder.open()
        let before = try await store.appliedState()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try await store.encrypt(with: key)
        #expect(try folder.filesWithSecrets() == [])
        #expect(try folder.size(of: "-wal") < 100_000)
        #expect(try await store.appliedState().identity == before.identity)
        await store.unlock()
        #expect(throws: StateStoreError.encrypted(path: folder.state)) { try folder.open() }
        let after = try await folder.open(key: key).appliedState()
        #expect(after.identity == before.identity)
        #expect(after.occurrences == before.occurrences)
        #expect(after.memberships == before.memberships)
        try await folder.readAll(key: key)
    }

    @Test func `is encrypted once, with one key`() async throws {
        try await folder.fill()
        let store = try folder.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try await store.encrypt(with: key)
        let sealed = try folder.sealed()
        try await store.encrypt(with: key)
        #expect(try folder.sealed() == sealed)
        await #expect(throws: StateStoreError.wrongKey(path: folder.state)) {
            try await store.encrypt(with: other)
        }
    }

    /// A store that opened the plain state and waited for the lock would write plain registrations.
    @Test func `a store that was opened before encryption cannot write`() async throws {
        try await folder.fill()
        let late = try folder.open()
        let store = try folder.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try await store.encrypt(with: key)
        await store.unlock()
        await #expect(throws: StateStoreError.encrypted(path: folder.state)) {
            try await late.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        await #expect(throws: StateStoreError.encrypted(path: folder.state)) {
            try await late.members(StoreFixtures.members(0..<1).map(\.fingerprint), in: scope)
        }
        await #expect(throws: StateStoreError.encrypted(path: folder.state)) {
            try await late.registrations(of: list, from: 0, count: 1)
        }
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
    }

    @Test func `reports a reader of the old content, and finishes later`() async throws {
        try await folder.fill()
        let store = try folder.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        let reader = try folder.beginReading()
        await #expect(throws: StateStoreError.self) { try await store.encrypt(with: key) }
        try folder.endReading(reader)
        await store.unlock()
        let next = try folder.open(key: key)
        try await next.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try folder.filesWithSecrets() == [])
        try await folder.readAll(key: key)
    }

    private var scope: MembershipScope {
        get throws { try StoreFixtures.scope("all", "news") }
    }

    private var list: ListID { ListID(text: String(repeating: "0f", count: 32)) }
}

extension StateFolder {
    /// Returns the state and the files next to it that contain one of the registrations.
    fileprivate func filesWithSecrets() throws -> [String] {
        let folder = URL(fileURLWithPath: state).deletingLastPathComponent()
        let packed = try packedRegistration(7)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { name in
                let content = try Data(contentsOf: folder.appendingPathComponent(name))
                return content.range(of: Data("device-".utf8)) != nil
                    || content.range(of: packed) != nil
            }
            .sorted()
    }

    fileprivate func size(of part: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: state + part)).count
    }

    /// Returns all sealed values.
    fileprivate func sealed() throws -> [Data] {
        try DatabaseQueue(path: state).read { db in
            try Data.fetchAll(db, sql: "SELECT records FROM membership_chunks ORDER BY rowid")
                + Data.fetchAll(db, sql: "SELECT registrations FROM registration_pages ORDER BY id")
                + Data.fetchAll(db, sql: "SELECT registrations FROM list_chunks ORDER BY first")
        }
    }

    /// Changes the state behind Herald's back, so that the checksums are right.
    func change(_ sql: String) throws {
        let other = try DatabaseQueue(path: state)
        try other.write { db in
            try db.execute(sql: sql)
            for (table, column) in [
                ("list_chunks", "registrations"), ("membership_chunks", "records"),
                ("registration_pages", "registrations"),
            ] {
                let rows = try Row.fetchAll(db, sql: "SELECT rowid, \(column) FROM \(table)")
                for row in rows {
                    try db.execute(
                        sql: "UPDATE \(table) SET checksum = ? WHERE rowid = ?",
                        arguments: [Checksum.of(row[1] as Data), row[0] as Int64]
                    )
                }
            }
        }
        try other.close()
    }

    /// Opens a read transaction that stays open.
    fileprivate func beginReading() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: state, configuration: configuration)
        try reader.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM membership_chunks")
        }
        return reader
    }

    fileprivate func endReading(_ reader: DatabaseQueue) throws {
        try reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try reader.close()
    }
}
