/// Splits bytes that arrive block by block into lines.
///
/// Lines end in LF. If `next` returns nil before the end, the caller calls `makeRoom`, appends a
/// block to `buffer` or sets `isAtEnd`, and calls `next` again.
package struct LineSplitter {
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

    package var buffer: [UInt8] = []
    package var isAtEnd = false
    /// The number of bytes before the line that was returned last.
    package private(set) var lineStart = 0

    private let maximumLength: Int
    /// The number of bytes that were removed from the buffer.
    private var removed = 0
    /// The start of the next line in the file; it may have been removed from the buffer.
    private var nextStart = 0
    /// The first bytes of the buffer that were not returned, and not searched for a line end.
    private var position = 0
    private var searched = 0
    private var isTooLong = false

    /// `maximumLength`: the bytes of a line, without LF, after which its end is not searched in the
    /// current block.
    package init(maximumLength: Int = .max) {
        self.maximumLength = maximumLength
    }

    /// Returns nil if the rest of the buffer contains no line end, and at the end.
    package mutating func next() -> Line? {
        if let end = buffer.withUnsafeBytes({ $0.offset(of: UInt8(ascii: "\n"), from: searched) }) {
            defer { finishLine(at: end, length: 1) }
            return isTooLong ? .tooLong : .complete(buffer[position..<end])
        }
        searched = buffer.count
        if isAtEnd {
            guard position < buffer.count || isTooLong else { return nil }
            defer { finishLine(at: buffer.count, length: 0) }
            return isTooLong ? .tooLong : .unfinished(buffer[position...])
        }
        if isTooLong || buffer.count - position > maximumLength {
            isTooLong = true
            position = buffer.count
        }
        return nil
    }

    /// Removes the bytes that are no longer needed.
    package mutating func makeRoom() {
        buffer.removeSubrange(..<position)
        removed += position
        searched -= position
        position = 0
    }

    /// `length`: the number of bytes of the line end.
    private mutating func finishLine(at end: Int, length: Int) {
        position = end + length
        searched = position
        lineStart = nextStart
        nextStart = removed + position
        isTooLong = false
    }
}
