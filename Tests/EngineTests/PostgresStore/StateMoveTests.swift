import CampaignModel
import Foundation
import GRDB
import PostgresClient
import State
import StoreConformance
import Testing

@testable import PostgresStore
@testable import SQLiteStore
@testable import StoreTables

/// Moves states to the server and back.
///
/// One after the other, because each case has several connections.
@Suite(.serialized)
struct StateMoveTests {
    let scene: PostgresScene
    let folder: StateFolder

    init() throws {
        scene = try PostgresScene()
        folder = try StateFolder()
    }

    var copy: String { folder.path + "/made/here/copy.sqlite" }

    func moveToServer(key: StateKey? = nil) async throws {
        #expect(try await fillServer(key: key) == nil)
        try await PostgresStore.completeMove(to: scene.place, from: "the file")
    }

    /// Copies the file without putting the copy into use.
    func fillServer(key: StateKey? = nil) async throws -> StateMark? {
        let store = try folder.open(key: key)
        return try await PostgresStore.fill(
            scene.place,
            with: try await store.identity(),
            moved: "the file"
        ) { to in
            try store.readForMove { try StateMove(from: $0, to: to).perform() }
        }
    }

    func moveToCopy(key: StateKey? = nil) async throws {
        let store = try await scene.open(key: key)
        let copy = copy
        try await store.readForMove { from in
            try SQLiteStore.fillDraft(copy, home: copy, moved: "the server") { to in
                try StateMove(from: from, to: to).perform()
            }
        }
        try SQLiteStore.completeMove(to: copy, from: "the server")
    }

    // MARK: Content

    @Test(arguments: StoreCases.all)
    func `a state is the same after it was moved to the server and back`(
        _ conformance: StoreCase
    ) async throws {
        try await conformance.run(StoreUnderTest { [folder] in try folder.open() })
        let before = try await dump(of: folder.state)
        try await moveToServer()
        try await moveToCopy()
        #expect(try await dump(of: copy) == before)
    }

    @Test func `an encrypted state is moved with its keys`() async throws {
        let key = try #require(StateKey(bytes: Array(1...32)))
        try await folder.fill(key: key)
        let before = try await dump(of: folder.state, key: key)
        try await moveToServer(key: key)
        try await moveToCopy(key: key)
        #expect(try await dump(of: copy, key: key) == before)
        #expect(throws: StateStoreError.encrypted(path: copy)) { try SQLiteStore.open(path: copy) }
    }

    @Test func `a moved state continues on the server`() async throws {
        try await folder.fill()
        let last = try await StoreFixtures.unit(of: "sale", in: folder.open()).id
        try await moveToServer()
        let store = try await scene.open()
        let unit = try await StoreFixtures.openedUnit(store, campaign: "next", count: 2)
        #expect(unit.id.number == last.number + 1)
        try await store.record(
            [RequestOutcome(index: 499, outcome: .accepted)],
            released: 500,
            of: last
        )
        let outcomes = try await store.outcomes(of: last, in: 0..<500)
        #expect(outcomes[..<64].allSatisfy { $0 == .rejected })
        #expect(outcomes[499] == .accepted)
        #expect(try await store.verifyHistory().isIntact)
    }

