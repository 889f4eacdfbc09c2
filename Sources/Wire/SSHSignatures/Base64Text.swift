/// Base64 as OpenSSH reads it: white space is ignored, everything else is strict.
enum Base64Text {
    /// Nil for another character, missing or wrong padding, and unused bits that are not zero.
    static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text where !isSpace(character) {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            digits += 1
            if digits % 4 == 0 {
                bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
                bits = 0
            }
        }
        switch (digits % 4, padding) {
        case (0, 0): return bytes
        case (2, 2) where bits & 15 == 0: return bytes + [UInt8(bits >> 4 & 255)]
        case (3, 1) where bits & 3 == 0:
            return bytes + [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: return nil
        }
    }

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let missing = UInt32(8 * (3 - part.count))
            let bits = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << missing
            for place in 0...3 {
                let value = Int(bits >> UInt32(18 - 6 * place) & 63)
                text.append(place <= part.count ? alphabet[value] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// White space in C's default locale.
    static func isSpace(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || (9...13).contains(character)
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
