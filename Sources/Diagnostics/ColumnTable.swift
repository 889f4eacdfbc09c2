/// How many Unicode scalars come before places of a text: without it, to find a column would take
/// longer the longer the line is, for every finding anew.
struct ColumnTable {
    /// At the beginning of every block; empty for a text of a single one.
    private let scalarsBefore: [Int]

    private static let blockSize = 4_096

    init(_ bytes: [UInt8]) {
        guard bytes.count > Self.blockSize else {
            scalarsBefore = []
            return
        }
        var counts = [0]
        for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
            let block = bytes[start..<min(start + Self.blockSize, bytes.count)]
            counts.append(counts[counts.count - 1] + block.count { !Self.isContinuation($0) })
        }
        scalarsBefore = counts
    }

    /// How many scalars a range of the same bytes has; where they are not UTF-8 and the range is
    /// long, about so many.
    func scalars(in range: Range<Int>, of bytes: [UInt8]) -> Int {
        guard range.count > 2 * Self.blockSize else {
            return String(decoding: bytes[range], as: UTF8.self).unicodeScalars.count
        }
        let first = range.lowerBound / Self.blockSize + 1
        let last = range.upperBound / Self.blockSize
        let head = bytes[range.lowerBound..<first * Self.blockSize]
        let tail = bytes[last * Self.blockSize..<range.upperBound]
        return head.count { !Self.isContinuation($0) } + scalarsBefore[last] - scalarsBefore[first]
            + tail.count { !Self.isContinuation($0) }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0b1100_0000 == 0b1000_0000
    }
}
