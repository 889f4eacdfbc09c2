import CampaignModel

/// Packs rows one after the other for a keeper.
struct RowPacker {
    private let keeper: any RowKeeper
    private let columns: Int
    private var rows: [RegistrationRow] = []

    /// `columns`: the number of values of each row.
    init(for keeper: any RowKeeper, columns: Int) {
        self.keeper = keeper
        self.columns = columns
    }

    mutating func add(_ row: RegistrationRow) {
        rows.append(row)
        if rows.count == PackedRows.maximumCount { flush() }
    }

    /// Passes the last rows on.
    mutating func finish() {
        if !rows.isEmpty { flush() }
    }

    private mutating func flush() {
        keeper.append([PackedRows(rows, columns: columns)])
        rows.removeAll(keepingCapacity: true)
    }
}
