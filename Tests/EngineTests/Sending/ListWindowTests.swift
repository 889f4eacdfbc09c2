import CampaignModel
import State
import StoreConformance
import StoreTables
import Testing

@testable import SQLiteStore
@testable import Sending

struct ListWindowTests {
    private let list = ListID(text: String(repeating: "5a", count: 32))
    private let all: [Registration]
    private let folder: StateFolder
    private let store: SQLiteStore

    init() async throws {
        folder = try StateFolder()
        store = try folder.open()
        all = try StoreFixtures.registrations(0..<2_500)
        try await store.store(all, as: list)
    }

    @Test(arguments: [true, false])
    func `returns each row in any order`(readsAhead: Bool) async throws {
        var window = ListWindow(reader: store, list: list, readsAhead: readsAhead)
        for number in Array(0..<2_500) + [999, 1_000, 2_499, 0, 1_500, 2_000] {
            let found = try await window.registration(number)
            #expect(found == all[number])
        }
        await #expect(throws: StateStoreError.self) { try await window.row(2_500) }
    }

    @Test func `reads the next page while the present one is used`() async throws {
        var window = ListWindow(reader: store, list: list, readsAhead: true)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        #expect(ahead.first == 1_000)
        _ = try await ahead.reading.value
        // Another list takes its place.
        try await store.store(Array(all[..<5]), as: list)
        let found = try await window.registration(1_999)
        #expect(found == all[1_999])
        await #expect(throws: StateStoreError.self) { try await window.row(2_000) }
    }

    @Test func `reads a page again that could not be read early`() async throws {
        try await shiftChecksums(by: 1)
        var window = ListWindow(reader: store, list: list, readsAhead: true)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        await #expect(throws: StateStoreError.self) { try await ahead.reading.value }
        try await shiftChecksums(by: -1)
        let found = try await window.registration(1_000)
        #expect(found == all[1_000])
    }

    /// Damages all parts of lists except for the first, or repairs them.
    private func shiftChecksums(by number: Int) async throws {
        try await store.write { db in
            try db.run(
                "UPDATE list_chunks SET checksum = checksum + ? WHERE first > 0",
                arguments: [number]
            )
        }
    }
}
