package import CampaignModel
package import State

/// Looks up rows of a stored list by number in chunks; ascending numbers cost one read of
/// the store per thousand.
package struct ListWindow {
    private let reader: any StateReader
    let list: ListID
    /// What the list contains; nil before the first row was read.
    private(set) var shape: ListShape?
    private var first = 0
    private var rows: [RegistrationRow] = []

    private static let size = 1_000

    package init(reader: any StateReader, list: ListID) {
        self.reader = reader
        self.list = list
    }

    package mutating func registration(_ number: Int) async throws(StateStoreError) -> Registration
    {
        try await row(number).registration
    }

    mutating func row(_ number: Int) async throws(StateStoreError) -> RegistrationRow {
        if !rows.indices.contains(number - first) {
            first = number - number % Self.size
            let page = try await reader.page(of: list, from: first, count: Self.size)
            shape = page.shape
            rows = page.rows
        }
        guard rows.indices.contains(number - first) else {
            throw .damaged(path: "", reason: "the stored list \(list.text) is too short")
        }
        return rows[number - first]
    }
}
