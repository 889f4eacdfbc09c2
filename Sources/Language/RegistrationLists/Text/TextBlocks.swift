import SystemIO

/// Whole lines of a text file.
struct TextBlock: Sendable {
    /// The number among the blocks of all files.
    fileprivate(set) var number = 0
    fileprivate(set) var bytes: [UInt8] = []
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
    private static let size = 1 << 18
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(of files: [ListFile]) {
        self.files = files[...]
    }

    /// There is no next block.
    mutating func stop() {
        files = []
        blocks = nil
    }

    /// Replaces a block by the next one; returns false at the end.
    ///
    /// - Throws: `.unreadable`, `.unusual`.
    mutating func next(into block: inout TextBlock) throws(TextFault) -> Bool {
        while blocks != nil || !files.isEmpty {
            guard try readLines(into: &block.bytes) else { throw .unusual }
            guard !block.bytes.isEmpty else { continue }
            block.number = count
            count += 1
            return true
        }
        return false
    }

    /// Reads the next lines of a file; returns false if a line is too long.
    private mutating func readLines(into bytes: inout [UInt8]) throws(TextFault) -> Bool {
        do throws(RegistrationListError.Reason) {
            if blocks == nil, let file = files.popFirst() {
                path = file.path
                blocks = try file.open()
                isAtStart = true
            }
            bytes.removeAll(keepingCapacity: true)
            bytes.reserveCapacity(Self.size + 1 << 17)
            bytes += rest
            rest.removeAll(keepingCapacity: true)
            var isAtEnd = false
            while !isAtEnd, bytes.count < Self.size {
                isAtEnd = try !(blocks?.append(to: &bytes) ?? false)
            }
            if isAtStart, bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(3) }
            isAtStart = false
            if isAtEnd {
                blocks = nil
                return true
            }
            guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return false }
            rest += bytes[(end + 1)...]
            bytes.removeSubrange((end + 1)...)
            return true
        } catch {
            throw .unreadable(path: path, reason: error)
        }
    }
}
