import CampaignModel
import JSON
import State
import StoreConformance
import Testing

@testable import PostgresStore
@testable import SQLiteStore

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
        let unit = try await openedUnit(store, count: 3)
        for number in 0..<3 {
            let outcome = RequestOutcome(
                index: number,
                outcome: .accepted,
                messageID: "m/\(number)"
            )
            try await store.record([outcome], released: number + 1, of: unit)
        }
        try scene.execute(
            "UPDATE message_ids SET entries = substring(entries FROM 2) WHERE number = 2"
        )
        try await moveToCopy()
        let copied = try await SQLiteStore.open(path: copy)
            .messageIDs(of: unit, from: 0, count: .max)
        #expect(copied.map(\.id) == ["m/0"])
    }
}
