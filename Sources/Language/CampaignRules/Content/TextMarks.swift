import CampaignModel

/// What a text has at all, so that a rule sees at once where there is nothing for it to find.
struct TextMarks: OptionSet, Sendable {
    let rawValue: UInt8

    static let at = TextMarks(rawValue: 1)
    /// Four digits or more, wherever they stand.
    static let fourDigits = TextMarks(rawValue: 2)
    static let eightDigits = TextMarks(rawValue: 4)
    /// What every secret or registration known by its looks has: 16 characters of base64url in a
    /// row, five hyphens or `:AP`.
    static let secret = TextMarks(rawValue: 8)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// One pass over the UTF-8 bytes.
    init(_ text: String) {
        var text = text
        self = text.withUTF8 { bytes in TextMarks(bytes) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var marks: TextMarks = []
        var digits = 0
        var run = 0
        var hyphens = 0
        for (index, byte) in bytes.enumerated() {
            hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
            if byte.isDigit { digits += 1 }
            run = byte.isBase64URL ? run + 1 : 0
            if run >= 16 || hyphens >= 5 { marks.insert(.secret) }
            if byte == UInt8(ascii: "@") { marks.insert(.at) }
            if byte == UInt8(ascii: ":"), index + 2 < bytes.count,
                bytes[index + 1] == UInt8(ascii: "A"), bytes[index + 2] == UInt8(ascii: "P")
            {
                marks.insert(.secret)
            }
        }
        if digits >= 4 { marks.insert(.fourDigits) }
        if digits >= 8 { marks.insert(.eightDigits) }
        self = marks
    }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
