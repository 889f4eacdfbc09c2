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
        all = try StoreFixtures.registrations(0..<12_500)
        try await store.store(all, as: list)
    }

    @Test(arguments: [nil, 5_000, 12_500])
    func `returns each row in any order`(end: Int?) async throws {
        var window = self.window(to: end)
        for number in Array(0..<12_500) + [999, 1_000, 12_499, 0, 4_999, 5_000] {
            let found = try await window.registration(number)
            #expect(found == all[number])
        }
        await #expect(throws: StateStoreError.self) { try await window.row(12_500) }
    }

    @Test func `reads no page early that begins at the end or later`() async throws {
        var (whole, part) = (window(to: 5_001), window(to: 5_000))
        _ = try await (whole.row(0), part.row(0))
        #expect(whole.ahead != nil && part.ahead == nil)
    }

    private func window(to end: Int?) -> ListWindow {
        guard let end else { return ListWindow(reader: store, list: list) }
        return ListWindow(reader: store, list: list, inOrderTo: end)
    }

    @Test func `reads the next page while the present one is used`() async throws {
        var window = self.window(to: 12_500)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        #expect(ahead.first == 5_000)
        _ = try await ahead.reading.value
        // Another list takes its place.
        try await store.store(Array(all[..<5]), as: list)
        let found = try await window.registration(9_999)
        #expect(found == all[9_999])
        await #expect(throws: StateStoreError.self) { try await window.row(10_000) }
    }

    @Test func `reads a page again that could not be read early`() async throws {
        try await shiftChecksums(by: 1)
        var window = self.window(to: 12_500)
        _ = try await window.row(0)
        let ahead = try #require(window.ahead)
        await #expect(throws: StateStoreError.self) { try await ahead.reading.value }
        try await shiftChecksums(by: -1)
        let found = try await window.registration(5_000)
        #expect(found == all[5_000])
    }

    /// Damages the parts of lists after the first page, or repairs them.
    private func shiftChecksums(by number: Int) async throws {
        try await store.write { db in
            try db.run(
                "UPDATE list_chunks SET checksum = checksum + ? WHERE first >= 5000",
                arguments: [number]
            )
        }
    }
}