    /// Every row as text, by tables, as another program reads them; and what is in other files.
    private func dump(of path: String, key: StateKey? = nil) async throws -> [String: [String]] {
        let store = try SQLiteStore.open(path: path, keys: StateKeys(key: key))
        var found: [String: [String]] = [:]
        let queue = try DatabaseQueue(path: path)
        let units = try await queue.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM units WHERE ids IS NOT NULL")
        }
        for unit in units.map(UnitID.init(number:)) {
            let ids = try await store.messageIDs(of: unit, from: 0, count: .max)
            found["ids of \(unit.number)"] = ids.map { "\($0.request) \($0.id)" }
        }
        found.merge(try await queue.read(Self.rows)) { $1 }
        try queue.close()
        return found
    }

    /// Without the columns that say where this file keeps something.
    private static func rows(_ db: Database) throws -> [String: [String]] {
        let own = [
            "meta": ["moved", "unswept"], "units": ["ids"], "lists": ["file"],
            "list_chunks": ["start", "length", "registrations"],
        ]
        var found: [String: [String]] = [:]
        let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
        )
        for table in tables {
            let columns = try db.columns(in: table).map(\.name)
                .filter { own[table]?.contains($0) != true }
            let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let rows = try Row.fetchAll(db, sql: "SELECT \(names) FROM \(table)")
            found[table] = rows.filter { !isDefault($0, of: table) }
                .map { $0.databaseValues.map(\.description).joined(separator: " | ") }.sorted()
        }
        return found
    }

    /// A row that means the same as none.
    private static func isDefault(_ row: Row, of table: String) -> Bool {
        switch table {
        case "outcome_chunks":
            (row["outcomes"] as Data).allSatisfy { $0 == Outcome.intended.rawValue }
        case "sqlite_sequence": (row["seq"] as Int64) == 0
        default: false
        }
    }

    // MARK: Completeness

    @Test func `every column of both databases is moved`() async throws {
        _ = try await scene.open()
        _ = try folder.open()
        let moved = ([MovedTable.meta] + MovedTable.all).map { table in
            (table.name, Set(table.columns.map { $0.filter { $0 != "\"" } }))
        }
        // Their content is moved in another form, or belongs to one database.
        let sqlite = [
            "meta": ["moved", "unswept"], "lists": ["file"],
            "list_chunks": nil, "outcome_chunks": nil, "sqlite_sequence": nil,
        ]
        let postgres = [
            "meta": ["format", "moved", "retired"], "list_chunks": nil, "outcome_final": nil,
            "outcome_log": nil, "message_ids": nil, "page_number": nil, "writer": nil,
            "service": nil, "worker": nil, "fleet_workers": nil, "fleet_slices": nil,
            "fleet_writer": nil, "fleet_occurrences": nil, "work_units": nil, "attempt_log": nil,
            "fleet_doubled": nil,
            // `herald state migrate` requires that runs have acted on all messages.
            "inbox": nil, "inbox_meta": nil,
        ]
        let own = try await columnsOfFile()
        #expect(own.filter { sqlite[$0.key] != .some(nil) } == Self.adding(sqlite, to: moved))
        let there = try columnsOfServer()
        #expect(there.filter { postgres[$0.key] != .some(nil) } == Self.adding(postgres, to: moved))
    }

    private static func adding(
        _ more: [String: [String]?],
        to tables: [(String, Set<String>)]
    ) -> [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: tables).merging(
            more.compactMapValues { $0.map(Set.init) }
        ) { $0.union($1) }
    }

    private func columnsOfFile() async throws -> [String: Set<String>] {
        let queue = try DatabaseQueue(path: folder.state)
        return try await queue.read { db in
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
            return try tables.reduce(into: [:]) { found, table in
                found[table] = Set(try db.columns(in: table).map(\.name))
            }
        }
    }

    private func columnsOfServer() throws -> [String: Set<String>] {
        let result = try scene.execute(
            """
            SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = '\(scene.place.schema)'
            """
        )
        var found: [String: Set<String>] = [:]
        for number in 0..<result.rowCount {
            let row = PostgresRow(result, number)
            found[try row.decode(String.self, atIndex: 0), default: []]
                .insert(try row.decode(String.self, atIndex: 1))
        }
        return found
    }

    @Test func `a move may be idle for longer than other transactions`() async throws {
        let query = "SELECT current_setting('idle_in_transaction_session_timeout')"
        let store = try await scene.open()
        #expect(try await store.read { db in try db.texts(query) } == ["15s"])
        try await store.readForMove { from in
            let limits = try from.db.texts(query)
            #expect(limits == ["1h"])
        }
        let (place, identity) = (try PostgresScene().place, try await store.identity())
        _ = try await PostgresStore.fill(place, with: identity, moved: "the file") { to in
            let limits = try to.db.texts(query)
            #expect(limits == ["1h"])
        }
    }

    // MARK: Marks

    @Test func `a copy is refused until the move is complete`() async throws {
        try await folder.fill()
        #expect(try await fillServer() == nil)
        await #expect(throws: StateStoreError.moved(path: scene.place.name, to: "the file")) {
            try await scene.open()
        }
        #expect(try await PostgresStore.mark(ofStateAt: scene.place).moved == "the file")
        try await PostgresStore.completeMove(to: scene.place, from: "another file")
        #expect(try await PostgresStore.mark(ofStateAt: scene.place).moved == "the file")
        try await PostgresStore.completeMove(to: scene.place, from: "the file")
        _ = try await scene.open()
    }

    @Test func `an interrupted copy can be replaced`() async throws {
        try await folder.fill()
        try await moveToServer()
        try scene.execute("UPDATE meta SET moved = 'the file'")
        let store = try folder.open()
        let run = try await store.beginRun(StoreFixtures.worker)
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
        )
        try await moveToServer()
        let serial = try await store.identity().serial
        #expect(try await scene.open().identity().serial == serial)
    }

    @Test func `another state stays`() async throws {
        try await folder.fill()
        let identity = try await scene.open().identity()
        #expect(try await fillServer()?.lineage == identity.lineage)
        try scene.execute("UPDATE meta SET moved = 'the file'")
        #expect(try await fillServer()?.moved == "the file")
        #expect(try await PostgresStore.mark(ofStateAt: scene.place).lineage == identity.lineage)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a copy stays if another process puts it into use first`() async throws {
        try await folder.fill()
        #expect(try await fillServer() == nil)
        let patience = PostgresLimit.patience(.seconds(30))
        let other = try PostgresPipeline(to: scene.place.address, within: patience)
        let begun = try other.send(
            [
                "BEGIN", "UPDATE \(scene.place.schema).meta SET moved = NULL",
                "SELECT pg_backend_pid()",
            ].map { PostgresStatement($0) },
            within: patience
        )
        let process = try PostgresRow(begun[2], 0).decode(Int.self, atIndex: 0)
        async let found = fillServer()
        let waiting = """
            SELECT count(*) FROM pg_stat_activity WHERE \(process) = ANY (pg_blocking_pids(pid))
            """
        while try scene.number(waiting) == 0 { await Task.yield() }
        _ = try other.send([PostgresStatement("COMMIT")], within: patience)
        let mark = try #require(try await found)
        #expect(mark.moved == nil)
        _ = try await scene.open()
    }

    @Test func `a failed copy leaves nothing on the server`() async throws {
        try await folder.fill()
        try await DatabaseQueue(path: folder.state).write { db in
            try db.execute(sql: "UPDATE outcome_chunks SET checksum = checksum + 1")
        }
        await #expect(throws: StateStoreError.self) { try await moveToServer() }
        #expect(try await !PostgresStore.isThere(scene.place))
    }

    @Test func `a file that was moved is neither opened nor written`() async throws {
        try await folder.fill()
        let (store, other) = (try folder.open(), try folder.open())
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try await store.markMoved(to: "the server", since: try await store.version())
        await store.unlock()
        let moved = StateStoreError.moved(path: folder.state, to: "the server")
        #expect(throws: moved) { try folder.open() }
        await #expect(throws: moved) { try await other.beginRun(StoreFixtures.worker) }
        await #expect(throws: moved) {
            try await other.lock(for: StoreFixtures.worker, waiting: .zero)
        }
        #expect(try SQLiteStore.mark(ofStateAt: folder.state).moved == "the server")
    }

    @Test func `a state on the server is not marked if it changed or the lock is lost`()
        async throws
    {
        let (store, other) = (try await scene.open(), try await scene.open())
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        let version = try await store.version()
        _ = try await other.pause(
            Pause(scope: .everything, since: StoreFixtures.due, user: "ada", host: "desk")
        )
        await #expect(throws: StateStoreError.self) {
            try await store.markMoved(to: "the file", since: version)
        }
        try await store.markMoved(to: "the file", since: try await store.version())
        await #expect(throws: StateStoreError.moved(path: scene.place.name, to: "the file")) {
            try await scene.open()
        }
    }

    // MARK: The role of the service

    @Test func `one service has the role on the server, and others learn its name`() async throws {
        let store = try await scene.open()
        let (first, second) = (PostgresServiceRole(in: store), PostgresServiceRole(in: store))
        let worker = StoreFixtures.worker
        #expect(try await first.take(for: worker) == .taken)
        #expect(try await second.take(for: worker) == .held(by: worker))
        first.release()
        #expect(try await second.take(for: worker) == .taken)
        // It is not the lock.
        try await store.lock(for: worker, waiting: .zero)
        await store.unlock()
        second.release()
    }
}
