import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SalvageTests {
    private let folder: StateFolder

    init() async throws {
        folder = try StateFolder()
        try await folder.fill()
    }

    /// Changes the state without Herald.
    private func damage(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.state)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
        }
        try queue.close()
    }

    private func salvage(lineage: StateLineage? = nil) throws -> (Salvage, SQLiteStore) {
        let copy = try TemporaryStateFile.make(of: folder.state, beside: folder.state)
        let draft = folder.path + "/draft.sqlite"
        let salvage = try Salvage(
            of: copy,
            to: draft,
            home: folder.state,
            lineage: lineage,
            key: nil
        )
        return (salvage, try SQLiteStore.openDraft(path: draft, home: folder.state))
    }

    @Test func `loses no part of a sound state`() async throws {
        let before = try folder.open()
        let (salvage, after) = try salvage()
        #expect(salvage.hasIdentity)
        #expect(salvage.tables.allSatisfy { !$0.hasGap })
        #expect(salvage.repairs == SalvageRepairs())
        #expect(try await after.identity() == before.identity())
        #expect(try await after.appliedState().occurrences == before.appliedState().occurrences)
        #expect(try await after.appliedState().memberships == before.appliedState().memberships)
        let scope = try StoreFixtures.scope("all", "news")
        #expect(try await after.memberships(in: scope) == before.memberships(in: scope))
        try await after.verify()
    }

    @Test func `a lost range of outcomes is unknown`() async throws {
        try damage("DELETE FROM outcome_chunks")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostOutcomes == 500)
        let unit = try #require(try await store.appliedState().occurrences.values.first?.unit)
        #expect(unit.tally[.unknown] == 500)
        #expect(
            try await store.outcomes(of: unit.id, in: 0..<500)
                == Array(repeating: .unknown, count: 500)
        )
        try await store.verify()
    }

    @Test func `outcomes that differ from the stored ones are unknown`() async throws {
        try damage("UPDATE outcome_chunks SET outcomes = zeroblob(500)")
        await #expect(throws: StateStoreError.self) { try await folder.open().verify() }
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostOutcomes == 500)
        try await store.verify()
    }

    @Test func `an occurrence without its unit counts as started`() async throws {
        try damage("DELETE FROM units; DELETE FROM runs")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostUnits == 1)
        #expect(salvage.repairs.lostRuns == 1)
        let record = try #require(try await store.appliedState().occurrences.values.first)
        #expect(record.status == .finished)
        #expect(record.unit == nil)
        #expect(try await store.runs(limit: 10).map(\.status) == [.abandoned])
    }

    @Test func `drops a list with a gap`() async throws {
        try damage("UPDATE list_chunks SET registrations = zeroblob(length(registrations))")
        let (salvage, store) = try salvage()
        #expect(salvage.repairs.lostLists == 1)
        #expect(try await !store.hasList(ListID(text: String(repeating: "0f", count: 32))))
    }

    @Test func `drops memberships without their keys`() async throws {
        let lineage = StateLineage(text: String(repeating: "ab", count: 16))
        try damage("DELETE FROM meta")
        let (salvage, store) = try salvage(lineage: lineage)
        #expect(!salvage.hasIdentity)
        #expect(try await store.identity().lineage == lineage)
        #expect(try await store.appliedState().memberships.isEmpty)
        #expect(try await store.appliedState().occurrences.count == 1)
    }

    @Test func `drops impossible rows`() async throws {
        try damage(
            """
            UPDATE definitions SET content = '{';
            UPDATE occurrences SET status = 77;
            UPDATE membership_segments SET level = 9
            """
        )
        let (salvage, store) = try salvage()
        let gaps = Set(salvage.tables.filter(\.hasGap).map(\.name))
        #expect(gaps == ["definitions", "occurrences", "membership_segments"])
        #expect(salvage.repairs.lostMembers == 500)
        let applied = try await store.appliedState()
        #expect(applied.definitions.isEmpty && applied.occurrences.isEmpty)
        #expect(applied.memberships.isEmpty)
    }

    @Test func `members whose newest records may be lost are requested again`() async throws {
        let scope = try StoreFixtures.scope("all", "news")
        let members = try StoreFixtures.members(0..<500)
        do {
            let store = try folder.open()
            try await store.finishJoin(StoreFixtures.results(members), in: scope)
            try await store.record(Array(members[..<5]), as: .external, in: scope)
            try await store.finishLeave(StoreFixtures.results(members[5..<9]), in: scope)
        }
        try damage(
            """
            UPDATE membership_chunks SET records = zeroblob(length(records))
            WHERE segment = (SELECT max(id) FROM membership_segments)
            """
        )
        await #expect(throws: StateStoreError.self) { try await folder.open().verify() }
        let (_, store) = try salvage()
        let left = try await store.memberships(in: scope)
        #expect(left.count == 500)
        #expect(left.count { $0.status == .joining } == 495)
        #expect(left.count { $0.status == .external } == 5)
        try await store.verify()
    }

    @Test func `reads nothing from a file that is not a database`() async throws {
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.state))
        let (salvage, store) = try salvage()
        #expect(salvage.isEmpty)
        #expect(try await store.appliedState().occurrences.isEmpty)
    }
}

// MARK: - Encrypted states

extension SalvageTests {
    private static let key = StateKey(bytes: [UInt8](1...32))
    private static let other = StateKey(bytes: [UInt8](2...33))

