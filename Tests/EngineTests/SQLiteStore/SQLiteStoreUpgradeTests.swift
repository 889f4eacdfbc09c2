import CampaignModel
import FCMWire
import Foundation
import GRDB
import JSON
import State
import Testing
import Time

@testable import SQLiteStore

/// Tests that a state of format 1 is upgraded to the newest format when it is opened.
struct SQLiteStoreUpgradeTests {
    private let folder: StateFolder

    init() throws {
        folder = try StateFolder()
        try FormerState.make(at: folder.state)
    }

    @Test func `keeps its whole content`() throws {
        let store = try folder.open()
        let applied = try store.appliedState()
        #expect(applied.identity.lineage.text == "00112233445566778899aabbccddeeff")
        #expect(applied.identity.serial == StateSerial(number: 7))
        let sale = try StoreFixtures.occurrence("sale")
        let definition = CampaignDefinition(campaign: sale.campaign, content: ["title": "Now"])
        #expect(applied.definitions == [sale.campaign: definition])
        let unit = WorkUnitRecord(
            id: UnitID(number: 2),
            target: .topic(try #require(Topic("news"))),
            count: 5_000,
            released: 4_097,
            tally: StoreFixtures.tally([.intended: 4_998, .rejected: 1, .unknown: 1])
        )
        let record = OccurrenceRecord(
            id: sale,
            status: .dispatching,
            due: StoreFixtures.due,
            message: ["a": "b"],
            unit: unit
        )
        #expect(applied.occurrences == [sale: record])
        #expect(applied.memberships.map(\.count) == [1])
        let run = try #require(try store.runs(limit: 9).first)
        #expect(run.id == RunID(number: 3) && run.worker == StoreFixtures.worker)
        #expect(run.tally == StoreFixtures.tally([.accepted: 2]) && run.cause == nil)
    }

    @Test func `has a chain from its next run on, and ignores earlier runs`() throws {
        let store = try folder.open()
        #expect(try store.verifyHistory().runsBefore == 3)
        #expect(try store.verifyHistory().isIntact)
        #expect(try store.chainHead().count == 0)
        #expect(try store.beginRun(StoreFixtures.worker) == RunID(number: 4))
        let verdict = try folder.open().verifyHistory()
        #expect(verdict.runsBefore == 3 && verdict.head.count == 2)
        #expect(verdict.differences == [])
    }

    @Test func `resumes its occurrence in progress`() throws {
        let store = try folder.open()
        let unit = UnitID(number: 2)
        try store.record(
            [4_095, 4_096, 4_999].map { RequestOutcome(index: $0, outcome: .accepted) },
            released: 5_000,
            of: unit
        )
        let outcomes = try folder.open().outcomes(of: unit, in: 0..<5_000)
        let expected = (0..<5_000).map { number -> Outcome in
            switch number {
            case 1: .rejected
            case 4_095, 4_096, 4_999: .accepted
            default: .intended
            }
        }
        #expect(outcomes == expected)
        #expect(
            try store.requests(of: unit, with: .rejected, limit: 9)
                == [RequestOutcome(index: 1, outcome: .rejected, detail: "UNREGISTERED")]
        )
    }

    @Test func `accepts new kinds of records`() throws {
        let store = try folder.open()
        let unit = try StoreFixtures.openedUnit(store, campaign: "new", count: 9_000).id
        let outcomes = (0..<9_000).map { RequestOutcome(index: $0, outcome: .accepted) }
        try store.record(outcomes, released: 9_000, of: unit)
        #expect(try store.outcomes(of: unit, in: 0..<9_000).allSatisfy { $0 == .accepted })
        try store.hold(StoreFixtures.occurrence("sale"), .mostlyDead)
        #expect(try folder.open().appliedState().occurrences.values.contains { $0.hold != nil })
    }

    @Test func `has the format of a new state`() throws {
        _ = try folder.open()
        let other = try StateFolder()
        _ = try other.open()
        #expect(try tables(of: folder.state) == tables(of: other.state))
    }

    @Test func `is upgraded once, even if many processes open it at the same time`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { [folder] in _ = try folder.open() } }
            try await group.waitForAll()
        }
        #expect(try folder.open().runs(limit: 9).count == 1)
    }

    private func tables(of path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name"
            )
        }
    }
}
