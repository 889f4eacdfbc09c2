import SystemIO

/// Whole lines of a text file.
struct TextBlock: Sendable {
    /// The number among the blocks of all files.
    let number: Int
    let bytes: [UInt8]
}

/// Divides files into blocks.
struct TextBlocks: ~Copyable {
    private var files: ArraySlice<ListFile>
    private var path = ""
    /// The file that is being read.
    private var blocks: FileBlocks?
    private var isAtStart = false
    /// The beginning of a line whose end was not read.
    private var rest: [UInt8] = []
    private var count = 0

    /// The bytes of a block, which fits in a core's cache.
    private static let size = 1 << 19
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(of files: [ListFile]) {
        self.files = files[...]
    }

    /// There is no next block.
    mutating func stop() {
        files = []
        blocks = nil
    }

    /// Returns nil at the end.
    ///
    /// - Throws: `.unreadable`, `.unusual`.
    mutating func next() throws(TextFault) -> TextBlock? {
        while blocks != nil || !files.isEmpty {
            guard let bytes = try lines() else { throw .unusual }
            guard !bytes.isEmpty else { continue }
            count += 1
            return TextBlock(number: count - 1, bytes: bytes)
        }
        return nil
    }

    /// Returns the next lines of a file; nil if a line is too long.
    private mutating func lines() throws(TextFault) -> [UInt8]? {
        do throws(RegistrationListError.Reason) {
            if blocks == nil, let file = files.popFirst() {
                path = file.path
                blocks = try file.open()
                isAtStart = true
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Self.size + 1 << 17)
            bytes += rest
            rest = []
            var isAtEnd = false
            while !isAtEnd, bytes.count < Self.size {
                isAtEnd = try !(blocks?.append(to: &bytes) ?? false)
            }
            if isAtStart, bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(3) }
            isAtStart = false
            if isAtEnd {
                blocks = nil
                return bytes
            }
            guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
            rest = Array(bytes[(end + 1)...])
            bytes.removeSubrange((end + 1)...)
            return bytes
        } catch {
            throw .unreadable(path: path, reason: error)
        }
    }
}
