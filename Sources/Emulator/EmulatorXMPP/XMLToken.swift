/// A part of an XML text.
enum XMLToken: Equatable {
    case open(XMLTag, isEmpty: Bool)
    case close(name: String)
    case text(String)
}

struct XMLTag: Equatable {
    /// As written, with a prefix if it has one.
    let name: String
    let attributes: [String: String]
}

/// Why a stream of XML cannot be used (RFC 6120, section 4.9.3).
package enum XMPPStreamProblem: String, Error, Hashable, Sendable {
    case notWellFormed = "not-well-formed"
    /// A document type, a comment, a processing instruction or an entity reference.
    case restrictedXML = "restricted-xml"
    /// A stanza is larger than the limit.
    case policyViolation = "policy-violation"
    case invalidNamespace = "invalid-namespace"
    case unsupportedStanzaType = "unsupported-stanza-type"
    case notAuthorized = "not-authorized"
}

/// Splits bytes that arrive in pieces into tokens.
///
/// XMPP forbids document types, comments, processing instructions and entities other than the five
/// predefined ones (RFC 6120, section 11.1), so that nothing can expand.
struct XMLTokenizer {
    private var bytes: [UInt8] = []
    private var position = 0
    private var hasBegun = false
    /// The bytes of the tokens since the last call of `restartCount`.
    private var count = 0

    /// The largest stanza, in bytes.
    static let limit = 65_536

    mutating func append(_ more: [UInt8]) {
        if position > 0 { bytes.removeFirst(position) }
        position = 0
        bytes += more
    }

    mutating func restartCount() { count = 0 }

    /// Allows an XML declaration at the next place, where another stream begins.
    mutating func expectDeclaration() {
        hasBegun = false
        count = 0
    }

    /// Returns nil if the next token is not complete.
    mutating func next() throws(XMPPStreamProblem) -> XMLToken? {
        guard position < bytes.count else { return nil }
        let end: Int?
        var token: XMLToken?
        if bytes[position] != UInt8(ascii: "<") {
            end = bytes[position...].firstIndex(of: UInt8(ascii: "<"))
            if let end { token = .text(try text(of: position..<end)) }
        } else if starts(with: "<?") {
            return try skipDeclaration()
        } else if starts(with: "<!") {
            return try characterData()
        } else {
            end = try tagEnd()
            if let end {
                token = try tag(in: position..<end)
                hasBegun = true
            }
        }
        return try finish(token, at: end)
    }

    private mutating func finish(
        _ token: XMLToken?,
        at end: Int?
    ) throws(XMPPStreamProblem) -> XMLToken? {
        let size = (end ?? bytes.count) - position
        guard count + size <= Self.limit else { throw .policyViolation }
        guard let end else { return nil }
        count += size
        position = end
        return token
    }

    private func starts(with text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }

    /// Only the XML declaration at the beginning is allowed.
    private mutating func skipDeclaration() throws(XMPPStreamProblem) -> XMLToken? {
        guard !hasBegun else { throw .restrictedXML }
        guard let end = end(after: "?>") else {
            guard bytes.count - position < 256 else { throw .notWellFormed }
            return nil
        }
        guard starts(with: "<?xml ") else { throw .restrictedXML }
        position = end
        hasBegun = true
        return try next()
    }

    private mutating func characterData() throws(XMPPStreamProblem) -> XMLToken? {
        let opening = "<![CDATA["
        let known = bytes[position...].prefix(opening.utf8.count)
        guard opening.utf8.starts(with: known) else { throw .restrictedXML }
        guard let end = end(after: "]]>") else { return try finish(nil, at: nil) }
        let content = bytes[position + opening.utf8.count..<end - 3]
        return try finish(.text(try Self.string(content)), at: end)
    }

    private func end(after mark: String) -> Int? {
        let mark = Array(mark.utf8)
        guard bytes.count - position >= mark.count else { return nil }
        return (position...bytes.count - mark.count).first { bytes[$0...].starts(with: mark) }
            .map { $0 + mark.count }
    }

    /// The index after the `>` of a tag, which is not inside a quoted value.
    private func tagEnd() throws(XMPPStreamProblem) -> Int? {
        var quote: UInt8?
        for index in bytes.indices[(position + 1)...] {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if byte == UInt8(ascii: "<") {
                throw .notWellFormed
            }
        }
        return nil
    }

    private static func string(_ bytes: some Sequence<UInt8>) throws(XMPPStreamProblem) -> String {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw .notWellFormed
        }
        return text
    }
}

// MARK: - Tags and references

extension XMLTokenizer {
    private func tag(in range: Range<Int>) throws(XMPPStreamProblem) -> XMLToken {
        var content = bytes[range.lowerBound + 1..<range.upperBound - 1]
        if content.first == UInt8(ascii: "/") {
            let name = try Self.string(content.dropFirst().prefix { !$0.isXMLSpace })
            guard !name.isEmpty else { throw .notWellFormed }
            return .close(name: name)
        }
        let isEmpty = content.last == UInt8(ascii: "/")
        if isEmpty { content.removeLast() }
        let name = try Self.string(content.prefix { !$0.isXMLSpace })
        guard !name.isEmpty else { throw .notWellFormed }
        let rest = content.dropFirst(name.utf8.count)
        return .open(XMLTag(name: name, attributes: try attributes(rest)), isEmpty: isEmpty)
    }

    private func attributes(
        _ text: ArraySlice<UInt8>
    ) throws(XMPPStreamProblem) -> [String: String] {
        var rest = text.drop(while: \.isXMLSpace)
        var attributes: [String: String] = [:]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { throw .notWellFormed }
            let name = try Self.string(rest[..<equals].filter { !$0.isXMLSpace })
            rest = rest[(equals + 1)...].drop(while: \.isXMLSpace)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.dropFirst().firstIndex(of: quote)
            else { throw .notWellFormed }
            let value = try self.text(of: rest.startIndex + 1..<end)
            guard !name.isEmpty, attributes.updateValue(value, forKey: name) == nil else {
                throw .notWellFormed
            }
            rest = rest[(end + 1)...].drop(while: \.isXMLSpace)
        }
        return attributes
    }

    /// The text of a range, with its references replaced.
    private func text(of range: Range<Int>) throws(XMPPStreamProblem) -> String {
        var text: [UInt8] = []
        var rest = bytes[range]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else {
                throw .notWellFormed
            }
            text += try Self.reference(try Self.string(rest[start + 1..<end])).utf8
            rest = rest[(end + 1)...]
        }
        return try Self.string(text + rest)
    }

    private static func reference(_ name: String) throws(XMPPStreamProblem) -> String {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { throw .restrictedXML }
            let digits = name.dropFirst()
            let number =
                digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let scalar = number.flatMap(Unicode.Scalar.init), scalar.value > 0 else {
                throw .notWellFormed
            }
            return String(Character(scalar))
        }
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
