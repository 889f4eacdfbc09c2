import CampaignModel
import Foundation
import PostgresClient
import State
import StoreConformance
import StoreTables
import Testing
import Time

@testable import PostgresStore

/// One after the other, because each case has several connections.
@Suite(.serialized)
struct PostgresStoreTests {
    private let scene: PostgresScene

    init() throws {
        scene = try PostgresScene()
    }

    @Test(arguments: StoreCases.all)
    func `passes the conformance suite`(_ conformance: StoreCase) async throws {
        try await conformance.run(StoreUnderTest { [scene] in try await scene.open() })
    }

    @Test(arguments: StoreCases.sealed)
    func `passes the conformance suite when encrypted`(_ conformance: StoreCase) async throws {
        let key = StateKey(bytes: Array(repeating: 7, count: StateKey.size))
        try await conformance.run(StoreUnderTest { [scene] in try await scene.open(key: key) })
    }

    @Test func `keeps the registrations of an encrypted state sealed`() async throws {
        let key = try #require(StateKey(bytes: Array(1...32)))
        let store = try await scene.open(key: key)
        let list = ListID(text: String(repeating: "0f", count: 32))
        try await store.store(StoreFixtures.registrations(0..<9_000), as: list)
        let scope = try StoreFixtures.scope("all", "news")
        try await store.beginJoin(StoreFixtures.members(0..<10), in: scope)
        for (table, column) in [
            ("list_chunks", "registrations"), ("registration_pages", "registrations"),
        ] {
            let all = try scene.number("SELECT count(*) FROM \(table)")
            let plain = "position('SECRET'::bytea IN \(column)) > 0"
            #expect(all > 0)
            #expect(try scene.number("SELECT count(*) FROM \(table) WHERE \(plain)") == 0)
        }
        await #expect(throws: StateStoreError.encrypted(path: scene.place.name)) {
            try await scene.open()
        }
        await #expect(throws: StateStoreError.wrongKey(path: scene.place.name)) {
            try await scene.open(key: StateKey(bytes: Array(2...33)))
        }
    }

    @Test func `refuses to create a state that must exist`() async throws {
        await #expect(throws: StateStoreError.missing(path: scene.place.name)) {
            try await PostgresStore.open(scene.place, ifMissing: .refused)
        }
    }

    @Test func `stores that are created at the same time are one state`() async throws {
        let lineages = try await withThrowingTaskGroup(of: StateLineage.self) { group in
            for _ in 0..<4 {
                group.addTask { [scene] in try await scene.open().identity().lineage }
            }
            return try await group.reduce(into: Set<StateLineage>()) { $0.insert($1) }
        }
        #expect(lineages.count == 1)
    }

    @Test func `refuses another format`() async throws {
        _ = try await scene.open()
        try scene.execute("UPDATE meta SET format = 99")
        let expected = StateStoreError.otherFormat(
            path: scene.place.name,
            found: 99,
            supported: PostgresSchema.format
        )
        await #expect(throws: expected) { try await scene.open() }
    }

    @Test func `a state that was moved is neither opened nor written`() async throws {
        let store = try await scene.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        try scene.execute("UPDATE meta SET moved = '.herald/dev.sqlite'")
        let expected = StateStoreError.moved(path: scene.place.name, to: ".herald/dev.sqlite")
        await #expect(throws: expected) { try await scene.open() }
        await #expect(throws: expected) { try await store.beginRun(StoreFixtures.worker) }
    }
}

// MARK: - The lock

extension PostgresStoreTests {
    @Test func `a writer whose lease ended is fenced off by the next one`() async throws {
        let (first, second) = (try await scene.open(), try await scene.open())
        try await first.lock(for: StoreFixtures.worker, waiting: .zero)
        let unit = try await StoreFixtures.openedUnit(first, count: 3).id
        try await first.record([], released: 1, of: unit)
        // What happens if the first process is stopped for longer than its lease.
        try scene.execute("UPDATE writer SET expires = clock_timestamp()")
        try await second.lock(for: StoreFixtures.tellingWorker, waiting: .zero)
        let fenced = StateStoreError.server(path: scene.place.name, .lostLock)
        await #expect(throws: fenced) { try await first.record([], released: 2, of: unit) }
        await #expect(throws: fenced) { try await first.beginRun(StoreFixtures.worker) }
        #expect(try await second.unit(unit).released == 1)
        // The former owner must not release the lock of the next one.
        await first.unlock()
        let holder = try await first.currentWriter()
        guard case .somebody(let worker?) = holder else {
            Issue.record("the lock is free")
            return
        }
        #expect(worker.processID == StoreFixtures.tellingWorker.processID)
        await second.unlock()
    }

