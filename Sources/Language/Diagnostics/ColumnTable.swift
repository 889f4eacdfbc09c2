/// How many characters come before places of a text: without it, to find a column would take
/// longer the longer the line is, for every finding anew.
struct ColumnTable {
    private let unit: SourceFile.ColumnUnit
    /// At the beginning of every block; empty for a text of a single one.
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

    /// How many characters a range of the same bytes has; where they are not UTF-8 and the range
    /// is long, about so many.
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

    /// Of the characters whose first byte is here; beyond U+FFFF they have four, and are two
    /// UTF-16 code units.
    fileprivate func count(beginningIn bytes: ArraySlice<UInt8>) -> Int {
        let scalars = bytes.count { $0 & 0b1100_0000 != 0b1000_0000 }
        return self == .scalars ? scalars : scalars + bytes.count { $0 >= 0xF0 }
    }
}
