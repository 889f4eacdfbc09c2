import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// Reads a file line by line through a buffer of fixed size; a line's end is LF or CRLF.
struct LineReader: ~Copyable {
    enum Line {
        case text(String)
        case notUTF8
        /// Longer than `maximumLength` bytes.
        case tooLong
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    static let maximumLength = 16_384
    private static let blockSize = 65_536

    /// Pipes and devices are refused at once: they may never end, or never begin.
    ///
    /// - Throws: why the file can't be opened, where it can in the operating system's words.
    init(path: String) throws(RegistrationListError.Reason) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RegistrationListError.Reason(errorNumber: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw RegistrationListError.Reason(errorNumber: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw RegistrationListError.Reason(errorNumber: EISDIR)
        default: throw RegistrationListError.Reason.noRegularFile
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    mutating func next() throws(RegistrationListError.Reason) -> Line? {
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return Self.line(buffer[position..<end])
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return Self.line(buffer[position...])
            }
            if buffer.count - position > Self.maximumLength + 1 { return try skipLongLine() }
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
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.blockSize))
        let count = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress?.advanced(by: start), Self.blockSize)
        }
        guard count >= 0 else { throw RegistrationListError.Reason(errorNumber: errno) }
        buffer.removeLast(Self.blockSize - count)
        isAtEnd = count == 0
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard bytes.count <= maximumLength else { return .tooLong }
        return String(validating: bytes, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
