import SystemIO

/// Reads a file line by line through a buffer of fixed size; lines end in LF or CRLF.
struct ListLineReader: ~Copyable {
    enum Line {
        case text(String)
        case notUTF8
        /// Longer than the maximum.
        case tooLong
    }

    private let blocks: FileBlocks
    private let maximumLength: Int
    private var lines: LineReader

    /// The maximum counts bytes without the line end.
    ///
    /// - Throws: Why the file cannot be opened.
    init(path: String, maximumLength: Int = 16_384) throws(RegistrationListError.Reason) {
        blocks = try FileBlocks(path: path)
        self.maximumLength = maximumLength
        // The carriage return is not part of the line.
        lines = LineReader(maximumLength: maximumLength + 1)
    }

    mutating func next() throws(RegistrationListError.Reason) -> Line? {
        do throws(SystemError) {
            switch try lines.next(in: blocks.file) {
            case .complete(let bytes)?, .unfinished(let bytes)?: return line(bytes)
            case .tooLong?: return .tooLong
            case nil: return nil
            }
        } catch {
            throw RegistrationListError.Reason(error)
        }
    }

    private func line(_ bytes: ArraySlice<UInt8>) -> Line {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard bytes.count <= maximumLength else { return .tooLong }
        return String(validating: bytes, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
