import Text

/// Finds placeholders of other systems.
///
/// These are `%1$s`, `${name}`, `<%= name %>`, `[[name]]`, `*|NAME|*`, `%%NAME%%`, `{name}`, `{0}`,
/// `{% if … %}`, and a `}}` without a beginning. The content of `{{…}}` is skipped, because it is a
/// column of the list.
struct ForeignPlaceholder {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The first placeholder, in the text's UTF-8 bytes.
    static func place(in text: String) -> Range<Int>? {
        var text = text
        return text.withUTF8 { bytes in
            // Most texts contain none of these bytes.
            guard bytes.contains(where: canBegin) else { return nil }
            return ForeignPlaceholder(bytes: bytes).first
        }
    }

    private let bytes: Bytes

    private var first: Range<Int>? {
        var index = 0
        while index < bytes.count {
            if Self.canBegin(bytes[index]) {
                if let end = end(from: index) { return index..<end }
                index = passed(from: index)
            } else {
                index += 1
            }
        }
        return nil
    }

    private static func canBegin(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "%"), UInt8(ascii: "$"),
            UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "*"):
            true
        default: false
        }
    }

    /// Returns the end of the placeholder that begins here, if one does.
    private func end(from index: Int) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "%"): percentEnd(index)
        case UInt8(ascii: "{"): braceEnd(index)
        case UInt8(ascii: "$"): has("${", at: index) ? nameEnd(index + 2, closedBy: "}") : nil
        case UInt8(ascii: "["): has("[[", at: index) ? nameEnd(index + 2, closedBy: "]]") : nil
        case UInt8(ascii: "*"): has("*|", at: index) ? nameEnd(index + 2, closedBy: "|*") : nil
        case UInt8(ascii: "<"): has("<%", at: index) ? end(of: "%>", after: index + 2) : nil
        default: danglingEnd(index)
        }
    }

    /// Returns the index at which the search continues if no placeholder begins here.
    private func passed(from index: Int) -> Int {
        if has("{{", at: index), let end = end(of: "}}", after: index + 2) { return end }
        return has("%%", at: index) ? index + 2 : index + 1
    }
}

// MARK: - Per cent signs

extension ForeignPlaceholder {
    private func percentEnd(_ index: Int) -> Int? {
        if has("%%", at: index) { return nameEnd(index + 2, closedBy: "%%") }
        // A percentage such as 5%, regardless of the next character.
        guard index == 0 || !bytes[index - 1].isASCIIDigit else { return nil }
        if has("%(", at: index) {
            return nameEnd(index + 2, closedBy: ")").flatMap(conversionEnd)
        }
        if index == 0 || !isLetter(bytes[index - 1]),
            let end = nameEnd(index + 1, closedBy: "%"), end - index >= 5
        {
            return end
        }
        return formatEnd(index + 1)
    }

    /// Matches `1$s`, `.2f`, `02d`, `ld`, `@`: formats of C, Java, Objective-C and Python.
    ///
    /// Formats with a blank or only a width are excluded, because they are percentages or parts of
    /// addresses (`%2d`).
    private func formatEnd(_ start: Int) -> Int? {
        var index = skipDigits(start)
        if index > start {
            if has("$", at: index) {
                index = skipPrecision(index + 1)
            } else {
                guard bytes[start] == UInt8(ascii: "0"), index > start + 1 || has(".", at: index)
                else { return nil }
                index = skipPrecision(index)
            }
        } else {
            index = skipPrecision(index)
        }
        while has("l", at: index) { index += 1 }
        return conversionEnd(index)
    }

    /// Matches the letter of the conversion; no letter or digit may follow it.
    private func conversionEnd(_ index: Int) -> Int? {
        guard index < bytes.count, "sd@fiu".utf8.contains(bytes[index]) else { return nil }
        let end = index + 1
        return end < bytes.count && (isLetter(bytes[end]) || bytes[end].isASCIIDigit) ? nil : end
    }

    private func skipPrecision(_ index: Int) -> Int {
        has(".", at: index) ? skipDigits(index + 1) : index
    }

    private func skipDigits(_ index: Int) -> Int {
        bytes[index...].firstIndex { !$0.isASCIIDigit } ?? bytes.count
    }
}

// MARK: - Braces

extension ForeignPlaceholder {
    private func braceEnd(_ index: Int) -> Int? {
        if has("{{", at: index) { return nil }
        if has("{%", at: index) { return end(of: "%}", after: index + 2) }
        let digits = skipDigits(index + 1)
        if digits > index + 1, digits <= index + 3, has("}", at: digits) { return digits + 1 }
        let start = has("$", at: index + 1) ? index + 2 : index + 1
        // `{o}` and similar texts are emoticons.
        if let end = nameEnd(start, closedBy: "}"), end - start >= 3 { return end }
        return messageFormatEnd(start)
    }

    /// Matches `{count, plural, …}`, up to the end of the kind.
    private func messageFormatEnd(_ start: Int) -> Int? {
        let name = endOfName(start)
        guard name > start, has(",", at: name) else { return nil }
        let kind = bytes[(name + 1)...].firstIndex { $0 != 0x20 } ?? bytes.count
        let kinds = ["plural", "select", "selectordinal", "number", "date", "time"]
        let end = endOfName(kind)
        return kinds.contains { bytes[kind..<end].elementsEqual($0.utf8) } ? end : nil
    }

    /// Matches `name}}` without its beginning; `:-}}` is an emoticon.
    private func danglingEnd(_ index: Int) -> Int? {
        guard has("}}", at: index), index > 0 else { return nil }
        var last = index - 1
        if bytes[last] == 0x20, last > 0 { last -= 1 }
        let isName = isLetter(bytes[last]) || bytes[last].isASCIIDigit
        return isName ? index + 2 : nil
    }
}

// MARK: - Names

extension ForeignPlaceholder {
    /// Returns the end of a name with its closing mark.
    private func nameEnd(_ start: Int, closedBy close: StaticString) -> Int? {
        let end = endOfName(start)
        guard end > start, end - start <= 64, has(close, at: end) else { return nil }
        return end + close.utf8CodeUnitCount
    }

    /// A name begins with an ASCII letter or `_`.
    private func endOfName(_ start: Int) -> Int {
        guard start < bytes.count, bytes[start].isASCIILetter || bytes[start] == UInt8(ascii: "_")
        else { return start }
        return bytes[start...].firstIndex { !isNameByte($0) } ?? bytes.count
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte.isASCIIDigit || "_.:-".utf8.contains(byte)
    }

    private func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte >= 0x80 }

    /// Returns the end of a mark within the next 100 bytes.
    private func end(of mark: StaticString, after start: Int) -> Int? {
        let limit = min(bytes.count, start + 100)
        guard start < limit else { return nil }
        return (start..<limit).first { has(mark, at: $0) }.map { $0 + mark.utf8CodeUnitCount }
    }

    private func has(_ mark: StaticString, at index: Int) -> Bool {
        mark.withUTF8Buffer { mark in
            guard index + mark.count <= bytes.count else { return false }
            return mark.indices.allSatisfy { bytes[index + $0] == mark[$0] }
        }
    }
}
