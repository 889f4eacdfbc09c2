package import CampaignModel
package import State

/// Looks up rows of a stored list by number in pages of a thousand; ascending numbers cost one read of
/// the store per page.
package struct ListWindow {
    private let reader: any StateReader
    let list: ListID
    /// What the list contains; nil before the first row was read.
    private(set) var shape: ListShape?
    private var first = 0
    private var rows: [RegistrationRow] = []
    private let readsAhead: Bool
    /// The read of the page after the present one; nil if there is none.
    private(set) var ahead: PageAhead?

    /// A page that is read before it is needed.
    struct PageAhead {
        /// The number of its first row.
        let first: Int
        let reading: Task<ListPage, any Error>
    }

    static let size = 1_000

    /// `readsAhead`: whether each page is read while the rows of the page before it are used, for
    /// callers that need all rows in order.
    package init(reader: any StateReader, list: ListID, readsAhead: Bool = false) {
        self.reader = reader
        self.list = list
        self.readsAhead = readsAhead
    }

    package mutating func registration(_ number: Int) async throws(StateStoreError) -> Registration
    {
        try await row(number).registration
    }

    mutating func row(_ number: Int) async throws(StateStoreError) -> RegistrationRow {
        if !rows.indices.contains(number - first) {
            first = number - number % Self.size
            let page = try await page()
            shape = page.shape
            rows = page.rows
            // A shorter page is the last one.
            if readsAhead, rows.count == Self.size { readAhead(from: first + Self.size) }
        }
        guard rows.indices.contains(number - first) else {
            throw .damaged(path: "", reason: "the stored list \(list.text) is too short")
        }
        return rows[number - first]
    }

    private func page() async throws(StateStoreError) -> ListPage {
        // If the early read failed, the state may be readable by now.
        if let ahead, ahead.first == first, let page = try? await ahead.reading.value {
            return page
        }
        return try await reader.page(of: list, from: first, count: Self.size)
    }

    private mutating func readAhead(from first: Int) {
        let (reader, list) = (reader, list)
        ahead = PageAhead(
            first: first,
            reading: Task { try await reader.page(of: list, from: first, count: Self.size) }
        )
    }
}
