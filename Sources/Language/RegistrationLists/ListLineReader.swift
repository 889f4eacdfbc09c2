import SystemIO
import Text

/// A line of a file, without its line end and without a byte order mark.
///
/// Release it before the next line is read, because its bytes are part of the reader's buffer.
struct ListLine {
    let bytes: ArraySlice<UInt8>
    /// From 1.
    let number: Int
    /// The number of bytes before it.
    let start: Int

    /// What is wrong with the byte at this offset in the line.
    func broken(_ reason: String, at offset: Int = 0) -> RegistrationListError.BrokenLine {
        let characters = bytes.prefix(offset).count { $0 & 0xC0 != 0x80 }
        return RegistrationListError.BrokenLine(
            number: number,
            column: .number(characters + 1),
            byte: start + offset + 1,
            reason: reason
        )
    }

    /// The first byte that no list may contain; nil if there is none.
    var encodingFault: RegistrationListError.BrokenLine? {
        if let place = bytes.firstInvalidUTF8 {
            return broken(RegistrationListError.BrokenLine.notUTF8, at: place - bytes.startIndex)
        }
        return bytes.firstIndex(of: 0).map { place in
            broken(RegistrationListError.BrokenLine.nul, at: place - bytes.startIndex)
        }
    }
}

/// Reads a file line by line through a buffer of fixed size; lines end in LF or CRLF.
struct ListLineReader: ~Copyable {
    enum Line {
        case complete(ListLine)
        /// Longer than the maximum.
        case broken(RegistrationListError.BrokenLine)
    }

    private var blocks: FileBlocks
    private let maximumLength: Int
    private var lines: LineSplitter
    private var number = 0

    /// The maximum counts bytes without the line end.
    ///
    /// - Throws: Why the file cannot be opened.
    init(
        path: String,
        maximumLength: Int = RegistrationListError.BrokenLine.maximumLength
    ) throws(RegistrationListError.Reason) {
        try self.init(FileBlocks(path: path), maximumLength: maximumLength)
    }

    init(
        _ blocks: consuming FileBlocks,
        maximumLength: Int = RegistrationListError.BrokenLine.maximumLength
    ) {
        self.blocks = blocks
        self.maximumLength = maximumLength
        // The carriage return is not part of the line.
        lines = LineSplitter(maximumLength: maximumLength + 1)
    }

    mutating func next() throws(RegistrationListError.Reason) -> Line? {
        while true {
            switch lines.next() {
            case .complete(let bytes)?, .unfinished(let bytes)?: return line(bytes)
            case .tooLong?: return line(nil)
            case nil where lines.isAtEnd: return nil
            case nil:
                lines.makeRoom()
                lines.isAtEnd = try !blocks.append(to: &lines.buffer)
            }
        }
    }

    /// `found`: nil if the line is too long.
    private mutating func line(_ found: ArraySlice<UInt8>?) -> Line {
        number += 1
        let mark = number == 1 && found?.starts(with: Self.byteOrderMark) == true ? 3 : 0
        var bytes = found?.dropFirst(mark) ?? []
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        let line = ListLine(bytes: bytes, number: number, start: lines.lineStart + mark)
        let isTooLong = found == nil || bytes.count > maximumLength
        return isTooLong
            ? .broken(line.broken(RegistrationListError.BrokenLine.tooLong)) : .complete(line)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