    /// Salvages a separate encrypted state that was changed without Herald.
    private func salvageSealed(
        _ change: String,
        lineage: StateLineage? = nil,
        key: StateKey? = key,
        _ look: (Salvage, SQLiteStore, StateIdentity) async throws -> Void
    ) async throws {
        let folder = try StateFolder()
        try await folder.fill(key: Self.key)
        let before = try await folder.open(key: Self.key).identity()
        try folder.change(change)
        let copy = try TemporaryStateFile.make(of: folder.state, beside: folder.state)
        let draft = folder.path + "/draft.sqlite"
        let salvage = try Salvage(
            of: copy,
            to: draft,
            home: folder.state,
            lineage: lineage ?? before.lineage,
            key: key
        )
        let store = try SQLiteStore.open(
            path: draft,
            keys: StateKeys(key: Self.key),
            ifMissing: .refused
        )
        try await store.verify()
        try await look(salvage, store, before)
    }

    /// The first of two pages has 255 registrations.
    @Test(arguments: [
        "CAST(substr(registrations, 1, 20) || x'0001' || substr(registrations, 23) AS BLOB)",
        "substr(registrations, 1, 28)", "x''",
    ])
    func `finds and drops members that cannot be decrypted`(page: String) async throws {
        let change = "UPDATE registration_pages SET registrations = \(page) WHERE id = 1"
        let folder = try StateFolder()
        try await folder.fill(key: Self.key)
        try await folder.open(key: Self.key).verify()
        try folder.change(change)
        await #expect(throws: StateStoreError.self) {
            try await folder.open(key: Self.key).verify()
        }
        try await salvageSealed(change) { salvage, store, before in
            #expect(salvage.repairs.lostMembers == 255)
            #expect(salvage.repairs.lostLists == 0)
            #expect(try await store.identity() == before)
            let scope = try StoreFixtures.scope("all", "news")
            let members = try await store.memberships(in: scope)
            #expect(members.count == 245)
            #expect(try await store.members(members.map(\.fingerprint), in: scope).count == 245)
        }
    }

    @Test func `finds and drops a list that cannot be decrypted`() async throws {
        let change = """
            UPDATE list_chunks SET registrations =
                CAST(substr(registrations, 1, 99) || x'0001' || substr(registrations, 102) AS BLOB)
            """
        let folder = try StateFolder()
        try await folder.fill(key: Self.key)
        try folder.change(change)
        await #expect(throws: StateStoreError.self) {
            try await folder.open(key: Self.key).verify()
        }
        try await salvageSealed(change) { salvage, _, _ in
            #expect(salvage.repairs.lostLists == 1)
            #expect(salvage.repairs.lostMembers == 0)
        }
    }

    @Test(arguments: [
        "UPDATE meta SET keys = substr(keys, 1, 60)",
        """
        UPDATE meta
        SET keys = CAST(substr(keys, 1, 60) || x'0001' || substr(keys, 63) AS BLOB)
        """,
    ])
    func `replaces damaged keys and counts the sealed content`(
        change: String
    ) async throws {
        try await salvageSealed(change) { salvage, store, before in
            #expect(!salvage.hasIdentity)
            #expect(salvage.repairs.lostMembers == 500)
            #expect(salvage.repairs.lostLists == 1)
            let identity = try await store.identity()
            #expect(identity.lineage == before.lineage)
            #expect(identity.fingerprintKey != before.fingerprintKey)
            #expect(try await store.appliedState().occurrences.count == 1)
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<3)
            try await store.beginJoin(members, in: scope)
            #expect(try await store.members(members.map(\.fingerprint), in: scope) == members)
        }
    }

    @Test(arguments: [
        "UPDATE meta SET lineage = '00112233445566778899aabbccddeeff'",
        "UPDATE meta SET keys = CAST(x'07' || substr(keys, 2) AS BLOB)",
        "UPDATE meta SET keys = CAST(substr(keys, 1, 3) || x'0001' || substr(keys, 6) AS BLOB)",
    ])
    func `intact keys can be used despite changes around them`(change: String) async throws {
        let folder = try StateFolder()
        try await folder.fill(key: Self.key)
        try folder.change(change)
        let damage = StateStoreError.damaged(
            path: folder.state,
            reason: "its keys cannot be decrypted"
        )
        #expect(throws: damage) { try folder.open(key: Self.key) }
        try await salvageSealed(change) { salvage, store, before in
            #expect(salvage.hasIdentity)
            #expect(salvage.repairs == SalvageRepairs())
            let identity = try await store.identity()
            #expect(identity == before)
        }
    }

    @Test func `a wrong or missing key replaces nothing`() async throws {
        for (key, word) in [(Self.other, "wrongKey"), (nil, "encrypted")] {
            let error = await #expect(throws: StateStoreError.self) {
                try await salvageSealed("DELETE FROM list_chunks", key: key) { _, _, _ in }
            }
            #expect(String(describing: error).contains(word))
        }
    }

    @Test func `removes drafts of a killed command with the next one`() throws {
        let stale = folder.state + ".new-17"
        for path in [stale, stale + "-wal"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        }
        let kept = folder.state + ".replaced-20370320T083000Z"
        try Data("x".utf8).write(to: URL(fileURLWithPath: kept))
        let draft = try TemporaryStateFile.make(of: folder.state, beside: folder.state)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/made/here")
        let drafts = names.filter { $0.contains(".new-") }
        #expect(drafts.count == 1 && drafts.allSatisfy { draft.hasSuffix("/" + $0) })
        #expect(FileManager.default.fileExists(atPath: kept))
    }
}