    @Test func `a lease that has not ended is renewed`() async throws {
        let store = try await scene.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try scene.execute("UPDATE writer SET expires = clock_timestamp() + interval '6 s'")
        let left = "SELECT (expires > clock_timestamp() + interval '10 s')::int FROM writer"
        // Half of the lease is enough on an idle machine.
        var attempts = 0
        while try scene.number(left) == 0, attempts < 300 {
            try await Task.sleep(for: .milliseconds(100))
            attempts += 1
        }
        #expect(try scene.number(left) == 1)
        await store.unlock()
    }
}

// MARK: - Commits and connections

extension PostgresStoreTests {
    @Test func `an idle connection that was cut is opened again`() async throws {
        let store = try await scene.open()
        let unit = try await StoreFixtures.openedUnit(store, count: 3).id
        for mark in 1...3 {
            let own = try await store.backend()
            try scene.execute(
                [PostgresStatement("SELECT pg_terminate_backend($1::int)", [.integer(own)])]
            )
            try await store.record([], released: mark, of: unit)
            #expect(try await store.unit(unit).released == mark)
        }
    }

    @Test func `a commit that was cut off is looked up before it is repeated`() async throws {
        let store = try await scene.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        try scene.execute(
            [
                """
                CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$
                """,
                """
                CREATE CONSTRAINT TRIGGER delayed AFTER INSERT ON device_groups
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION delay()
                """,
            ].map { PostgresStatement($0) }
        )
        let own = try await store.backend()
        let group = DeviceGroupRecord(
            name: try #require(DeviceGroupName("family")),
            members: [],
            isWhole: true
        )
        async let recorded: Void = store.record(group, of: group.name)
        let waiting = """
            SELECT count(*) FROM pg_stat_activity WHERE pid = \(own) AND wait_event = 'PgSleep'
            """
        while try scene.number(waiting) == 0 { try await Task.sleep(for: .milliseconds(10)) }
        try scene.execute("SELECT pg_terminate_backend(\(own))")
        try await recorded
        #expect(try await store.deviceGroups() == [group])
        #expect(try scene.number("SELECT incarnation FROM worker") == 2)
    }

    @Test func `a commit whose answer is lost happened once`() async throws {
        let proxy = try CuttingProxy(to: try #require(scene.place.address.settings["host"]))
        let place = PostgresPlace(
            try proxy.address(like: scene.place.address),
            schema: scene.place.schema
        )
        let store = try await PostgresStore.open(place)
        let unit = try await StoreFixtures.openedUnit(store, count: 3).id
        proxy.cutNextCommit()
        let outcomes = [RequestOutcome(index: 0, outcome: .rejected, detail: "404")]
        try await store.record(outcomes, released: 2, of: unit)
        #expect(try scene.number("SELECT incarnation FROM worker") == 2)
        #expect(try scene.number("SELECT commits FROM units") == 1)
        #expect(try await store.requests(of: unit, with: .rejected, limit: 9) == outcomes)
        let serial = try await store.identity().serial.number
        proxy.cutNextCommit()
        _ = try await store.beginRun(StoreFixtures.worker)
        #expect(try await store.identity().serial.number == serial + 1)
        #expect(try scene.number("SELECT incarnation FROM worker") == 3)
        // What is in memory is still right.
        try await store.record([], released: 3, of: unit)
        #expect(try await store.unit(unit).released == 3)
    }

    @Test func `a worker that was struck off registers again`() async throws {
        let store = try await scene.open()
        _ = try await store.beginRun(StoreFixtures.worker)
        let before = try await store.version()
        try scene.execute(
            """
            WITH gone AS (DELETE FROM worker RETURNING commits)
            UPDATE meta SET retired = retired + (SELECT sum(commits) FROM gone)
            """
        )
        #expect(try await store.version() == before)
        _ = try await store.beginRun(StoreFixtures.worker)
        #expect(try await store.identity().serial == StateSerial(number: 2))
    }

    @Test func `every commit waits for the disk`() async throws {
        let store = try await scene.open()
        let setting = try await store.setting("synchronous_commit")
        #expect(setting == "on")
        #expect(try await store.setting("search_path") == scene.place.schema)
        #expect(try await store.setting("lock_timeout") == "5s")
        #expect(try await store.setting("idle_in_transaction_session_timeout") == "15s")
    }

    @Test func `outcomes are appended and merged when their occurrence ends`() async throws {
        let store = try await scene.open()
        let unit = try await StoreFixtures.openedUnit(store, count: 9_000).id
        for first in stride(from: 0, to: 9_000, by: 1_000) {
            let outcomes = (first..<first + 1_000).map {
                RequestOutcome(index: $0, outcome: .accepted)
            }
            try await store.record(outcomes, released: first + 1_000, of: unit)
        }
        #expect(try scene.number("SELECT count(*) FROM outcome_log") == 9)
        let bytes = try scene.number("SELECT sum(length(outcomes))::bigint FROM outcome_log")
        // A record of a thousand has two numbers, of one and two bytes.
        #expect(bytes == 27)
        try await store.close(StoreFixtures.occurrence("sale"), as: .finished)
        #expect(try scene.number("SELECT count(*) FROM outcome_log") == 0)
        // 9,000 requests are two chunks of 4,000 and one of 1,000.
        #expect(try scene.number("SELECT count(*) FROM outcome_final") == 3)
        #expect(
            try await store.outcomes(of: unit, in: 0..<9_000)
                == Array(repeating: .accepted, count: 9_000)
        )
    }

