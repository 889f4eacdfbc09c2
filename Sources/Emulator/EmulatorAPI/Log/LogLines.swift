import SystemIO

/// The complete lines of the request log, or of a part of it.
struct LogLines {
    private var reader: LineReader
    /// Whether the last line is incomplete; known at the end.
    private(set) var isTorn = false

    init(from offset: Int = 0, to end: Int = .max) {
        reader = LineReader(from: offset, to: end, blockSize: 1_048_576)
    }

    /// Returns the next line, or nil if no complete line remains.
    mutating func next(in file: borrowing File) throws(EmulatorError) -> [UInt8]? {
        do throws(SystemError) {
            guard let line = try reader.next(in: file) else { return nil }
            if case .complete(let bytes) = line { return Array(bytes) }
            isTorn = true
            return nil
        } catch {
            throw .unusable("requests.ndjson", error: error)
        }
    }
}
