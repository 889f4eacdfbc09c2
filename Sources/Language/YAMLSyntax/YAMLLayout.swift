/// Layout of the source that libyaml's events do not report.
extension YAMLText {
    func byte(at offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    /// Returns the anchors and tags at the beginning of a range, and the start of their content.
    func properties(in range: Range<Int>) -> (found: [Range<Int>], contentStart: Int) {
        var found: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound, let end = endOfProperty(at: offset) {
            found.append(offset..<end)
            offset = skippingBlanksAndComments(from: end)
        }
        return (found, min(offset, range.upperBound))
    }

    private func endOfProperty(at start: Int) -> Int? {
        switch byte(at: start) {
        case UInt8(ascii: "&"):
            end(of: start + 1, while: YAMLBytes.isAnchorCharacter)
        case UInt8(ascii: "!") where byte(at: start + 1) == UInt8(ascii: "<"):
            end(of: start + 1, while: { $0 != UInt8(ascii: ">") }) + 1
        case UInt8(ascii: "!"):
            end(of: start + 1) {
                !YAMLBytes.isBlankOrBreak($0) && !YAMLBytes.isFlowIndicator($0)
            }
        default: nil
        }
    }

    private func end(of start: Int, while condition: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex { !condition($0) } ?? bytes.count
    }

    private func skippingBlanks(from start: Int) -> Int {
        end(of: start, while: YAMLBytes.isBlankOrBreak)
    }

    private func skippingBlanksAndComments(from start: Int) -> Int {
        var offset = skippingBlanks(from: start)
        while offset > start, byte(at: offset) == UInt8(ascii: "#") {
            offset = skippingBlanks(from: endOfLine(from: offset))
        }
        return offset
    }

    func endOfLine(from start: Int) -> Int {
        bytes[start...].indices.first { lengthOfBreak(at: $0) != nil } ?? bytes.count
    }

    /// libyaml also breaks lines at U+0085, U+2028 and U+2029, as YAML 1.1 did.
    private func lengthOfBreak(at offset: Int) -> Int? {
        switch bytes[offset] {
        case 0x0A, 0x0D: 1
        case 0xC2 where bytes[offset + 1] == 0x85: 2
        case 0xE2 where bytes[offset + 1] == 0x80 && bytes[offset + 2] & 0xFE == 0xA8: 3
        default: nil
        }
    }

    /// Whether only blanks precede the offset on its line.
    func isFirstOnLine(_ offset: Int) -> Bool {
        let before = bytes[start..<offset].lastIndex { $0 != 0x20 && $0 != 0x09 }
        guard let last = before else { return true }
        return (1...3).contains { length in
            last + 1 - length >= start && lengthOfBreak(at: last + 1 - length) == length
        }
    }

    /// Returns the range without trailing blanks and line breaks.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        let bytes = bytes.span
        var end = range.upperBound
        while end > range.lowerBound, YAMLBytes.isBlankOrBreak(bytes[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// Returns the place of an omitted value, given the end of its key.
    func placeOfMissingValue(afterKeyEndingAt end: Int) -> Int {
        let next = skippingBlanksAndComments(from: end)
        return byte(at: next) == UInt8(ascii: ":") ? next + 1 : end
    }

    /// Returns the start of the text in the source if the source contains it verbatim.
    ///
    /// The range is from the scalar's first byte to libyaml's end of it.
    func verbatimStart(
        of text: String,
        style: SyntaxScalar.Style,
        in range: Range<Int>
    ) -> Int? {
        let start =
            switch style {
            case .plain: range.lowerBound
            case .singleQuoted, .doubleQuoted: range.lowerBound + 1
            case .literal, .folded: skippingBlanks(from: endOfLine(from: range.lowerBound))
            }
        let wanted = text.utf8.span
        guard start + wanted.count <= range.upperBound else { return nil }
        let source = bytes.span
        for place in wanted.indices where source[start + place] != wanted[place] { return nil }
        return start
    }
}

/// Classes of bytes that form YAML's layout.
enum YAMLBytes {
    static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isBlankOrBreak(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || isBreak(byte)
    }

    static func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"):
            true
        default: false
        }
    }

    /// Whether libyaml accepts the byte in an anchor's name.
    static func isAnchorCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