    @Test func `details that many requests have take no rows`() async throws {
        let store = try await scene.open()
        let unit = try await StoreFixtures.openedUnit(store, count: 8).id
        // Some requests were returned first, with a reason that the outcome does not contain.
        let returned = (0..<2).map { RequestOutcome(index: $0, outcome: .returned, detail: "429") }
        try await store.record(returned, released: 8, of: unit)
        let outcomes = (0..<8).map { index in
            index < 5
                ? RequestOutcome(index: index, outcome: .suppressed, detail: OutcomeDetail.cap)
                : RequestOutcome(index: index, outcome: .rejected, detail: "UNREGISTERED")
        }
        try await store.record(outcomes, released: 8, of: unit)
        #expect(try scene.number("SELECT count(*) FROM outcome_details") == 0)
        #expect(try await store.unit(unit).capped == 5)
        try await store.close(StoreFixtures.occurrence("sale"), as: .finished)
        #expect(try await store.details(of: unit, in: 0..<8).count == 8)
        let rejected = try await store.requests(of: unit, with: .rejected, limit: 8)
        #expect(rejected == Array(outcomes[5...]))
    }

    @Test func `records of two stores of one unit are both kept`() async throws {
        let (one, other) = (try await scene.open(), try await scene.open())
        let unit = try await StoreFixtures.openedUnit(one, count: 4).id
        for index in 0..<4 {
            let outcome = RequestOutcome(index: index, outcome: .accepted)
            try await (index.isMultiple(of: 2) ? one : other)
                .record([outcome], released: index + 1, of: unit)
        }
        let record = try await one.unit(unit)
        #expect(record.released == 4)
        #expect(record.tally == StoreFixtures.tally([.accepted: 4]))
    }

    @Test func `a record of a unit that changed elsewhere repeats no other record`() async throws {
        let (one, other) = (try await scene.open(), try await scene.open())
        let changed = try await StoreFixtures.openedUnit(one, count: 3).id
        let same = try await StoreFixtures.openedUnit(one, campaign: "tides", count: 3).id
        func outcome(_ index: Int) -> [RequestOutcome] {
            [RequestOutcome(index: index, outcome: .accepted)]
        }
        // Now both units are in memory.
        try await one.record(outcome(0), released: 1, of: changed)
        try await one.record(outcome(0), released: 1, of: same)
        try await other.record(outcome(1), released: 2, of: changed)
        async let first: Void = one.record(outcome(2), released: 3, of: changed)
        async let second: Void = one.record(outcome(1), released: 2, of: same)
        _ = try await (first, second)
        #expect(try await one.unit(changed).tally == StoreFixtures.tally([.accepted: 3]))
        #expect(try await one.unit(same).tally[.accepted] == 2)
        let commits = "SELECT commits FROM units WHERE id = "
        #expect(try scene.number(commits + "\(changed.number)") == 3)
        #expect(try scene.number(commits + "\(same.number)") == 2)
    }
}

extension PostgresStore {
    /// The server's process for the present connection.
    fileprivate func backend() throws(StateStoreError) -> Int64 {
        try read { db in
            try #require(try db.row("SELECT pg_backend_pid()")).decode(Int64.self, atIndex: 0)
        }
    }

    fileprivate func setting(_ name: String) throws(StateStoreError) -> String {
        try write { db in
            try #require(try db.row("SELECT current_setting(?)", arguments: [name]))
                .decode(String.self, atIndex: 0)
        }
    }
}
