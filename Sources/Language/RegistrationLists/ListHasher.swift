import CampaignModel
import Crypto
import Text

/// Computes the content ID of a list while its rows are streamed.
///
/// The ID is the SHA-256 of the rows or, if there are more than 4,096, of their fingerprints, because
/// these are shorter.
struct ListHasher {
    /// The number of rows of the longest list that is identified by its text.
    private static let longestText = 4_096

    private var texts = SHA256()
    private var fingerprints = SHA256()
    private var count = 0

    init() {
        // A byte with which no row begins.
        withUnsafeBytes(of: UInt8(1)) { fingerprints.update(bufferPointer: $0) }
    }

    /// Begins with the kind of the list and the columns; neither changes the ID of a list of tokens
    /// without columns.
    init(_ content: ListContent) {
        self.init()
        if content.list.kind == .fid { add("fid") }
        for name in content.names { add(name) }
    }

    /// Adds a text that may contain any characters.
    mutating func add(_ text: String) {
        texts.update(text)
        fingerprints.update(text)
    }

    /// `values`: the row's values in the columns.
    mutating func add(
        _ registration: Registration,
        with fingerprint: Fingerprint,
        values: [String] = []
    ) {
        if needsTexts {
            var token = registration.token
            token.withUTF8 { texts.update(bufferPointer: UnsafeRawBufferPointer($0)) }
            withUnsafeBytes(of: UInt8(ascii: "\n")) { texts.update(bufferPointer: $0) }
            for value in values { texts.update(value) }
        }
        fingerprints.update(fingerprint)
        for value in values { fingerprints.update(value) }
        count += 1
    }

    /// Whether the text of the next row may be part of the ID.
    var needsTexts: Bool { count < Self.longestText }

    /// Adds the registrations of a block of text.
    mutating func add(_ rows: [TextRow], of bytes: [UInt8], with fingerprints: [Fingerprint]) {
        texts.update(rows.prefix(max(0, Self.longestText - count)), of: bytes)
        add(fingerprints)
    }

    /// Adds rows whose text is not needed.
    mutating func add(_ fingerprints: [Fingerprint]) {
        var numbers: [UInt64] = []
        numbers.reserveCapacity(2 * fingerprints.count)
        for fingerprint in fingerprints {
            numbers.append(fingerprint.high.bigEndian)
            numbers.append(fingerprint.low.bigEndian)
        }
        numbers.withUnsafeBytes { self.fingerprints.update(bufferPointer: $0) }
        count += fingerprints.count
    }

    /// `digest`: that of the lists of a set; nil for another list.
    func finish(covering digest: ListID?) -> ListID {
        guard let digest else { return finish() }
        var whole = self
        whole.add(digest.text)
        return whole.finish()
    }

    func finish() -> ListID {
        ListID(
            text: Hexadecimal.text(
                of: (count > Self.longestText ? fingerprints : texts).finalize()
            )
        )
    }
}

extension SHA256 {
    /// Adds a text that may contain any characters.
    ///
    /// A zero byte and its length separate it from others; a registration has no zero byte.
    fileprivate mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            withUnsafeBytes(of: UInt8(0)) { update(bufferPointer: $0) }
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { update(bufferPointer: $0) }
            update(bufferPointer: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Adds the 16 bytes of a fingerprint.
    fileprivate mutating func update(_ fingerprint: Fingerprint) {
        let numbers = (fingerprint.high.bigEndian, fingerprint.low.bigEndian)
        withUnsafeBytes(of: numbers) { update(bufferPointer: $0) }
    }

    /// Adds registrations, each with a line feed.
    fileprivate mutating func update(_ rows: ArraySlice<TextRow>, of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            for row in rows {
                let start = Int(row.start)
                let text = bytes[start..<start + Int(row.length)]
                update(bufferPointer: UnsafeRawBufferPointer(rebasing: text))
                withUnsafeBytes(of: UInt8(ascii: "\n")) { update(bufferPointer: $0) }
            }
        }
    }
}
