import Text

/// One line of source as a terminal shows it, cut around a marked place.
struct DisplayLine {
    /// Safe to print; tabs are replaced by spaces.
    let text: String
    /// The number of columns before the mark.
    let markColumn: Int
    /// The number of columns of the mark, at least 1.
    let markColumns: Int

    /// - Parameters:
    ///   - bytes: the line without its terminator; invalid UTF-8 is shown as U+FFFD.
    ///   - mark: the place to point at, in the indices of `bytes`.
    ///   - columns: the maximum, at most 120.
    init(
        _ bytes: ArraySlice<UInt8>,
        marking mark: Range<Int>,
        columns: Int = Self.maximumColumns
    ) {
        let near = Self.neighbourhood(of: mark.lowerBound, in: bytes)
        let cells = Self.cells(of: bytes[near])
        let before = cells.prefix { $0.bytes.upperBound <= mark.lowerBound }
        let marked = cells.dropFirst(before.count).prefix {
            $0.bytes.lowerBound < mark.upperBound
        }
        let start = before.reduce(0) { $0 + $1.columns }
        let end = start + marked.reduce(0) { $0 + $1.columns }
        let excerpt = Excerpt(
            cells,
            mark: start..<end,
            columns: min(columns, Self.maximumColumns),
            startsLine: near.lowerBound == bytes.startIndex,
            endsLine: near.upperBound == bytes.endIndex
        )
        text = excerpt.text
        markColumn = start - excerpt.firstColumn + (excerpt.isCutBefore ? 1 : 0)
        markColumns = max(1, min(end, excerpt.limitColumn) - start)
    }

    static let maximumColumns = 120

    /// Limits the work for long lines: at most 120 columns are shown.
    private static func neighbourhood(of offset: Int, in bytes: ArraySlice<UInt8>) -> Range<Int> {
        let reach = 2048
        var lower = max(bytes.startIndex, min(offset, bytes.endIndex) - reach)
        var upper = min(bytes.endIndex, max(offset, bytes.startIndex) + reach)
        if lower > bytes.startIndex {
            while lower < upper, isContinuation(bytes[lower]) { lower += 1 }
        }
        if upper < bytes.endIndex {
            while upper > lower, isContinuation(bytes[upper]) { upper -= 1 }
        }
        return lower..<upper
    }

    private static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0b1100_0000 == 0b1000_0000
    }

    private static func cells(of bytes: ArraySlice<UInt8>) -> [Cell] {
        var cells: [Cell] = []
        var offset = bytes.startIndex
        var iterator = bytes.makeIterator()
        var parser = UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                cells.append(Cell(UTF8.decode(encoded), bytes: offset..<offset + encoded.count))
                offset += encoded.count
            case .error(let length):
                cells.append(Cell("\u{FFFD}", bytes: offset..<offset + length))
                offset += length
            case .emptyInput:
                return cells
            }
        }
    }
}

/// One character of a line, as it is printed.
private struct Cell {
    let text: String
    let columns: Int
    let bytes: Range<Int>

    init(_ scalar: Unicode.Scalar, bytes: Range<Int>) {
        if scalar == "\t" {
            text = "    "
            columns = 4
        } else if TerminalText.mustBeEscaped(scalar) {
            text = TerminalText.escaped(scalar)
            columns = text.utf8.count
        } else {
            text = String(Character(scalar))
            columns = TerminalText.columns(of: scalar)
        }
        self.bytes = bytes
    }
}

/// The part of a line that fits into the columns, with `…` at each cut.
private struct Excerpt {
    let text: String
    let isCutBefore: Bool
    /// The shown columns of the whole line.
    let firstColumn: Int
    let limitColumn: Int

    private static let columnsOfCuts = 2

    init(_ cells: [Cell], mark: Range<Int>, columns most: Int, startsLine: Bool, endsLine: Bool) {
        let columns = cells.reduce(0) { $0 + $1.columns }
        let fits = startsLine && endsLine && columns <= most
        let available = fits ? columns : most - Self.columnsOfCuts
        let keepsStart = startsLine && mark.upperBound <= available
        let first = keepsStart ? 0 : Self.start(for: mark, available: available)

        var shown = ""
        var column = 0
        var shownFrom: Int?
        var shownTo = 0
        for cell in cells {
            defer { column += cell.columns }
            let begins = shownFrom ?? column
            guard column >= first, shownFrom != nil || cell.columns > 0,
                column + cell.columns - begins <= available
            else {
                if shownFrom != nil { break }
                continue
            }
            shownFrom = begins
            shownTo = column + cell.columns
            shown += cell.text
        }
        firstColumn = shownFrom ?? 0
        limitColumn = shownTo
        isCutBefore = !startsLine || firstColumn > 0
        let isCutAfter = !endsLine || shownTo < columns
        text = (isCutBefore ? "…" : "") + shown + (isCutAfter ? "…" : "")
    }

    /// Centers the mark, or shows a little text before a long mark.
    private static func start(for mark: Range<Int>, available: Int) -> Int {
        max(0, mark.lowerBound - max(20, (available - mark.count) / 2))
    }
}
