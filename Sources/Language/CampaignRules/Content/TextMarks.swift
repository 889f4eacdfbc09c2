import CampaignModel
import Text

/// Features of a text, so that a rule can quickly skip texts without findings.
struct TextMarks: OptionSet, Sendable {
    let rawValue: UInt8

    static let at = TextMarks(rawValue: 1)
    /// At least four digits in total.
    static let fourDigits = TextMarks(rawValue: 2)
    static let eightDigits = TextMarks(rawValue: 4)
    /// A feature of all secrets and registrations that are recognized by their form.
    ///
    /// It is 16 consecutive characters of base64url, five hyphens or `:AP`.
    static let secret = TextMarks(rawValue: 8)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Computes the features in one pass over the UTF-8 bytes.
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
            if byte.isASCIIDigit { digits += 1 }
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
