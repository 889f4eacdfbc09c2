extension JSONValue {
    /// Compact JSON: no white space, members in order, and only the escapes that JSON requires.
    package var compactText: String {
        String(decoding: compactBytes, as: UTF8.self)
    }

    /// The UTF-8 bytes of `compactText`.
    package var compactBytes: [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.write(self)
        return writer.bytes
    }

    /// Readable JSON: one member per line, indented by two spaces, without a final line break.
    package var prettyText: String {
        var writer = JSONWriter(layout: .pretty)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Appends JSON values to a buffer of UTF-8.
package struct JSONWriter {
    package enum Layout {
        case compact
        case pretty
    }

    package private(set) var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0

    package init(layout: Layout) {
        self.layout = layout
    }

    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(String(integer))
        case .number(let number): append(number.isFinite ? "\(number)" : "null")
        case .string(let text): write(text)
        case .array(let elements):
            writeList(open: "[", close: "]", of: elements) { $0.write($1) }
        case .object(let object):
            writeList(open: "{", close: "}", of: object.members) { writer, member in
                writer.write(member.key)
                writer.append(writer.layout == .pretty ? ": " : ":")
                writer.write(member.value)
            }
        }
    }

    /// Reserves capacity for this many bytes in total.
    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Clears the buffer; keeps its memory unless that exceeds a limit.
    package mutating func removeAll(keepingUpTo limit: Int) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= limit)
    }

    /// Appends encoded JSON, or a part of it.
    package mutating func append(json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    /// Appends encoded JSON, or a part of it.
    package mutating func append(json: String) {
        bytes.append(contentsOf: json.utf8)
    }

    /// Writes a string with quotation marks.
    package mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        switch layout {
        case .compact: writeContent(text.utf8)
        case .pretty: writeForPeople(text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Also escapes characters that control a terminal or are invisible.
    ///
    /// These are C1 controls, marks that reorder text, and characters without width.
    private mutating func writeForPeople(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x80...0x9F, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
                0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
                for unit in String(scalar).utf16 { appendEscape(unit) }
            default: writeContent(String(scalar).utf8)
            }
        }
    }

    /// Returns the number of bytes that `writeContent` writes.
    package static func length(ofContent text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            bytes.reduce(bytes.count) { $0 + ($1.needsEscape ? $1.escapeLength - 1 : 0) }
        }
    }

    /// Writes the content of a string without quotation marks.
    package mutating func writeContent(of text: String) { writeContent(text.utf8) }

    private mutating func writeContent(_ text: String.UTF8View) {
        if text.withContiguousStorageIfAvailable({ writeContent($0) }) == nil {
            Array(text).withUnsafeBufferPointer { writeContent($0) }
        }
    }

    /// Appends runs without escapes in one piece.
    private mutating func writeContent(_ text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for place in text.indices where text[place].needsEscape {
            bytes.append(contentsOf: text[plain..<place])
            appendEscape(text[place])
            plain = place + 1
        }
        bytes.append(contentsOf: text[plain...])
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default: appendEscape(UInt16(byte))
        }
    }

    private mutating func writeList<Element>(
        open: String,
        close: String,
        of elements: [Element],
        each writeElement: (inout JSONWriter, Element) -> Void
    ) {
        append(open)
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            writeElement(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        append(close)
    }

    private mutating func breakLine() {
        guard layout == .pretty else { return }
        append("\n" + String(repeating: "  ", count: depth))
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
}

extension UInt8 {
    fileprivate var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self == 0x7F
    }

    /// The number of bytes of its escape.
    fileprivate var escapeLength: Int {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: 2
        default: 6
        }
    }
}
