/// Reads the records of a CSV file through a buffer of fixed size.
///
/// A byte order mark at the file's start is skipped.
struct CSVReader: ~Copyable {
    private var blocks: FileBlocks
    private var parser = CSVParser()
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtStart = true
    private var isAtEnd = false

    init(path: String) throws(RegistrationListError.Reason) {
        blocks = try FileBlocks(path: path)
    }

    init(_ blocks: consuming FileBlocks) {
        self.blocks = blocks
    }

    /// Returns the next record, or what is wrong with it.
    ///
    /// nil at the end, and after a quotation mark that is never closed.
    mutating func next() throws(RegistrationListError.Reason) -> CSVParser.Row? {
        while !isAtEnd, !parser.isLost {
            if let row = parser.take(buffer, from: &position) { return row }
            try fill()
            if isAtEnd { return parser.finish() }
        }
        return nil
    }

    private mutating func fill() throws(RegistrationListError.Reason) {
        buffer.removeAll(keepingCapacity: true)
        isAtEnd = try !blocks.append(to: &buffer)
        position = isAtStart && buffer.starts(with: Self.byteOrderMark) ? 3 : 0
        if position > 0 { parser.skip(position) }
        isAtStart = false
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
