/// Character counts at regular offsets of a text.
///
/// Without the table, each lookup of a column would take time proportional to the line's length.
struct ColumnTable {
    private let unit: SourceFile.ColumnUnit
    /// The count at the beginning of every block; empty if the text has only one block.
    private let before: [Int]

    private static let blockSize = 4_096

    init(_ bytes: [UInt8], in unit: SourceFile.ColumnUnit) {
        self.unit = unit
        guard bytes.count > Self.blockSize else {
            before = []
            return
        }
        var counts = [0]
        for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
            let block = bytes[start..<min(start + Self.blockSize, bytes.count)]
            counts.append(counts[counts.count - 1] + unit.count(beginningIn: block))
        }
        before = counts
    }

    /// Counts the characters in a range of the same bytes.
    ///
    /// The result is approximate if the bytes are not UTF-8 and the range is long.
    func count(in range: Range<Int>, of bytes: [UInt8]) -> Int {
        guard range.count > 2 * Self.blockSize else {
            return unit.count(in: String(decoding: bytes[range], as: UTF8.self))
        }
        let first = range.lowerBound / Self.blockSize + 1
        let last = range.upperBound / Self.blockSize
        return unit.count(beginningIn: bytes[range.lowerBound..<first * Self.blockSize])
            + before[last] - before[first]
            + unit.count(beginningIn: bytes[last * Self.blockSize..<range.upperBound])
    }
}

extension SourceFile.ColumnUnit {
    fileprivate func count(in text: String) -> Int {
        switch self {
        case .scalars: text.unicodeScalars.count
        case .utf16CodeUnits: text.utf16.count
        }
    }

    /// Counts the characters whose first byte is in `bytes`.
    ///
    /// A character above U+FFFF has four bytes and two UTF-16 code units.
    fileprivate func count(beginningIn bytes: ArraySlice<UInt8>) -> Int {
        let scalars = bytes.count { $0 & 0b1100_0000 != 0b1000_0000 }
        return self == .scalars ? scalars : scalars + bytes.count { $0 >= 0xF0 }
    }
}
