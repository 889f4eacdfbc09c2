/// Reads a file line by line through a buffer of fixed size; lines end in LF or CRLF.
struct LineReader: ~Copyable {
    enum Line {
        case text(String)
        case notUTF8
        /// Longer than the maximum.
        case tooLong
    }

    private let blocks: FileBlocks
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// The maximum counts bytes without the line end.
    ///
    /// - Throws: Why the file cannot be opened.
    init(path: String, maximumLength: Int = 16_384) throws(RegistrationListError.Reason) {
        blocks = try FileBlocks(path: path)
        self.maximumLength = maximumLength
    }

    mutating func next() throws(RegistrationListError.Reason) -> Line? {
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return line(buffer[position..<end])
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return line(buffer[position...])
            }
            if buffer.count - position > maximumLength + 1 { return try skipLongLine() }
            try fill()
        }
    }

    private mutating func skipLongLine() throws(RegistrationListError.Reason) -> Line {
        while !isAtEnd {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                position = end + 1
                return .tooLong
            }
            position = buffer.count
            try fill()
        }
        position = buffer.count
        return .tooLong
    }

    private mutating func fill() throws(RegistrationListError.Reason) {
        buffer.removeSubrange(..<position)
        position = 0
        isAtEnd = try !blocks.append(to: &buffer)
    }

    private func line(_ bytes: ArraySlice<UInt8>) -> Line {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard bytes.count <= maximumLength else { return .tooLong }
        return String(validating: bytes, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
