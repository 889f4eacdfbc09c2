/// Splits a regular file, or a part of it, into lines, block by block.
///
/// Lines end in LF. The caller keeps the file open, passes it to each call, and may write to it.
package struct LineReader {
    package enum Line {
        /// A line without its LF.
        case complete(ArraySlice<UInt8>)
        /// The bytes after the last LF.
        case unfinished(ArraySlice<UInt8>)
        /// A line of more bytes than the maximum.
        ///
        /// A longer line that is in one block completely may be returned, too.
        case tooLong
    }

    /// The offset of the next block, and the end of the part.
    private var offset: Int
    private let end: Int
    private let blockSize: Int
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    /// The start of the next line, and the first byte that was not searched for its end.
    private var position = 0
    private var searched = 0
    private var isAtEnd = false

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
        self.maximumLength = maximumLength
    }

    /// Returns nil at the end.
    package mutating func next(in file: borrowing File) throws(SystemError) -> Line? {
        while true {
            if let end = lineEnd() {
                defer { skip(to: end + 1) }
                return .complete(buffer[position..<end])
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { skip(to: buffer.count) }
                return .unfinished(buffer[position...])
            }
            if buffer.count - position > maximumLength { return try skipLongLine(in: file) }
            try fill(from: file)
        }
    }

    private mutating func skipLongLine(
        in file: borrowing File
    ) throws(SystemError) -> Line {
        while !isAtEnd {
            skip(to: buffer.count)
            try fill(from: file)
            guard let end = lineEnd() else { continue }
            skip(to: end + 1)
            return .tooLong
        }
        return .tooLong
    }

    private func lineEnd() -> Int? {
        buffer.withUnsafeBytes { $0.offset(of: UInt8(ascii: "\n"), from: searched) }
    }

    private mutating func skip(to start: Int) {
        position = start
        searched = start
    }

    /// Reads the next block after the bytes that are not used yet.
    private mutating func fill(from file: borrowing File) throws(SystemError) {
        buffer.removeSubrange(..<position)
        position = 0
        searched = buffer.count
        let block = try file.read(at: offset, count: min(blockSize, end - offset))
        buffer += block
        offset += block.count
        isAtEnd = block.isEmpty
    }
}
