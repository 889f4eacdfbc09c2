/// Base64 (RFC 4648).
package enum Base64Text {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )
    /// The value of each byte in either alphabet; 64 for other bytes.
    private static let values: [UInt8] = {
        var values = Array(repeating: UInt8(64), count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        values[Int(UInt8(ascii: "+"))] = 62
        values[Int(UInt8(ascii: "/"))] = 63
        return values
    }()

    /// The number of characters for a number of bytes, without padding.
    package static func length(of bytes: Int) -> Int { (bytes * 4 + 2) / 3 }

    /// Returns the bytes of base64 or base64url, with or without padding; nil if it is neither.
    package static func decode(_ text: String) -> [UInt8]? {
        var characters = Array(text.utf8)
        while characters.last == UInt8(ascii: "="), characters.count % 4 == 0 || padded(characters)
        {
            characters.removeLast()
        }
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var (word, bits) = (UInt32(0), 0)
        for character in characters {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        }
        // Bits beyond the last byte are zero in the only valid spelling.
        return word & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
    }

    /// Whether one of two padding characters was removed.
    private static func padded(_ characters: [UInt8]) -> Bool { characters.count % 4 == 3 }

    /// Returns base64url without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: length(of: bytes.count)) { text in
            alphabet.withUnsafeBufferPointer { alphabet in
                var place = 0
                var (word, bits) = (UInt32(0), 0)
                for byte in bytes {
                    word = word << 8 | UInt32(byte)
                    bits += 8
                    while bits >= 6 {
                        bits -= 6
                        text[place] = alphabet[Int(word >> UInt32(bits)) & 63]
                        place += 1
                    }
                }
                if bits > 0 {
                    text[place] = alphabet[Int(word << UInt32(6 - bits)) & 63]
                    place += 1
                }
                return place
            }
        }
    }
}
