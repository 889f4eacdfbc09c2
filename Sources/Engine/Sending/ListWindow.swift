package import CampaignModel
package import State

/// Looks up rows of a stored list by number in pages; ascending numbers cost one read of the store per
/// page.
package struct ListWindow {
    private let reader: any StateReader
    let list: ListID
    /// What the list contains; nil before the first row was read.
    private(set) var shape: ListShape?
    private var first = 0
    private var rows: [RegistrationRow] = []
    /// The number of rows in a page.
    private let size: Int
    /// Pages that begin before this row are read early; nil if none is.
    private let end: Int?
    /// The read of the page after the present one; nil if there is none.
    private(set) var ahead: PageAhead?

    /// A page that is read before it is needed.
    struct PageAhead {
        /// The number of its first row.
        let first: Int
        let reading: Task<ListPage, any Error>
    }

    private static let size = 1_000
    /// As many as a work unit has, which then costs one page: a page costs a server of PostgreSQL as much as
    /// thousands of rows.
    private static let sizeInOrder = 10_000

    /// For callers that need few rows.
    package init(reader: any StateReader, list: ListID) {
        self.reader = reader
        self.list = list
        size = Self.size
        end = nil
    }

    /// For callers that need all rows before `end` in order: each page is read while the rows of the page before
    /// it are used.
    init(reader: any StateReader, list: ListID, inOrderTo end: Int) {
        self.reader = reader
        self.list = list
        size = Self.sizeInOrder
        self.end = end
    }

    package mutating func registration(_ number: Int) async throws(StateStoreError) -> Registration
    {
        try await row(number).registration
    }

    mutating func row(_ number: Int) async throws(StateStoreError) -> RegistrationRow {
        if !rows.indices.contains(number - first) {
            first = number - number % size
            let page = try await page()
            shape = page.shape
            rows = page.rows
            // A shorter page is the last one.
            if let end, first + size < end, rows.count == size { readAhead(from: first + size) }
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
        return try await reader.page(of: list, from: first, count: size)
    }

    private mutating func readAhead(from first: Int) {
        let (reader, list, size) = (reader, list, size)
        ahead = PageAhead(
            first: first,
            reading: Task { try await reader.page(of: list, from: first, count: size) }
        )
    }
}
