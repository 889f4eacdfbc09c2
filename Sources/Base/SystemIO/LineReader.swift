/// Splits a regular file, or a part of it, into lines, block by block.
///
/// Lines end in LF. The caller keeps the file open, passes it to each call, and may write to it.
package struct LineReader {
    package typealias Line = LineSplitter.Line

    /// The offset of the next block, and the end of the part.
    private var offset: Int
    private let end: Int
    private let blockSize: Int
    private var splitter: LineSplitter

    /// `maximumLength`: the bytes of a line, without LF, after which its end is not searched in the
    /// current block.
    package init(
        from offset: Int = 0,
        to end: Int = .max,
        blockSize: Int = 65_536,
        maximumLength: Int = .max
    ) {
        self.offset = offset
        self.end = end
        self.blockSize = blockSize
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    /// Returns nil at the end.
    package mutating func next(in file: borrowing File) throws(SystemError) -> Line? {
        while true {
            if let line = splitter.next() { return line }
            if splitter.isAtEnd { return nil }
            splitter.makeRoom()
            let count = try file.append(
                to: &splitter.buffer,
                at: offset,
                count: min(blockSize, end - offset)
            )
            offset += count
            splitter.isAtEnd = count == 0
        }
    }
}
