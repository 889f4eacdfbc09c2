import Glibc

/// Reads a file line by line, in chunks of 1 MiB.
struct LineReader {
    private let descriptor: Int32
    /// The offset of the next read, and the end of the range.
    private var offset: Int
    private let end: Int
    private var buffer: [UInt8] = []
    private var position = 0

    init(descriptor: Int32, from offset: Int = 0, to end: Int = .max) {
        self.descriptor = descriptor
        self.offset = offset
        self.end = end
    }

    var isAtLineEnd: Bool { position == buffer.count }

    /// Returns the next line, or nil if no complete line remains.
    mutating func nextLine() throws(EmulatorError) -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return Array(buffer[position..<end])
            }
            searched = buffer.count - position
            guard try fill() else { return nil }
        }
    }

    /// Reads the next chunk and keeps unused bytes; returns false at the end.
    private mutating func fill() throws(EmulatorError) -> Bool {
        buffer.removeSubrange(..<position)
        position = 0
        let kept = buffer.count
        let size = min(1_048_576, end - offset)
        buffer.append(contentsOf: repeatElement(0, count: size))
        let count = buffer.withUnsafeMutableBytes { bytes in
            pread(descriptor, bytes.baseAddress?.advanced(by: kept), size, off_t(offset))
        }
        buffer.removeLast(size - max(0, count))
        guard count >= 0 else { throw .unusable("requests.ndjson", errno) }
        offset += count
        return count > 0
    }
}
