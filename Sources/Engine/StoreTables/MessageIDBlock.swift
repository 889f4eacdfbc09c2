/// Packed message IDs: those that one transaction records for a unit.
///
/// A block contains its length, a checksum and its entries. An entry is the distance from the
/// previous request number, and the ID without the file's common prefix.
package enum MessageIDBlock {
    package typealias Entry = (request: Int, id: String)

    /// The size of a block's header: length and checksum, four bytes each.
    package static let headerSize = 8

    package static func pack(_ entries: [Entry], prefix: String) -> [UInt8] {
        var body: [UInt8] = []
        var last = 0
        for entry in entries {
            body.appendNumber(zigzag(entry.request - last))
            last = entry.request
            let isWhole = !entry.id.hasPrefix(prefix)
            let text = isWhole ? entry.id.utf8[...] : entry.id.utf8.dropFirst(prefix.utf8.count)
            body.appendNumber(UInt64(text.count) << 1 | (isWhole ? 1 : 0))
            body += text
        }
        return bytes(of: UInt32(truncatingIfNeeded: body.count)) + bytes(of: checksum(body)) + body
    }

    /// Returns the length of a block's entries and their checksum, or nil if it is not a header.
    package static func header(_ bytes: ArraySlice<UInt8>) -> (length: Int, checksum: UInt32)? {
        guard bytes.count >= headerSize else { return nil }
        let length = number(bytes.prefix(4))
        return length == 0 ? nil : (Int(length), number(bytes.dropFirst(4).prefix(4)))
    }

    /// Nil if the bytes are not entries.
    package static func unpack(_ bytes: ArraySlice<UInt8>, prefix: String) -> [Entry]? {
        var rest = bytes
        var entries: [Entry] = []
        var last = 0
        while !rest.isEmpty {
            guard let step = rest.takeNumber(), let size = rest.takeNumber(),
                size >> 1 <= UInt64(rest.count)
            else { return nil }
            let (request, overflow) = last.addingReportingOverflow(unzigzag(step))
            guard !overflow else { return nil }
            last = request
            let text = String(decoding: rest.prefix(Int(size >> 1)), as: UTF8.self)
            rest = rest.dropFirst(Int(size >> 1))
            entries.append((request, size & 1 == 0 ? prefix + text : text))
        }
        return entries
    }

    /// The 32-bit FNV-1a hash (RFC 9923).
    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func zigzag(_ number: Int) -> UInt64 {
        UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
    }

    private static func unzigzag(_ number: UInt64) -> Int {
        Int(truncatingIfNeeded: number >> 1) ^ -Int(number & 1)
    }
}

extension [UInt8] {
    /// Appends seven bits per byte, lowest first; the highest bit means that more follow.
    fileprivate mutating func appendNumber(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeNumber() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = popFirst(), shift < 64 {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }
}
