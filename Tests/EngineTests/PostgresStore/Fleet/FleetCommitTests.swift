import Fleet
import PostgresClient
import State
import Testing

@testable import PostgresStore

// Commits in doubt, warnings, settings, notes and failovers.
@Suite(.serialized)
struct FleetCommitTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    // MARK: Doubt

    @Test func `a commit whose answer is lost is settled`() async throws {
        try await scene.open(count: 4, unitSize: 2)
        var worker = try await scene.worker(1)
        let folder = try #require(scene.scene.place.address.settings["host"])
        let proxy = try CuttingProxy(to: folder)
        let place = PostgresPlace(
            try proxy.address(like: scene.scene.place.address),
            schema: scene.scene.place.schema
        )
        let cut = FleetStore(at: place)
        proxy.cutNextCommit()
        let claim = FleetTransaction.claim(worker.fence, [ClaimToken(1)])
        guard case .failed(.inDoubt, _) = await cut.perform(claim) else {
            Issue.record("the answer is there")
            return
        }
        let row = try await scene.settle(&worker, claims: [1])
        #expect(row.commits == 1)
        let claimed = try #require(row.claims.first)
        proxy.cutNextCommit()
        let change = claimed.change(mark: 2, [.accepted(0)])
        let commit = FleetTransaction.commit(worker.fence, [change], returnedPermits: 0)
        guard case .failed(.inDoubt, _) = await cut.perform(commit) else {
            Issue.record("the answer is there")
            return
        }
        #expect(try await scene.settle(&worker).commits == 2)
        #expect(try scene.number("SELECT released FROM work_units WHERE id = 10") == 2)
        // The connection is opened again.
        _ = try await scene.answer(
            .commit(worker.fence, [claimed.change([.accepted(1)])], returnedPermits: 0),
            on: cut
        )
    }

    @Test func `a commit that arrives after its settlement changes nothing`() async throws {
        try await scene.open(count: 2, unitSize: 2)
        var worker = try await scene.worker(1)
        let claim = try await scene.claim([1], for: &worker)[0]
        let late = FleetTransaction.commit(
            worker.fence,
            [claim.change(mark: 2)],
            returnedPermits: 0
        )
        let commits = worker.commits
        #expect(try await scene.settle(&worker).commits == commits)
        #expect(try await scene.failure(late) == .fenced)
        #expect(try scene.number("SELECT released FROM work_units") == 0)
    }

    @Test func `an answer with a warning is none`() async throws {
        let worker = try await scene.worker(1)
        try scene.execute("ALTER FUNCTION fleet_timeline() RENAME TO actual_timeline")
        try scene.execute(
            """
            CREATE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
                RAISE WARNING 'canceling wait for synchronous replication';
                RETURN \(scene.scene.place.schema).actual_timeline();
            END $$
            """
        )
        #expect(try await scene.failure(.commit(worker.fence, [], returnedPermits: 0)) == .inDoubt)
        #expect(try scene.number("SELECT commits FROM fleet_workers") == 1)
    }

    @Test func `an error after the commit leaves it in doubt`() async throws {
        let worker = try await scene.worker(1)
        try scene.execute("DROP FUNCTION fleet_server")
        #expect(try await scene.failure(.commit(worker.fence, [], returnedPermits: 0)) == .inDoubt)
        #expect(try scene.number("SELECT commits FROM fleet_workers") == 1)
    }

    @Test func `only commits that end units ask what standbys have`() async throws {
        try await scene.open(count: 6, unitSize: 2)
        var worker = try await scene.worker(1)
        try scene.execute("ALTER FUNCTION fleet_server RENAME TO hidden_server")
        let claims = try await scene.claim([1, 2], for: &worker)
        let other = ClaimFence(epoch: claims[1].fence.epoch, token: ClaimToken(8))
        let stale = UnitChange(
            claims[1].unit.id,
            fence: other,
            mark: 2,
            records: [.accepted(0)],
            ending: nil
        )
        let lost = try await scene.commit(
            [claims[0].change(mark: 2, [.accepted(1)]), stale],
            for: &worker
        )
        #expect(lost == [claims[1].unit.id])
        #expect(try scene.number("SELECT sum(released)::bigint FROM work_units") == 2)
        #expect(try scene.number("SELECT count(*) FROM attempt_log") == 1)
        #expect(try await scene.commit([stale], for: &worker) == [claims[1].unit.id])
        let end = FleetTransaction.commit(
            worker.fence,
            [claims[0].change([.accepted(0)], ending: .finished)],
            returnedPermits: 0
        )
        #expect(try await scene.failure(end) == .inDoubt)
        try scene.execute("ALTER FUNCTION hidden_server RENAME TO fleet_server")
        #expect(try await scene.settle(&worker).commits == 4)
    }

    @Test func `an error before the commit rolls everything back`() async throws {
        try await scene.open(count: 2, unitSize: 2)
        var worker = try await scene.worker(1)
        let claim = try await scene.claim([1], for: &worker)[0]
        let beyond = claim.change(mark: 3)
        let commit = FleetTransaction.commit(worker.fence, [beyond], returnedPermits: 0)
        #expect(try await scene.failure(commit) == .notCommitted)
        _ = try await scene.commit([claim.change(mark: 2)], for: &worker)
        #expect(try scene.number("SELECT commits FROM fleet_workers") == 2)
    }

    @Test func `a server that is not there has committed nothing`() async throws {
        let address = try PostgresAddress(
            "host=/nowhere user=herald dbname=postgres",
            variables: [:]
        )
        let store = FleetStore(at: PostgresPlace(address))
        let reply = await store.perform(.beat(WorkerID(1)))
        guard case .failed(.notCommitted, let cause) = reply,
            case .server(path: _, let problem) = cause as? StateStoreError,
            case .unreachable = problem
        else {
            Issue.record("\(reply)")
            return
        }
    }

    @Test(arguments: [
        (FleetTransaction.takeWriter(ClaimToken(5), former: nil), "off"),
        (.register(WorkerID(3), isSynchronous: false), "on"),
    ])
    func `each transaction sets its limits, and when it is durable`(
        transaction: FleetTransaction,
        level: String
    ) async throws {
        try scene.execute("CREATE TABLE seen (name text, value text)")
        try scene.execute(
            """
            CREATE OR REPLACE FUNCTION fleet_check_place() RETURNS void LANGUAGE sql AS $$
                INSERT INTO seen SELECT name, setting FROM pg_settings WHERE name IN (
                    'lock_timeout', 'synchronous_commit', 'idle_in_transaction_session_timeout') $$
            """
        )
        _ = try await scene.answer(transaction)
        let rows = try scene.execute("SELECT value FROM seen ORDER BY name").rows
        #expect(try rows.map { try $0.text(at: 0) } == ["5000", "2000", level])
    }

    // MARK: Notes

    @Test func `details and message IDs are stored with the outcomes, or not at all`() async throws
    {
        try await scene.open(count: 4, unitSize: 2)
        var worker = try await scene.worker(1)
        let claim = try await scene.claim([1, 2], for: &worker)[1]
        let notes = UnitNotes(
            of: claim.unit,
            details: [0: "INTERNAL"],
            messageIDs: [1: "projects/p/messages/7"]
        )
        let records = [AttemptRecord(.rejected, of: 0, attempt: 1), .accepted(1)]
        let other = ClaimFence(epoch: claim.fence.epoch, token: ClaimToken(8))
        let stale = UnitChange(claim.unit.id, fence: other, mark: 2, records: records, ending: nil)
        #expect(try await scene.commit([stale], notes: [notes], for: &worker) == [claim.unit.id])
        for table in ["attempt_log", "outcome_details", "message_ids"] {
            #expect(try scene.number("SELECT count(*) FROM \(table)") == 0)
        }
        let change = claim.change(mark: 2, records)
        #expect(try await scene.commit([change], notes: [notes], for: &worker).isEmpty)
        #expect(try scene.number("SELECT request FROM outcome_details") == 2)
        #expect(try scene.number("SELECT count(*) FROM message_ids WHERE unit = 1") == 1)
    }

    // MARK: Failovers

    @Test func `a worker restores what a failover lost`() async throws {
        try await scene.open(count: 4, unitSize: 2)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        try scene.save()
        let claims = try await scene.claim([1, 2], for: &first)
        _ = try await scene.commit([claims[0].change(mark: 2, [.accepted(0)])], for: &first)
        try scene.lose()
        try scene.set(timeline: 2)
        second.timeline = 2
        _ = try await scene.restore(for: second)
        // A unit whose claim is lost looks free.
        #expect(try await scene.claim([3], for: &second).isEmpty)
        first.timeline = 2
        let restored = claims[0].restored(
            mark: 2,
            [.accepted(0)],
            unanswered: 1,
            holding: .owned
        )
        let notes = UnitNotes(of: claims[0].unit, messageIDs: [0: "projects/p/messages/7"])
        for _ in 0..<2 {
            #expect(try await scene.restore([restored], notes: [notes], for: first).isEmpty)
        }
        #expect(try await scene.claim([4], for: &second).map(\.unit) == [claims[1].unit])
        let row = try await scene.settle(&first, claims: [1])
        #expect(row.permits == 1)
        #expect(row.commits == 2)
        #expect(row.claims[0].outcomes == [0: .accepted, 1: .released])
        // The second restoration stored the ID again, and it is read once.
        let ids = try await scene.state.messageIDs(of: UnitID(number: 1), from: 0, count: 9)
        #expect(ids.map(\.id) == ["projects/p/messages/7"])
    }

    /// A worker whose claim of 4 requests a failover lost, and the worker that claimed them since then.
    private func rivals() async throws -> (SceneWorker, ClaimedUnit, SceneWorker) {
        try await scene.open(count: 8, unitSize: 4)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        try scene.save()
        let lost = try await scene.claim([1], for: &first)[0]
        try scene.lose()
        _ = try await scene.claim([2], for: &second)
        try scene.set(timeline: 2)
        first.timeline = 2
        return (first, lost, second)
    }

    @Test func `a unit that another worker has claimed is named`() async throws {
        let (first, lost, owner) = try await rivals()
        var second = owner
        for (holding, mark, expected) in [
            (.finished, 4, []), (.former, 4, []), (.owned, 1, [lost.unit.id]),
            (.abandoned, 2, [lost.unit.id]), (.owned, 1, [lost.unit.id]),
        ] as [(RestoredUnit.Holding, Int, [WorkUnitID])] {
            let unit = lost.restored(mark: mark, [.accepted(0)], unanswered: 3, holding: holding)
            #expect(try await scene.restore([unit], for: first) == expected)
        }
        #expect(try await scene.state.possiblyDoubled(in: UnitID(number: 1)) == [0..<2])
        let row = try await scene.settle(&second, claims: [2])
        // The owner learns what the other worker sent.
        #expect(row.claims[0].mark == 4)
        #expect(row.claims[0].outcomes[0] == .accepted)
        // Permits of units that others have do not remain.
        let permits = """
            SELECT permits - returned FROM fleet_slices JOIN fleet_workers ON id = worker WHERE id = 1
            """
        #expect(try scene.number(permits) == 0)
    }

    @Test func `permits of a unit that is not there remain`() async throws {
        let (first, lost, _) = try await rivals()
        try scene.execute("DELETE FROM work_units WHERE id = \(lost.unit.id.number)")
        let unit = lost.restored(mark: 4, unanswered: 3, holding: .owned)
        #expect(try await scene.restore([unit], for: first).isEmpty)
        let permits = """
            SELECT permits - returned FROM fleet_slices JOIN fleet_workers ON id = worker WHERE id = 1
            """
        #expect(try scene.number(permits) == 3)
        #expect(try await scene.state.possiblyDoubled(in: UnitID(number: 1)).isEmpty)
    }

    @Test func `only the last part of a restoration confirms the timeline`() async throws {
        let (first, lost, _) = try await rivals()
        let part = lost.restored(mark: 3, [.accepted(0)], holding: .abandoned)
        #expect(try await scene.restore([part], isLast: false, for: first) == [lost.unit.id])
        let timeline = "SELECT timeline FROM fleet_workers WHERE id = 1"
        #expect(try scene.number(timeline) == 1)
        #expect(try await scene.state.possiblyDoubled(in: UnitID(number: 1)) == [0..<3])
        #expect(try await scene.restore(for: first).isEmpty)
        #expect(try scene.number(timeline) == 2)
    }

    @Test func `possibly doubled requests stay when their occurrence leaves the fleet`()
        async throws
    {
        let (first, lost, owner) = try await rivals()
        var second = owner
        let unit = lost.restored(mark: 3, holding: .owned)
        #expect(try await scene.restore([unit], for: first) == [lost.unit.id])
        second.timeline = 2
        var (claims, token) = (try await scene.settle(&second, claims: [2]).claims, 7 as UInt64)
        let owned = claims.map { $0.restored(mark: $0.mark, holding: .owned) }
        _ = try await scene.restore(owned, for: second)
        while claims.count < 2 {
            claims += try await scene.claim([token], for: &second)
            token += 1
        }
        let changes = claims.map { claim in
            let records = (0..<4).map { AttemptRecord.accepted($0) }
            return claim.change(mark: 4, records, ending: .finished)
        }
        #expect(try await scene.commit(changes, for: &second).isEmpty)
        #expect(try await scene.state.collect(from: UnitID(number: 1)).isWhole)
        #expect(try await scene.state.possiblyDoubled(in: UnitID(number: 1)) == [0..<3])
    }
}
