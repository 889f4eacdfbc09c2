import CampaignModel
import Fleet
import JSON
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// The machines of several processes send an occurrence over a server.
@Suite(.serialized)
struct FleetPlayTests {
    private let scene: FleetScene
    private let unit: UnitID
    /// The number of the first work unit, which is drawn at random.
    private let firstUnit: Int

    private static let count = 620

    init() async throws {
        scene = try await FleetScene()
        unit = try await StoreFixtures.openedUnit(scene.state, count: Self.count).id
        try await scene.state.entrust(
            EntrustedRequests(
                [0..<3, 4..<50, 51..<619],
                of: unit,
                turn: FleetTurn(due: 1),
                terms: .object([:])
            )
        )
        firstUnit = try scene.number("SELECT first_unit FROM fleet_occurrences")
        try scene.execute("UPDATE units SET ids = 0")
        // A standby has everything until the test sets a position.
        try scene.execute("ALTER TABLE test_server ADD safe bigint DEFAULT \(Int64.max)")
        try scene.execute(
            """
            CREATE OR REPLACE FUNCTION fleet_server(
                OUT timeline bigint, OUT place bigint, OUT safe bigint, OUT standbys bigint
            ) LANGUAGE sql SET search_path FROM CURRENT AS $$
                SELECT timeline, last, least(last, safe), 1::bigint
                FROM test_server, CAST(pg_current_wal_insert_lsn() - '0/0' AS bigint) last $$
            """
        )
    }

    private func merge() async throws -> OutcomeTally {
        for _ in 0..<10 where try await scene.state.collect(from: unit).isWhole { break }
        #expect(try scene.number("SELECT count(*) FROM fleet_occurrences") == 0)
        let record = try await scene.state.unit(unit)
        #expect(record.released == Self.count - 1)
        return record.tally
    }

    /// Requires the ID of each accepted request.
    private func checkNames() async throws {
        let outcomes = try await scene.state.outcomes(of: unit, in: 0..<Self.count)
        let stored = try await scene.state.messageIDs(of: unit, from: 0, count: Self.count)
        let accepted = outcomes.indices.filter { outcomes[$0] == .accepted }
        #expect(stored.map(\.request) == accepted)
        let first = firstUnit
        let expected = accepted.map {
            FleetPlay.name(of: $0 % 50, in: WorkUnitID(first + $0 / 50))
        }
        #expect(stored.map(\.id) == expected)
    }

    private func sent(_ play: FleetPlay) -> [Int] { play.sends.values.flatMap(\.values) }

    @Test func `every request is sent once and recorded`() async throws {
        var play = FleetPlay(3, on: scene)
        try await play.play(until: .seconds(120))
        #expect(try scene.number("SELECT count(*) FROM work_units WHERE finished = 0") == 0)
        play.drain()
        try await play.play(until: .seconds(140))
        #expect(play.processes.allSatisfy { $0.hasEnded })
        #expect(try scene.number("SELECT count(*) FROM fleet_workers") == 0)
        #expect(play.processes.allSatisfy { $0.names.isEmpty })
        #expect(try scene.number("SELECT count(*) FROM fleet_writer WHERE lease < 'epoch'") == 1)
        #expect(sent(play) == Array(repeating: 1, count: Self.count - 3))
        let tally = try await merge()
        try await checkNames()
        #expect(tally[.accepted] == Self.count - 3)
        #expect(tally[.intended] == 3)
    }

    @Test func `a killed worker leaves at most its permits unknown`() async throws {
        var play = FleetPlay(3, on: scene)
        try await play.play(until: .milliseconds(104_000))
        let before = sent(play).count
        #expect(before > 0 && before < Self.count - 3)
        let id = play.processes[0].worker.id
        play.kill(0)
        try await play.play(until: .seconds(160))
        #expect(play.processes[1].worker.id != id)
        #expect(sent(play).allSatisfy { $0 == 1 })
        let tally = try await merge()
        try await checkNames()
        #expect(tally[.unknown] > 0 && tally[.unknown] <= FleetPlay.permits)
        #expect(tally[.accepted] + tally[.unknown] == Self.count - 3)
    }

    @Test func `a failover that loses commits doubles nothing while every worker lives`()
        async throws
    {
        var play = FleetPlay(3, on: scene)
        try await play.play(until: .milliseconds(103_500))
        try scene.save()
        try scene.execute(
            "UPDATE test_server SET safe = (pg_current_wal_insert_lsn() - '0/0')::bigint"
        )
        let before = sent(play).count
        try await play.play(until: .milliseconds(104_500))
        #expect(sent(play).count > before)
        try scene.lose()
        try scene.set(timeline: 2)
        try scene.execute("UPDATE test_server SET safe = \(Int64.max)")
        try await play.play(until: .seconds(160))
        #expect(play.notices.contains(.failover(Timeline(2))))
        #expect(try scene.number("SELECT count(*) FROM fleet_doubled") == 0)
        #expect(sent(play) == Array(repeating: 1, count: Self.count - 3))
        let tally = try await merge()
        try await checkNames()
        #expect(tally[.accepted] == Self.count - 3)
    }
}
