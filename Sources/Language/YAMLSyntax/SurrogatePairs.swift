/// Escapes such as `\ud83d\ude00`: JSON writes a character above U+FFFF as two UTF-16 units
/// (RFC 8259, section 7), which libyaml refuses.
///
/// They are read only after libyaml has refused a text. The second pass gives libyaml the character
/// in place of its escapes. Scalars of other styles than double quotes, in which `\` is an ordinary
/// character, get their text back.
extension YAMLText {
    /// The length of a pair in bytes.
    static let pairLength = 12

    /// Returns the text with its pairs to be read as characters; nil if it has none.
    func joiningSurrogatePairs() -> YAMLText? {
        var pairs: [Int] = []
        var offset = start
        while let place = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            let isPair = scalar(ofPairAt: place) != nil
            if isPair { pairs.append(place) }
            // A backslash also escapes a second one.
            offset = min(bytes.count, place + (isPair ? Self.pairLength : 2))
        }
        guard !pairs.isEmpty else { return nil }
        return YAMLText(bytes: bytes, source: source, start: start, isASCII: isASCII, pairs: pairs)
    }

    /// The bytes that libyaml reads.
    var input: ArraySlice<UInt8> {
        guard !pairs.isEmpty else { return body }
        var input: [UInt8] = []
        var end = start
        for pair in pairs {
            guard let scalar = scalar(ofPairAt: pair) else { continue }
            input += bytes[end..<pair]
            input += Array(String(Character(scalar)).utf8)
            end = pair + Self.pairLength
        }
        input += bytes[end...]
        return input[...]
    }

    /// Returns a scalar with its pairs as written, unless it is in double quotes.
    func asWritten(_ kind: YAMLEvent.Kind, in range: Range<Int>) -> YAMLEvent.Kind {
        guard !pairs.isEmpty, case .scalar(let text, let style) = kind else { return kind }
        switch style {
        case .doubleQuoted: return kind
        case .plain, .singleQuoted: return .scalar(text: restored(text, in: range), style: style)
        case .literal, .folded:
            // The line of the indicator may have a comment.
            let first = bytes[range].firstIndex(of: UInt8(ascii: "\n")) ?? range.upperBound
            let content = first..<range.upperBound
            return .scalar(text: restored(text, in: content), style: style)
        }
    }

    /// Replaces characters above U+FFFF by their escapes if the source has these in their place.
    private func restored(_ text: String, in range: Range<Int>) -> String {
        var sources = wideCharacters(in: range)[...]
        guard sources.contains(where: { $0 != nil }) else { return text }
        var restored = ""
        for scalar in text.unicodeScalars {
            if scalar.value > 0xFFFF, let source = sources.popFirst(), let pair = source {
                restored += String(decoding: bytes[pair..<pair + Self.pairLength], as: UTF8.self)
            } else {
                restored.unicodeScalars.append(scalar)
            }
        }
        return restored
    }

    /// Returns an element for each character above U+FFFF in a range: the offset of a pair, or nil
    /// for a character that is written as itself.
    private func wideCharacters(in range: Range<Int>) -> [Int?] {
        var found: [Int?] = []
        var pairs = pairs.drop { $0 < range.lowerBound }
        var offset = range.lowerBound
        while offset < range.upperBound {
            if offset == pairs.first {
                found.append(offset)
                pairs.removeFirst()
                offset += Self.pairLength
            } else {
                if bytes[offset] >= 0xF0 { found.append(nil) }
                offset += 1
            }
        }
        return found
    }

    private func scalar(ofPairAt offset: Int) -> Unicode.Scalar? {
        guard let high = unit(at: offset), (0xD800..<0xDC00).contains(high),
            let low = unit(at: offset + 6), (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    /// Returns the UTF-16 unit of the escape at an offset.
    private func unit(at offset: Int) -> UInt32? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt32(String(decoding: bytes[offset + 2..<offset + 6], as: UTF8.self), radix: 16)
    }
}

extension YAMLFailure {
    /// Whether libyaml refused an escape that may be half of a surrogate pair.
    var isInvalidEscape: Bool { problem == "found invalid Unicode character escape code" }
}
