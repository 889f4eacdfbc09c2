/// A place in a text file by line and column.
package struct SourcePosition: Hashable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in Unicode scalars unless another unit was requested.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// The beginning and end of each line of a text; a line ends in LF, CRLF or CR.
///
/// A text that ends in a line break has an empty last line. A byte order mark belongs to no line.
package struct LineTable: Sendable {
    private let starts: [Int]
    /// The offset of each line's terminator.
    private let ends: [Int]

    package var count: Int { starts.count }

    package init(_ bytes: [UInt8]) {
        var starts = [bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0]
        var ends: [Int] = []
        for (offset, byte) in bytes.enumerated() where byte == Self.lf || byte == Self.cr {
            if byte == Self.lf, offset > 0, bytes[offset - 1] == Self.cr {
                starts[starts.count - 1] = offset + 1
            } else {
                ends.append(offset)
                starts.append(offset + 1)
            }
        }
        ends.append(bytes.count)
        self.starts = starts
        self.ends = ends
    }

    /// The line, counted from 1, that contains the offset; a terminator belongs to its line.
    package func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The bytes of a line, counted from 1, without its terminator; nil outside the text.
    package func range(of line: Int) -> Range<Int>? {
        guard starts.indices.contains(line - 1) else { return nil }
        return starts[line - 1]..<max(starts[line - 1], ends[line - 1])
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let lf: UInt8 = 0x0A
    private static let cr: UInt8 = 0x0D
}
