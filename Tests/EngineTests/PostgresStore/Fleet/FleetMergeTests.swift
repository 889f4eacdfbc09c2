import CampaignModel
import Fleet
import JSON
import PostgresClient
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

// How an occurrence enters and leaves the fleet.
@Suite(.serialized)
struct FleetMergeTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    /// An occurrence of 5 requests in 2 units, whose request 4 was left out.
    private func entrusted() async throws -> UnitID {
        let unit = try await StoreFixtures.openedUnit(scene.state, count: 5).id
        let capped = RequestOutcome(index: 4, outcome: .suppressed, detail: OutcomeDetail.cap)
        try await scene.state.record([capped], released: nil, of: unit)
        try await scene.state.entrust(Self.requests([0..<4], of: unit))
        return unit
    }

    @Test func `workers claim what the service allows`() async throws {
        let unit = try await StoreFixtures.openedUnit(scene.state, count: 5).id
        let window = FleetWindow(of: [0..<5], size: 2)
        let requests = EntrustedRequests(
            [0..<5],
            of: unit,
            turn: FleetTurn(due: 7),
            window: window,
            terms: .object([:])
        )
        try await scene.state.entrust(requests)
        let fence = try await scene.writer()
        guard case .divided(let division?) = try await scene.answer(.divide(fence, on: nil, []))
        else { return }
        let occurrence = try #require(division.uncut.first)
        #expect(occurrence.sent == 1)
        let units = occurrence.units(of: 10, omitting: [])
        #expect(units.count == 5)
        _ = try await scene.answer(.cut(fence, occurrence.number, units))
        _ = try await scene.answer(.open(fence, occurrence.number))
        var worker = try await scene.worker(1)
        #expect(try await scene.claim([1, 2, 3], for: &worker).map(\.unit.first) == [0, 1])
        try await scene.state.allow(below: 4, of: unit)
        // A service does not take back what it allowed.
        try await scene.state.allow(below: 3, of: unit)
        #expect(try await scene.claim([4, 5, 6], for: &worker).map(\.unit.first) == [2, 3])
        // A recall ends also what nothing may claim.
        try await scene.state.recall(unit)
        #expect(try await scene.state.collect(from: unit).outcomes.map(\.outcome) == [.returned])
    }

    private static func requests(_ ranges: [Range<Int>], of unit: UnitID) -> EntrustedRequests {
        EntrustedRequests(
            ranges,
            of: unit,
            turn: FleetTurn(due: 7),
            terms: .object(["list": "l"])
        )
    }

    private func claimed(by worker: inout SceneWorker) async throws -> [ClaimedUnit] {
        let fence = try await scene.writer()
        guard case .divided(let division?) = try await scene.answer(.divide(fence, on: nil, []))
        else { return [] }
        let occurrence = try #require(division.uncut.first)
        let units = occurrence.units(of: 3, omitting: [])
        _ = try await scene.answer(.cut(fence, occurrence.number, units))
        _ = try await scene.answer(.open(fence, occurrence.number))
        return try await scene.claim([1, 2, 3], for: &worker)
    }

    @Test func `merged outcomes are those that one process would record`() async throws {
        let id = try await entrusted()
        var worker = try await scene.worker(1)
        let claims = try await claimed(by: &worker)
        #expect(claims.map(\.unit.count) == [3, 1])
        let late = claims[1].change(
            mark: 1,
            [.accepted(0)],
            ending: .finished
        )
        _ = try await scene.commit([late], for: &worker)
        let first = try await scene.state.collect(from: id)
        #expect(!first.isWhole)
        #expect(first.outcomes == [RequestOutcome(index: 3, outcome: .accepted)])
        var unit = try await scene.state.unit(id)
        #expect(unit.released == 0)
        #expect(unit.tally[.accepted] == 1)

        let notes = UnitNotes(
            of: claims[0].unit,
            details: [0: "UNREGISTERED", 1: "INTERNAL", 2: "no answer"]
        )
        let records = [
            AttemptRecord(.rejected, of: 0, attempt: 1), AttemptRecord(.refused, of: 1, attempt: 1),
            AttemptRecord(.rejected, of: 1, attempt: 2), AttemptRecord(.unknown, of: 2, attempt: 1),
        ]
        let change = claims[0].change(mark: 3, records, ending: .finished)
        _ = try await scene.commit([change], notes: [notes], for: &worker)
        let second = try await scene.state.collect(from: id)
        #expect(second.isWhole)
        #expect(second.outcomes.map(\.index) == [0, 1, 2])
        unit = try await scene.state.unit(id)
        #expect(unit.released == 4)
        let outcomes = try await scene.state.outcomes(of: id, in: 0..<5)
        #expect(outcomes == [.rejected, .rejected, .unknown, .accepted, .suppressed])
        let rejected = try await scene.state.requests(of: id, with: .rejected, limit: 9)
        #expect(rejected.map(\.detail) == ["UNREGISTERED", "INTERNAL"])
        let unknown = try await scene.state.requests(of: id, with: .unknown, limit: 9)
        #expect(unknown.map(\.detail) == ["no answer"])
        #expect(try scene.number("SELECT count(*) FROM fleet_occurrences") == 0)
        #expect(try scene.number("SELECT count(*) FROM work_units") == 0)
    }

    @Test func `a merged unit takes no late answer`() async throws {
        let id = try await entrusted()
        var worker = try await scene.worker(1)
        let claims = try await claimed(by: &worker)
        let records = (0..<3).map { AttemptRecord(.unknown, of: $0, attempt: 1) }
        _ = try await scene.commit(
            [claims[0].change(mark: 3, records, ending: .finished)],
            for: &worker
        )
        _ = try await scene.state.collect(from: id)
        let late = LateAnswer(.accepted(0), of: claims[0].unit.id)
        #expect(try await scene.add([late], for: &worker) == 1)
        let outcomes = try await scene.state.outcomes(of: id, in: 0..<3)
        #expect(outcomes == [.unknown, .unknown, .unknown])
    }

    @Test func `requests that a unit does not have cannot be entrusted`() async throws {
        let unit = try await StoreFixtures.openedUnit(scene.state, count: 5).id
        await #expect(throws: StateStoreError.self) {
            try await scene.state.entrust(Self.requests([3..<6], of: unit))
        }
        #expect(try scene.number("SELECT count(*) FROM fleet_occurrences") == 0)
    }

    // MARK: Recalls

    @Test func `units that are given back are collected after a recall`() async throws {
        let id = try await entrusted()
        var worker = try await scene.worker(1)
        let claims = try await claimed(by: &worker)
        try await scene.state.recall(id)
        // The living worker still has its units.
        #expect(try await !scene.state.collect(from: id).isWhole)
        let changes = [
            claims[0].change(
                mark: 2,
                [.accepted(0), AttemptRecord(.returned, of: 1, attempt: 1)],
                ending: .givenBack
            ),
            claims[1].change(mark: nil, [], ending: .givenBack),
        ]
        #expect(try await scene.commit(changes, for: &worker).isEmpty)
        #expect(try await scene.claim([7], for: &worker).isEmpty)
        let collected = try await scene.state.collect(from: id)
        #expect(collected.isWhole)
        #expect(collected.outcomes.map(\.outcome) == [.accepted, .returned, .returned, .returned])
        let outcomes = try await scene.state.outcomes(of: id, in: 0..<5)
        #expect(outcomes == [.accepted, .returned, .returned, .returned, .suppressed])
        #expect(try scene.number("SELECT count(*) FROM work_units") == 0)
    }

    @Test func `requests of a dead worker are unknown after a recall`() async throws {
        let id = try await entrusted()
        var worker = try await scene.worker(1)
        let claims = try await claimed(by: &worker)
        _ = try await scene.commit([claims[0].change(mark: 2, [], ending: nil)], for: &worker)
        try await scene.state.recall(id)
        try scene.set(milliseconds: 20_000)
        let collected = try await scene.state.collect(from: id)
        #expect(collected.isWhole)
        #expect(collected.outcomes.map(\.outcome) == [.unknown, .unknown, .returned, .returned])
        // The worker may still be there. It reads that it has lost a unit.
        let request = SliceRequest(number: 1, wanted: 9, isThrottled: false)
        guard case .asked(_, let slice) = try await scene.answer(.ask(worker.id, request)) else {
            Issue.record("another answer")
            return
        }
        #expect(slice.recalled.isEmpty)
        #expect(slice.losses == claims.count)
        #expect(try await scene.settle(&worker).losses == claims.count)
        // The fence is new, and the unit is gone.
        #expect(
            try await scene.commit([claims[0].change(mark: 3, [], ending: nil)], for: &worker)
                == [claims[0].unit.id]
        )
    }

    @Test func `an occurrence can be recalled before it is divided and entrusted again`()
        async throws
    {
        let id = try await entrusted()
        try await scene.state.recall(id)
        let collected = try await scene.state.collect(from: id)
        #expect(collected.isWhole)
        #expect(collected.outcomes.isEmpty)
        // A request below the mark without an outcome would be unknown.
        #expect(try await scene.state.unit(id).released == 0)
        try await scene.state.entrust(Self.requests([0..<4], of: id))
        #expect(try await scene.state.entrustedUnits() == [id])
        #expect(try await scene.state.terms(ofEntrusted: id) == .object(["list": "l"]))
    }

    @Test func `a problem recalls an occurrence, and the first one is kept`() async throws {
        let id = try await entrusted()
        let number = OccurrenceNumber(Int(id.number))
        #expect(await scene.store.stop(number, because: "refused: 403"))
        #expect(await scene.store.stop(number, because: "unanswered: 500"))
        let collected = try await scene.state.collect(from: id)
        #expect(collected.problem == "refused: 403")
        #expect(collected.isWhole)
    }

    @Test func `nothing is claimed after the time of an occurrence`() async throws {
        let id = try await entrusted()
        var worker = try await scene.worker(1)
        try scene.execute("UPDATE fleet_occurrences SET until = 5000000000")
        try scene.set(milliseconds: 5_000)
        #expect(try await claimed(by: &worker).isEmpty)
        #expect(try scene.number("SELECT count(*) FROM work_units WHERE unit = \(id.number)") == 2)
    }

    @Test func `a state is not moved while the fleet has an occurrence`() async throws {
        _ = try await entrusted()
        await #expect(throws: StateStoreError.self) { try await scene.state.readForMove { _ in } }
    }

    @Test func `an occurrence is entrusted once`() async throws {
        let unit = try await entrusted()
        await #expect(throws: StateStoreError.self) {
            try await scene.state.entrust(Self.requests([0..<4], of: unit))
        }
        #expect(try scene.number("SELECT count(*) FROM fleet_occurrences") == 1)
    }

    // MARK: Partitions

    @Test func `partitions are dropped when their occurrences have left the fleet`() async throws {
        _ = try await entrusted()
        var worker = try await scene.worker(1)
        _ = try await claimed(by: &worker)
        let partitions = """
            SELECT count(*) FROM pg_inherits WHERE inhparent = 'attempt_log'::regclass
            """
        #expect(try scene.number(partitions) == 1)
        for part in [100, 200, 200] { try scene.execute("SELECT fleet_create_partition(\(part))") }
        #expect(try scene.number(partitions) == 3)
        // The first one has an occurrence, and the last one may get one.
        #expect(try scene.number("SELECT fleet_drop_partitions(200)") == 1)
        #expect(try scene.number(partitions) == 2)
    }

    @Test func `an occurrence that leaves the fleet drops earlier partitions`() async throws {
        try scene.execute("SELECT setval(pg_get_serial_sequence('units', 'id'), 200)")
        try scene.execute("SELECT fleet_create_partition(1)")
        let id = try await entrusted()
        #expect(id.number == 201)
        var worker = try await scene.worker(1)
        let changes = try await claimed(by: &worker).map { claim in
            claim.change(
                mark: claim.unit.count,
                (0..<claim.unit.count).map { AttemptRecord(.accepted, of: $0, attempt: 1) },
                ending: .finished
            )
        }
        _ = try await scene.commit(changes, for: &worker)
        #expect(try await scene.state.collect(from: id).isWhole)
        let partitions =
            "SELECT inhrelid::regclass::text FROM pg_inherits "
            + "WHERE inhparent = 'attempt_log'::regclass"
        #expect(try scene.number("SELECT count(*) FROM (\(partitions)) p") == 1)
        #expect(
            try scene.number(
                "SELECT count(*) FROM (\(partitions)) p (name) WHERE name LIKE '%\\_3'"
            ) == 1
        )
    }

    @Test func `a worker needs no right to change tables`() async throws {
        let (schema, address) = (scene.scene.place.schema, scene.scene.place.address)
        let role = "worker_of_\(schema)"
        for statement in [
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)",
            """
            GRANT INSERT, UPDATE, DELETE ON fleet_workers, fleet_slices, fleet_writer,
                fleet_occurrences, work_units, fleet_doubled, attempt_log, outcome_details, message_ids TO \(role)
            """,
        ] {
            try scene.execute(statement)
        }
        let host = try #require(address.settings["host"])
        let other = FleetStore(
            at: PostgresPlace(
                try PostgresAddress("host=\(host) user=\(role) dbname=postgres", variables: [:]),
                schema: schema
            )
        )
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 4,
            firstUnit: 10,
            isStored: false
        )
        try scene.add(occurrence)
        var worker = try await scene.worker(1)
        let writer = try await scene.writer()
        let units = occurrence.units(of: 4, omitting: [])
        _ = try await scene.answer(.cut(writer, occurrence.number, units), on: other)
        _ = try await scene.answer(.open(writer, occurrence.number), on: other)
        let claim = try await scene.claim([1], for: &worker, on: other)[0]
        let change = claim.change(mark: 4, [.accepted(0)])
        _ = try await scene.answer(
            .commit(worker.fence, [change], returnedPermits: 0),
            on: other
        )
        #expect(try scene.number("SELECT count(*) FROM attempt_log") == 1)
    }

    @Test func `a long reader stops neither the creation of a partition nor a commit`() async throws
    {
        try await scene.open(count: 2, unitSize: 2)
        var worker = try await scene.worker(1)
        let claim = try await scene.claim([1], for: &worker)[0]
        try scene.execute("BEGIN")
        try scene.execute("SELECT count(*) FROM attempt_log")
        let other = scene.scene
        try other.execute("SELECT fleet_create_partition(1000)")
        let partitions = """
            SELECT count(*) FROM pg_inherits WHERE inhparent = 'attempt_log'::regclass
            """
        try other.execute("SELECT fleet_drop_partitions(2000)")
        #expect(try scene.number(partitions) == 2)
        _ = try await scene.commit([claim.change(mark: 2)], for: &worker)
        try scene.execute("ROLLBACK")
    }
}
