/// Renders the table of changes, with which the comment begins.
struct PlanMarkdownTable {
    /// The maximum number of rows to show; the rest of the comment has the others.
    private static let maximumRows = 25

    private let table: PlanTable
    /// Whether the messages per device are known.
    private let hasLoad: Bool

    init(_ table: PlanTable, hasLoad: Bool) {
        self.table = table
        self.hasLoad = hasLoad
    }

    /// Writes as many rows as there is room for.
    func write(to text: inout MarkdownBudget, upTo end: Int) {
        guard !table.rows.isEmpty else { return }
        let columns = hasLoad ? PlanTable.columns : PlanTable.columns.dropLast()
        let head = [line(columns), line(columns.map { _ in "---" })]
        guard text.append(head, upTo: end) else { return }
        let shown = table.rows.prefix(Self.maximumRows)
            .prefix { text.append([line(cells(of: $0))], upTo: end) }.count
        let rest = table.rows.count - shown
        text.append(rest > 0 ? ["", "And \(rest.counting("more change")).", ""] : [""])
    }

    private func cells(of row: PlanTable.Row) -> [String] {
        let place = row.entry.place.map { "<br>" + MarkdownText.cellCode($0.text) } ?? ""
        let cells = [
            "`\(row.entry.symbol.rawValue)` \(MarkdownText.cellCode(row.entry.name))\(place)",
            MarkdownText.cell(row.change), MarkdownText.cell(row.when.wording),
            MarkdownText.cell(row.reach ?? "–"),
        ]
        return hasLoad ? cells + [MarkdownText.cell(row.load ?? "–")] : cells
    }

    private func line(_ cells: some Collection<String>) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
