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
        all = try StoreFixtures.registrations(0..<24_000)
        try await store.store(all, as: list)
    }

    @Test(arguments: [nil, 10_000, 24_000])
    func `returns each row in any order`(end: Int?) async throws {
        var window = self.window(to: end)
        for number in Array(0..<24_000) + [999, 1_000, 23_999, 0, 9_999, 10_000] {
            let found = try await window.registration(number)
            #expect(found == all[number])
        }
        await #expect(throws: StateStoreError.self) { try await window.row(24_000) }
    }

    @Test func `reads no page early that begins at the end or later`() async throws {
        var (whole, part) = (window(to: 10_001), window(to: 10_000))
        _ = try await (whole.row(0), part.row(0))
        #expect(whole.ahead != nil && part.ahead == nil)
    }

    private func window(to end: Int?) -> ListWindow {
        guard let end else { return ListWindow(reader: store, list: list) }
        return ListWindow(reader: store, list: list, inOrderTo: end)
    }

    @Test func `reads the next page while the present one is used`() async throws {
        var window = self.window(to: 24_000)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        #expect(ahead.first == 10_000)
        _ = try await ahead.reading.value
        // Another list takes its place.
        try await store.store(Array(all[..<5]), as: list)
        let found = try await window.registration(19_999)
        #expect(found == all[19_999])
        await #expect(throws: StateStoreError.self) { try await window.row(20_000) }
    }

    @Test func `reads a page again that could not be read early`() async throws {
        try await shiftChecksums(by: 1)
        var window = self.window(to: 24_000)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        await #expect(throws: StateStoreError.self) { try await ahead.reading.value }
        try await shiftChecksums(by: -1)
        let found = try await window.registration(10_000)
        #expect(found == all[10_000])
    }

    /// Damages the parts of lists after the first page, or repairs them.
    private func shiftChecksums(by number: Int) async throws {
        try await store.write { db in
            try db.run(
                "UPDATE list_chunks SET checksum = checksum + ? WHERE first >= 10000",
                arguments: [number]
            )
        }
    }
}
