import CampaignModel
import PostgresClient
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// Lists that are so long that they are copied to the server on a separate connection.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ListCopyTests {
    private let scene: PostgresScene
    private let list = ListID(text: String(repeating: "5a", count: 32))
    private let all: [Registration]

    init() throws {
        scene = try PostgresScene()
        let rest = String(repeating: "x", count: 140)
        all = try (0..<4_500).map { try #require(Registration("phone-\($0):APA91b-\(rest)")) }
    }

    private func draft(in store: PostgresStore) -> any ListDraft {
        let draft = store.draftList(ListShape())
        append(0..<all.count, to: draft)
        return draft
    }

    private func append(_ range: Range<Int>, to draft: any ListDraft) {
        for first in stride(from: range.lowerBound, to: range.upperBound, by: 1_000) {
            let rows = all[first..<min(first + 1_000, range.upperBound)]
            draft.append([PackedRows(rows.map { RegistrationRow($0) }, columns: 0)])
        }
    }

    /// The connections that copy a list.
    private func copies() throws -> Int64 {
        try scene.number("SELECT count(*) FROM pg_stat_activity WHERE \(isCopy)")
    }

    private var isCopy: String {
        "query LIKE 'COPY \(scene.place.schema).list_chunks %' AND state = 'active'"
    }

    private func lists() throws -> Int64 { try scene.number("SELECT count(*) FROM lists") }

    @Test func `a copied list is part of the state when it is kept`() async throws {
        let store = try await scene.open()
        let draft = draft(in: store)
        #expect(try copies() == 1)
        #expect(try lists() == 0)
        try await draft.keep(as: list)
        #expect(try copies() == 0)
        #expect(try await store.registrations(of: list, from: 0, count: 9_999) == all)
        #expect(try scene.number("SELECT count(*) FROM list_chunks") == 5)
        let digest = "digest = '\(list.text)' AND count = 4500 AND pending = 1"
        #expect(try scene.number("SELECT count(*) FROM lists WHERE \(digest)") == 1)
    }

    @Test func `a copied list of an encrypted state is sealed`() async throws {
        let key = try #require(StateKey(bytes: Array(1...32)))
        let (plain, sealed) = (try PostgresScene(), scene)
        for (scene, key) in [(plain, nil), (sealed, key)] {
            let store = try await scene.open(key: key)
            try await draft(in: store).keep(as: list)
            #expect(try await store.registrations(of: list, from: 4_499, count: 1) == [all[4_499]])
        }
        // The first byte of packed rows that are not encrypted.
        let open = "SELECT count(*) FROM list_chunks WHERE get_byte(registrations, 0) = 3"
        #expect(try plain.number(open) == 5)
        #expect(try sealed.number(open) == 0)
    }

    @Test func `a draft that is dropped leaves nothing on the server`() async throws {
        let store = try await scene.open()
        var dropped: (any ListDraft)? = draft(in: store)
        #expect(dropped != nil)
        #expect(try copies() == 1)
        dropped = nil
        while try copies() > 0 { await Task.yield() }
        #expect(try lists() == 0)
        #expect(try scene.number("SELECT count(*) FROM list_chunks") == 0)
    }

    @Test func `lists that are read at the same time share a connection`() async throws {
        let store = try await scene.open()
        let other = ListID(text: String(repeating: "6b", count: 32))
        let first = draft(in: store)
        var dropped: (any ListDraft)? = draft(in: store)
        #expect(dropped != nil)
        let second = store.draftList(ListShape())
        append(0..<3_000, to: second)
        #expect(try copies() == 1)
        dropped = nil
        // This stores the rows of the second list so far.
        try await first.keep(as: list)
        #expect(try copies() == 0)
        #expect(try await !store.hasList(other))
        append(3_000..<all.count, to: second)
        try await second.keep(as: other)
        #expect(try lists() == 2)
        for list in [list, other] {
            #expect(try await store.registrations(of: list, from: 0, count: 9_999) == all)
        }
    }

    @Test func `lists that share a connection are lost together`() async throws {
        let store = try await scene.open()
        let (cut, other) = (draft(in: store), draft(in: store))
        #expect(try copies() == 1)
        #expect(try scene.number(cutting) == 1)
        for draft in [cut, other] {
            await #expect(throws: StateStoreError.self) { try await draft.keep(as: list) }
        }
        #expect(try lists() == 0)
    }

    /// Ends the connection that copies a list, and returns when it has ended.
    private var cutting: String {
        "SELECT pg_terminate_backend(pid, 30000)::int FROM pg_stat_activity WHERE \(isCopy)"
    }

    @Test func `a list whose connection was cut can be stored again`() async throws {
        let store = try await scene.open()
        let cut = draft(in: store)
        #expect(try scene.number(cutting) == 1)
        let error = await #expect(throws: StateStoreError.self) { try await cut.keep(as: list) }
        guard case .server(scene.place.name, .unreachable) = error else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
        #expect(try lists() == 0)
        try await draft(in: store).keep(as: list)
        #expect(try await store.registrations(of: list, from: 0, count: 9_999) == all)
    }

    @Test func `registrations are not in the error of a copy`() async throws {
        let store = try await scene.open()
        try scene.execute("ALTER TABLE list_chunks ADD CONSTRAINT short CHECK (first < 1000)")
        let reason = "new row for relation \"list_chunks\" violates check constraint \"short\""
        await #expect(throws: StateStoreError.failed(path: scene.place.name, reason: reason)) {
            try await draft(in: store).keep(as: list)
        }
        #expect(try lists() == 0)
    }

    @Test func `the next run drops a copied list that did not become part of the state`()
        async throws
    {
        let store = try await scene.open()
        let refusal = [
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE 'refused by a test'; END $$
            """,
            """
            CREATE TRIGGER refused BEFORE UPDATE OF digest ON lists
            FOR EACH ROW EXECUTE FUNCTION refuse()
            """,
        ]
        try scene.execute(refusal.map { PostgresStatement($0) })
        let refused = StateStoreError.failed(path: scene.place.name, reason: "refused by a test")
        await #expect(throws: refused) { try await draft(in: store).keep(as: list) }
        #expect(try lists() == 1)
        #expect(try await !store.hasList(list))
        try scene.execute("DROP TRIGGER refused ON lists")
        let run = try await store.beginRun(StoreFixtures.worker)
        let end = RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
        try await store.finishRun(run, as: end)
        #expect(try lists() == 0)
        #expect(try scene.number("SELECT count(*) FROM list_chunks") == 0)
    }
}
