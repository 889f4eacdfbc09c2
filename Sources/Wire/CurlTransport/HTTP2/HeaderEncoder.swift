/// Writes the header blocks of one connection (HPACK, RFC 7541).
///
/// All fields except the body's length go into the table that both ends keep. From the second
/// request on, each field takes one byte, even an access token of a thousand characters. A
/// compressor that mixes secrets with an attacker's text reveals the secrets by its lengths (RFC
/// 7541, section 7.1). Here, no other party chooses any text.
struct HeaderEncoder {
    /// Newest first.
    private var table: [HeaderField] = []
    private var size = 0
    private var limit = standardLimit
    /// A block that leaves the table unchanged; valid as long as the table stays the same.
    private var settled: (fields: HTTP2Fields, block: [UInt8])?

    /// The initial size at both ends, and the maximum here (RFC 9113, section 6.5.2).
    private static let standardLimit = 4_096
    private static let staticCount = 61

    /// Names in HPACK's static table, each with its first entry (RFC 7541, appendix A).
    private static let names: [[UInt8]: Int] = Dictionary(
        uniqueKeysWithValues: [
            (":authority", 1), (":method", 2), (":path", 4), (":scheme", 6), ("accept", 19),
            ("authorization", 23), ("cache-control", 24), ("content-length", 28),
            ("content-type", 31), ("user-agent", 58),
        ].map { (Array($0.0.utf8), $0.1) }
    )
    private static let entries: [HeaderField: UInt8] = [
        HeaderField(name: ":method", value: "GET"): 2,
        HeaderField(name: ":method", value: "POST"): 3,
        HeaderField(name: ":path", value: "/"): 4, HeaderField(name: ":scheme", value: "http"): 6,
        HeaderField(name: ":scheme", value: "https"): 7,
    ]
    private static let lengthName: UInt8 = 28

    /// Returns the block of the next request, whose body has this `length`.
    ///
    /// `peersLimit`: the size of the peer's table, in bytes.
    mutating func block(_ fields: HTTP2Fields, length: Int, peersLimit: Int) -> [UInt8] {
        var block: [UInt8] = []
        shrink(to: min(peersLimit, Self.standardLimit), in: &block)
        if let settled, settled.fields === fields {
            block += settled.block
        } else {
            add(fields, to: &block)
        }
        if fields.hasLength {
            Self.write(Int(Self.lengthName), in: 4, high: 0, to: &block)
            Self.write(Array(String(length).utf8), to: &block)
        }
        return block
    }

    private mutating func add(_ fields: HTTP2Fields, to block: inout [UInt8]) {
        var added: [UInt8] = []
        var isSettled = true
        for field in fields.fields where !add(field, to: &added) { isSettled = false }
        settled = isSettled ? (fields, added) : nil
        block += added
    }

    /// Returns false if the table has changed.
    private mutating func add(_ field: HeaderField, to block: inout [UInt8]) -> Bool {
        if let entry = Self.entries[field] {
            block.append(0x80 | entry)
            return true
        }
        if let place = table.firstIndex(of: field) {
            Self.write(Self.staticCount + 1 + place, in: 7, high: 0x80, to: &block)
            return true
        }
        // A field that fills the table would evict the others every time.
        let isKept = field.size <= limit * 3 / 4
        let name = Self.names[field.name] ?? 0
        Self.write(name, in: isKept ? 6 : 4, high: isKept ? 0x40 : 0, to: &block)
        if name == 0 { Self.write(field.name, to: &block) }
        Self.write(field.value, to: &block)
        if isKept { keep(field) }
        return !isKept
    }

    private mutating func keep(_ field: HeaderField) {
        evict(to: limit - field.size)
        table.insert(field, at: 0)
        size += field.size
    }

    private mutating func evict(to room: Int) {
        while size > room, let oldest = table.popLast() { size -= oldest.size }
    }

    /// Announces a smaller table before the first field (RFC 7541, section 4.2).
    private mutating func shrink(to newLimit: Int, in block: inout [UInt8]) {
        guard newLimit < limit else { return }
        limit = newLimit
        settled = nil
        evict(to: limit)
        Self.write(limit, in: 5, high: 0x20, to: &block)
    }

    /// Writes a number in the low bits of a byte and, if needed, in the following bytes (RFC 7541,
    /// section 5.1).
    private static func write(_ value: Int, in bits: Int, high: UInt8, to block: inout [UInt8]) {
        let most = (1 << bits) - 1
        guard value >= most else { return block.append(high | UInt8(value)) }
        block.append(high | UInt8(most))
        var rest = value - most
        while rest >= 128 {
            block.append(UInt8(rest % 128) | 128)
            rest /= 128
        }
        block.append(UInt8(rest))
    }

    /// Writes text without Huffman coding, because most texts are written once per connection.
    private static func write(_ text: [UInt8], to block: inout [UInt8]) {
        write(text.count, in: 7, high: 0, to: &block)
        block += text
    }
}
