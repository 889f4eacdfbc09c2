/// Two hexadecimal digits per byte, most significant first.
package enum Hexadecimal {
    package enum LetterCase: Sendable {
        case lower
        case upper
    }

    package static func text(
        of bytes: some Sequence<UInt8>,
        letters: LetterCase = .lower
    ) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4, letters: letters))
            text.append(digit(byte & 15, letters: letters))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Sixteen digits.
    package static func text(of number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 {
                text[place] = digit(UInt8(number >> UInt64(60 - 4 * place) & 15), letters: .lower)
            }
            return 16
        }
    }

    /// Reads digits in upper or lower case; nil if the text is anything else.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let value = character.asciiHexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ value: UInt8, letters: LetterCase) -> UInt8 {
        switch (value, letters) {
        case (..<10, _): UInt8(ascii: "0") + value
        case (_, .lower): UInt8(ascii: "a") + value - 10
        case (_, .upper): UInt8(ascii: "A") + value - 10
        }
    }
}
