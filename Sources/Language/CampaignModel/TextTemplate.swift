/// A text of a message in which `{{column}}` stands for a row's value in a column of the list.
///
/// There are no sections, no conditions and no way to write `{{` itself. Spaces around the name are
/// ignored.
package struct TextTemplate: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case literal(String)
        /// The name of a column.
        case column(String)
    }

    /// Without empty literals.
    package let parts: [Part]
    /// The bytes of the placeholders themselves, with their braces.
    package let placeholderBytes: Int

    /// Why a text is not a template, and the UTF-8 bytes of the faulty part.
    package struct Fault: Error, Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// `{{` without `}}` on the same line.
            case unclosed
            /// `{{}}`.
            case unnamed
            /// The name contains a brace or a control character.
            case badName
        }

        package let kind: Kind
        package let range: Range<Int>
    }

    package init(parsing text: String) throws(Fault) {
        var parts: [Part] = []
        let bytes = Array(text.utf8)
        var (start, place) = (0, 0)
        while let open = bytes.first(pair: UInt8(ascii: "{"), from: place) {
            guard let close = bytes.first(pair: UInt8(ascii: "}"), from: open + 2) else {
                throw Fault(kind: .unclosed, range: open..<open + 2)
            }
            let inner = String(decoding: bytes[open + 2..<close], as: UTF8.self)
            let name = inner.withoutSpaces
            guard !name.isEmpty else { throw Fault(kind: .unnamed, range: open..<close + 2) }
            guard name.utf8.allSatisfy(Self.isNameByte) else {
                let isUnclosed = inner.contains("{{") || inner.contains("\n")
                throw isUnclosed
                    ? Fault(kind: .unclosed, range: open..<open + 2)
                    : Fault(kind: .badName, range: open..<close + 2)
            }
            if open > start {
                parts.append(.literal(String(decoding: bytes[start..<open], as: UTF8.self)))
            }
            parts.append(.column(name))
            (start, place) = (close + 2, close + 2)
        }
        if start < bytes.count || parts.isEmpty && !bytes.isEmpty {
            parts.append(.literal(String(decoding: bytes[start...], as: UTF8.self)))
        }
        self.parts = parts
        placeholderBytes = parts.reduce(bytes.count) { rest, part in
            if case .literal(let text) = part { rest - text.utf8.count } else { rest }
        }
    }

    /// Returns the UTF-8 bytes of a column's first placeholder in a text, with its braces.
    package static func place(of column: String, in text: String) -> Range<Int>? {
        guard let template = try? TextTemplate(parsing: text) else { return nil }
        let bytes = Array(text.utf8)
        var place = 0
        for part in template.parts {
            switch part {
            case .literal(let text): place += text.utf8.count
            case .column(let name):
                guard let end = bytes.first(pair: UInt8(ascii: "}"), from: place) else {
                    return nil
                }
                if name == column { return place..<end + 2 }
                place = end + 2
            }
        }
        return nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "}")
    }

    /// The columns, in the order of their first mention.
    package var columns: [String] {
        var seen: Set<String> = []
        return parts.compactMap { part in
            guard case .column(let name) = part, seen.insert(name).inserted else { return nil }
            return name
        }
    }
}

extension [UInt8] {
    /// Returns the place of two equal bytes in a row.
    fileprivate func first(pair byte: UInt8, from start: Int) -> Int? {
        guard count >= 2, start <= count - 2 else { return nil }
        return (start...count - 2).first { self[$0] == byte && self[$0 + 1] == byte }
    }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate var withoutSpaces: String {
        let space = UInt8(ascii: " ")
        guard let first = utf8.firstIndex(where: { $0 != space }),
            let last = utf8.lastIndex(where: { $0 != space })
        else { return "" }
        return String(self[first...last])
    }
}
