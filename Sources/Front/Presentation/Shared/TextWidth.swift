/// The width of an output stream.
package struct TextWidth: Hashable, Sendable {
    /// The columns of the terminal; nil for a file or a pipe of unknown width.
    package let columns: Int?

    /// The width of a file or a pipe.
    package static let unknown = TextWidth(columns: nil)

    package init(columns: Int?) {
        self.columns = columns
    }

    /// Uses the columns of the terminal, otherwise those of the variable `COLUMNS`.
    ///
    /// `terminal`: the columns of the stream's terminal; nil or 0 if it has none.
    package init(terminal: Int?, variable: String?) {
        let stated = [terminal, variable.flatMap { Int($0) }].compactMap(\.self).first { $0 > 0 }
        self.init(columns: stated)
    }

    private static let usual = 80
    /// Longer lines are hard to read, and shorter ones have too little space next to labels.
    private static let readable = 40...120

    /// The columns of paragraphs: 40 to 120; 80 if the width is unknown.
    package var prose: Int { Self.clamped(columns ?? Self.usual) }

    /// The columns of records, such as one line per campaign; nil if the width is unknown.
    ///
    /// In a file or a pipe, a record stays on one line, so that other programs can find it.
    package var records: Int? { columns.map { max($0, Self.readable.lowerBound) } }

    /// The columns of tables whose cells are cut: all; 80 if the width is unknown.
    package var table: Int { columns ?? Self.usual }

    /// The columns of errors and findings: as for paragraphs; nil if the width is unknown.
    package var messages: Int? { columns.map(Self.clamped) }

    private static func clamped(_ columns: Int) -> Int {
        min(max(columns, readable.lowerBound), readable.upperBound)
    }
}
