import Text

/// A part of a text with its place in the whole text.
struct TextPart: Hashable, Sendable {
    /// The indices are UTF-8 offsets in the whole text.
    let bytes: ArraySlice<UInt8>

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)[...]
    }

    private init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// UTF-8 offsets in the whole text.
    var range: Range<Int> { bytes.startIndex..<bytes.endIndex }
    var isEmpty: Bool { bytes.isEmpty }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var uppercased: String { text.uppercased() }
    var first: UInt8? { bytes.first }

    /// Splits at a separator; empty parts are kept.
    func split(at separator: Unicode.Scalar) -> [TextPart] {
        bytes.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
            .map(TextPart.init(bytes:))
    }

    /// Splits at spaces and tabs.
    func words() -> [TextPart] {
        bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map(TextPart.init(bytes:))
    }

    /// Splits at the first separator; nil if there is none.
    func halves(at separator: Unicode.Scalar) -> (TextPart, TextPart)? {
        guard let index = bytes.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (TextPart(bytes: bytes[..<index]), TextPart(bytes: bytes[(index + 1)...]))
    }

    func dropFirst(_ count: Int = 1) -> TextPart { TextPart(bytes: bytes.dropFirst(count)) }
    func dropLast(_ count: Int = 1) -> TextPart { TextPart(bytes: bytes.dropLast(count)) }
    func suffix(_ count: Int) -> TextPart { TextPart(bytes: bytes.suffix(count)) }

    /// The number, if the text consists of one to nine decimal digits.
    var number: Int? {
        var scanner = ASCIIScanner(bytes)
        guard let number = scanner.number(digits: 1...9), scanner.isAtEnd else { return nil }
        return number
    }

    /// The number with an optional sign.
    var signedNumber: Int? {
        switch first {
        case UInt8(ascii: "-"): dropFirst().number.map { -$0 }
        case UInt8(ascii: "+"): dropFirst().number
        default: number
        }
    }
}
