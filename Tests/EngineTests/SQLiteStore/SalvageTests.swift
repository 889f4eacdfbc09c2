import CampaignModel
import CampaignState
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

struct SalvageTests {
    private let folder: StateFolder

    init() throws {
        folder = try StateFolder()
        try folder.fill()
    }

    /// Changes the state behind Herald's back.
    private func damage(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.state)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
        }
        try queue.close()
    }

    private func salvage(lineage: StateLineage? = nil) throws -> (Salvage, SQLiteStore) {
        let copy = try StateDraft.make(of: folder.state, beside: folder.state)
        let draft = folder.path + "/draft.sqlite"
        let salvage = try Salvage(of: copy, to: draft, lineage: lineage, key: nil)
        return (salvage, try SQLiteStore.open(path: draft, creating: false))
    }

    @Test func `of a sound state nothing is lost`() throws {
        let before = try folder.open()
        let (salvage, after) = try salvage()
        #expect(salvage.hasIdentity)
        #expect(salvage.tables.allSatisfy { !$0.hasGap })
        #expect(salvage.repairs == SalvageRepairs())
        #expect(try after.identity() == before.identity())
        #expect(try after.appliedState().occurrences == before.appliedState().occurrences)
        #expect(try after.appliedState().memberships == before.appliedState().memberships)
        let scope = try StoreFixtures.scope("all", "news")
        #expect(try after.memberships(in: scope) == before.memberships(in: scope))
        try after.verify()
    }

    @Test func `a lost stretch of outcomes is unknown`() throws {
        try damage("DELETE FROM outcome_chunks")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostOutcomes == 500)
        let unit = try #require(store.appliedState().occurrences.values.first?.unit)
        #expect(unit.tally[.unknown] == 500)
        #expect(
            try store.outcomes(of: unit.id, in: 0..<500) == Array(repeating: .unknown, count: 500)
        )
        try store.verify()
    }

    @Test func `outcomes that are not what was stored are unknown`() throws {
        try damage("UPDATE outcome_chunks SET outcomes = zeroblob(500)")
        #expect(throws: StateStoreError.self) { try folder.open().verify() }
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostOutcomes == 500)
        try store.verify()
    }

    @Test func `a sending whose unit is gone counts as begun`() throws {
        try damage("DELETE FROM units; DELETE FROM runs")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostUnits == 1)
        #expect(salvage.repairs.lostRuns == 1)
        let record = try #require(store.appliedState().occurrences.values.first)
        #expect(record.status == .finished)
        #expect(record.unit == nil)
        #expect(try store.runs(limit: 10).map(\.status) == [.abandoned])
    }

    @Test func `a list with a gap is dropped`() throws {
        try damage("UPDATE list_chunks SET registrations = zeroblob(length(registrations))")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostLists == 1)
        #expect(try !store.hasList(ListID(text: String(repeating: "0f", count: 32))))
    }

    @Test func `without its keys the memberships say nothing`() throws {
        let lineage = StateLineage(text: String(repeating: "ab", count: 16))
        try damage("DELETE FROM meta")
        let (salvage, store) = try salvage(lineage: lineage)
        #expect(!salvage.hasIdentity)
        #expect(try store.identity().lineage == lineage)
        #expect(try store.appliedState().memberships.isEmpty)
        #expect(try store.appliedState().occurrences.count == 1)
    }

    @Test func `rows that no state could have are left out`() throws {
        try damage(
            """
            UPDATE definitions SET content = '{';
            UPDATE occurrences SET status = 77;
            UPDATE memberships SET status = 9
            """
        )
        let (salvage, store) = try salvage()
        let gaps = Set(salvage.tables.filter(\.hasGap).map(\.name))
        #expect(gaps == ["definitions", "occurrences", "memberships"])
        let applied = try store.appliedState()
        #expect(applied.definitions.isEmpty && applied.occurrences.isEmpty)
        #expect(applied.memberships.isEmpty)
    }

    @Test func `of what is no database nothing is read`() throws {
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.state))
        let (salvage, store) = try salvage()
        #expect(salvage.isEmpty)
        #expect(try store.appliedState().occurrences.isEmpty)
    }
}
