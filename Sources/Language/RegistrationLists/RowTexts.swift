import CampaignModel

/// How the rows of a list are divided among the texts of a campaign, and who is held out.
package struct RowTexts: Sendable {
    /// Rows whose locale no text covers.
    package struct Uncovered: Hashable, Sendable {
        /// As in the first such row; nil for rows without a locale.
        package let locale: String?
        package let count: Int
        /// The first such row's first line, counted from 1.
        package let line: Int
        /// The row's file; nil unless the list is a set.
        package let path: String?
    }

    /// The number of the text of each row, in the order of the list; `Self.none` if no text covers
    /// it, and `Self.heldOut` if it gets nothing for comparison.
    package let numbers: [UInt16]
    /// The number of rows of each text.
    package let counts: [Int]
    /// The number of rows that are held out.
    package let heldOutCount: Int
    /// The first locales that no text covers, in the order of the list.
    package let uncovered: [Uncovered]
    /// The number of all rows that no text covers.
    package let uncoveredCount: Int

    package static let none = UInt16.max
    package static let heldOut = UInt16.max - 1
    static let maximumUncovered = 10
}

/// Counts the rows of each text, with 2 bytes per row.
struct RowTextCounter {
    private var numbers: [UInt16] = []
    private var counts: [Int]
    private var heldOutCount = 0
    private var uncovered: [(row: UncoveredRow, count: Int)] = []
    private var uncoveredCount = 0

    /// `texts`: the number of texts.
    init(texts: Int) {
        counts = Array(repeating: 0, count: texts)
    }

    mutating func add(_ text: Int) {
        numbers.append(UInt16(clamping: text))
        counts[text] += 1
    }

    mutating func addHeldOut() {
        numbers.append(RowTexts.heldOut)
        heldOutCount += 1
    }

    /// `locale`: well-formed, or empty if the row has none.
    mutating func addUncovered(_ locale: String, in row: ListRow) {
        numbers.append(RowTexts.none)
        uncoveredCount += 1
        let folded = locale.lowercased()
        if let place = uncovered.firstIndex(where: { $0.row.folded == folded }) {
            uncovered[place].count += 1
        } else if uncovered.count < RowTexts.maximumUncovered {
            let first = UncoveredRow(
                locale: locale,
                folded: folded,
                line: row.line,
                path: row.path
            )
            uncovered.append((first, 1))
        }
    }

    func finish() -> RowTexts {
        RowTexts(
            numbers: numbers,
            counts: counts,
            heldOutCount: heldOutCount,
            uncovered: uncovered.map { row, count in
                RowTexts.Uncovered(
                    locale: row.locale.isEmpty ? nil : row.locale,
                    count: count,
                    line: row.line,
                    path: row.path
                )
            },
            uncoveredCount: uncoveredCount
        )
    }
}

/// The first row with a locale that no text covers.
private struct UncoveredRow {
    /// Empty if the row has none.
    let locale: String
    /// In lower case, because tags that differ only in case are the same locale.
    let folded: String
    let line: Int
    let path: String?
}
