/// The last lines of a text of any length, in bounded memory.
struct LastLines {
    private let limit: Int
    private var tail: [UInt8] = []
    private var isCut = false

    /// The number of bytes that are kept.
    private static let kept = 65_536
    /// The number of characters of a line that are shown.
    private static let longest = 300

    /// `limit`: the number of lines.
    init(_ limit: Int) {
        self.limit = limit
    }

    mutating func append(_ bytes: [UInt8]) {
        tail += bytes
        guard tail.count > 2 * Self.kept else { return }
        tail.removeFirst(tail.count - Self.kept)
        isCut = true
    }

    /// The lines that are not empty; a long one is cut.
    ///
    /// Bytes that are not UTF-8 are replaced.
    var lines: [String] {
        let found = tail.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        // The first line may have lost its beginning.
        let whole = isCut ? found.dropFirst() : found[...]
        return whole.map { String(decoding: $0, as: UTF8.self) }
            .filter { !$0.allSatisfy(\.isWhitespace) }
            .suffix(limit)
            .map { $0.count > Self.longest ? $0.prefix(Self.longest) + "…" : $0 }
    }
}
