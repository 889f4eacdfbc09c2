import CampaignModel
import Foundation
import JSON
import State
import StoreConformance
import Testing

@testable import PostgresStore
@testable import SQLiteStore
@testable import StoreTables

// Message IDs are in a file next to a state, and in a table on the server.
extension StateMoveTests {
    private func openedUnit(_ store: any StateStore, count: Int) async throws -> UnitID {
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: [:],
            target: .topic(try #require(Topic("news"))),
            count: count,
            keepsIDs: true
        )
        let run = try await store.beginRun(StoreFixtures.worker)
        return try await store.open(opened, in: run).id
    }

    /// Three records of one ID each.
    private func unitWithIDs(_ store: any StateStore) async throws -> UnitID {
        let unit = try await openedUnit(store, count: 3)
        for number in 0..<3 {
            let outcome = RequestOutcome(
                index: number,
                outcome: .accepted,
                messageID: "m/\(number)"
            )
            try await store.record([outcome], released: number + 1, of: unit)
        }
        return unit
    }

    @Test func `message IDs are moved in parts`() async throws {
        let store = try folder.open()
        let unit = try await openedUnit(store, count: 50_000)
        // The first ID of the last record replaces an earlier one.
        for range in [0..<100, 100..<20_000, 20_000..<40_000, 39_999..<40_100] {
            let outcomes = range.map { number in
                RequestOutcome(
                    index: number,
                    outcome: .accepted,
                    messageID: "m/\(range.lowerBound)/\(number)"
                )
            }
            try await store.record(outcomes, released: range.upperBound, of: unit)
        }
        let before = try await store.messageIDs(of: unit, from: 0, count: .max).map(\.id)
        #expect(before.count == 40_100)
        #expect(before[39_999] == "m/39999/39999")
        try await moveToServer()
        #expect(try scene.number("SELECT count(*) FROM message_ids") == 3)
        let moved = try await scene.open().messageIDs(of: unit, from: 0, count: .max)
        #expect(moved.map(\.id) == before)
        try await moveToCopy()
        let copied = try await SQLiteStore.open(path: copy)
            .messageIDs(of: unit, from: 0, count: .max)
        #expect(copied.map(\.id) == before)
    }

    @Test func `IDs before a damaged record are moved`() async throws {
        let store = try await scene.open()
        let unit = try await unitWithIDs(store)
        try scene.execute(
            "UPDATE message_ids SET entries = substring(entries FROM 2) WHERE number = 2"
        )
        try await moveToCopy()
        let copied = try await SQLiteStore.open(path: copy)
            .messageIDs(of: unit, from: 0, count: .max)
        #expect(copied.map(\.id) == ["m/0"])
    }

    @Test func `a failed move into a file leaves no message IDs`() async throws {
        let store = try await scene.open()
        let list = ListID(text: String(repeating: "0f", count: 32))
        try await store.store(StoreFixtures.registrations(0..<3), as: list)
        _ = try await unitWithIDs(store)
        try scene.execute("UPDATE list_chunks SET checksum = checksum + 1")
        await #expect(throws: StateStoreError.self) { try await moveToCopy() }
        #expect(try idFiles() == [])
        try scene.execute("UPDATE list_chunks SET checksum = checksum - 1")
        try await moveToCopy()
        #expect(try idFiles() == ["1"])
    }

    @Test func `a copy that is not put in its place leaves no message IDs`() async throws {
        let store = try folder.open()
        _ = try await unitWithIDs(store)
        let (draft, home) = (copy + ".new-1", copy)
        try store.readForMove { from in
            try SQLiteStore.fillDraft(draft, home: home, moved: "the server") { to in
                try StateMove(from: from, to: to).perform()
            }
        }
        #expect(try idFiles() == ["1"])
        SQLiteStore.discardDraft(draft, home: home)
        #expect(try idFiles() == [])
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    /// The names of the files with the message IDs of the copy.
    private func idFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: copy.dropLast(7) + ".ids")
    }
}
