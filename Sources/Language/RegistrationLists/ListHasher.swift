import CampaignModel
import Crypto
import Text

/// Computes the content ID of a list while its rows are streamed.
///
/// The ID is the SHA-256 of the rows or, if there are more than 4,096, of the SHA-256 of each 4,096
/// rows, so that all cores can compute it.
struct ListHasher {
    private static let groupSize = 4_096

    private var group = SHA256()
    private var groupCount = 0
    /// The hash of the groups' hashes; nil for the first group.
    private var groups: SHA256?

    init() {}

    /// Begins with the kind of the list and the columns; neither changes the ID of a list of tokens
    /// without columns.
    init(_ content: ListContent) {
        if content.list.kind == .fid { add("fid") }
        for name in content.names { add(name) }
    }

    /// `values`: the row's values in the columns.
    mutating func add(_ registration: Registration, values: [String] = []) {
        finishGroupIfFull()
        groupCount += 1
        var token = registration.token
        token.withUTF8 { group.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        withUnsafeBytes(of: UInt8(ascii: "\n")) { group.update(bufferPointer: $0) }
        for value in values { add(value) }
    }

    /// Adds the registrations of a block of text, on all cores.
    mutating func add(_ rows: [TextRow], of bytes: [UInt8]) {
        finishGroupIfFull()
        // An empty group may contain the kind, so the first group is never computed separately.
        let head = min(rows.count, groups == nil || groupCount > 0 ? room : 0)
        group.update(rows[..<head], of: bytes)
        groupCount += head
        let whole = (rows.count - head) / Self.groupSize
        let starts = (0..<whole).map { head + $0 * Self.groupSize }
        let hashes = mapInParallel(starts, grain: 1) { start in
            var hash = SHA256()
            hash.update(rows[start..<start + Self.groupSize], of: bytes)
            return hash.finalize()
        }
        for hash in hashes {
            finishGroupIfFull()
            append(hash)
        }
        let rest = rows[(head + whole * Self.groupSize)...]
        guard !rest.isEmpty else { return }
        finishGroupIfFull()
        group.update(rest, of: bytes)
        groupCount += rest.count
    }

    private var room: Int { Self.groupSize - groupCount }

    /// Keeps the last group, because a list of one group has no hash of hashes.
    private mutating func finishGroupIfFull() {
        guard groupCount == Self.groupSize else { return }
        append(group.finalize())
        group = SHA256()
        groupCount = 0
    }

    private mutating func append(_ hash: SHA256Digest) {
        var all = groups ?? Self.emptyGroups()
        hash.withUnsafeBytes { all.update(bufferPointer: $0) }
        groups = all
    }

    /// A byte with which no row begins.
    private static func emptyGroups() -> SHA256 {
        var hash = SHA256()
        withUnsafeBytes(of: UInt8(1)) { hash.update(bufferPointer: $0) }
        return hash
    }

    /// Adds a text that may contain any characters.
    ///
    /// A zero byte and its length separate it from others; a registration has no zero byte.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            withUnsafeBytes(of: UInt8(0)) { group.update(bufferPointer: $0) }
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
                group.update(bufferPointer: $0)
            }
            group.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        }
    }

    /// `digest`: that of the lists of a set; nil for another list.
    func finish(covering digest: ListID?) -> ListID {
        guard let digest else { return finish() }
        var whole = self
        whole.add(digest.text)
        return whole.finish()
    }

    func finish() -> ListID {
        guard var all = groups else { return ListID(text: Hexadecimal.text(of: group.finalize())) }
        if groupCount > 0 { group.finalize().withUnsafeBytes { all.update(bufferPointer: $0) } }
        return ListID(text: Hexadecimal.text(of: all.finalize()))
    }
}

extension SHA256 {
    /// Adds registrations, each with a line feed.
    fileprivate mutating func update(_ rows: ArraySlice<TextRow>, of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var row = rows.startIndex
            while row < rows.endIndex {
                // Lines without anything between them are added together.
                let start = Int(rows[row].start)
                var end = start + Int(rows[row].length)
                while end < bytes.count, bytes[end] == UInt8(ascii: "\n"), row + 1 < rows.endIndex,
                    Int(rows[row + 1].start) == end + 1
                {
                    row += 1
                    end += 1 + Int(rows[row].length)
                }
                update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                withUnsafeBytes(of: UInt8(ascii: "\n")) { update(bufferPointer: $0) }
                row += 1
            }
        }
    }
}
