import Text

extension JSONValue {
    /// The depth limit of protobuf's JSON reader, which Herald adopts for JSON from others; a value
    /// inside all arrays and objects counts as a level.
    package static let depthLimit = 100

    /// Reads JSON (RFC 8259); nil if the bytes are not one JSON text in UTF-8.
    ///
    /// Members keep their order and repeated keys, because FCM counts the entries of `data` in its
    /// messages; `1.0` stays a decimal number.
    package init?(parsing bytes: [UInt8], depthLimit: Int = JSONValue.depthLimit) {
        let value = bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(bytes: buffer, depthLimit: depthLimit)
            return try? scanner.scanText()
        }
        guard let value else { return nil }
        self = value
    }

    /// Reads JSON from a string.
    package init?(parsing text: String) {
        self.init(parsing: Array(text.utf8))
    }

    /// Reads JSON that Herald wrote.
    ///
    /// It may be nested twice as deep, because it can contain a value of a campaign that is as deep
    /// as the limit for YAML.
    package init?(stored bytes: [UInt8]) {
        self.init(parsing: bytes, depthLimit: 2 * Self.depthLimit)
    }

    /// Reads JSON that Herald wrote, from a string.
    package init?(stored text: String) {
        self.init(stored: Array(text.utf8))
    }
}

struct JSONScanner: ~Copyable {
    /// Offsets count bytes.
    enum Failure: Error, Hashable {
        case unexpected(offset: Int)
        case repeatedKey(String, offset: Int, first: Int)
        /// An escaped NUL character.
        case nul(offset: Int)
    }

    private let depthLimit: Int
    /// Whether repeated keys and NUL are failures.
    private let isStrict: Bool
    /// Valid only during the initializer that calls the scanner.
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    /// The members of all objects that are still open.
    private var members = MemberStack()

    init(
        bytes: UnsafeBufferPointer<UInt8>,
        depthLimit: Int,
        isStrict: Bool = false,
        position: Int = 0
    ) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.isStrict = isStrict
        self.position = position
    }

    mutating func scanText() throws(Failure) -> JSONValue {
        let value = try scanValue(depth: 0)
        try scanEnd()
        return value
    }

    private mutating func scanEnd() throws(Failure) {
        skipSpace()
        guard position == bytes.count else { throw unexpected }
    }

    private mutating func scanValue(depth: Int) throws(Failure) -> JSONValue {
        skipSpace()
        guard depth < depthLimit, position < bytes.count else { throw unexpected }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object(try scanObject(depth: depth))
        case UInt8(ascii: "["): return .array(try scanArray(depth: depth))
        case UInt8(ascii: "\""): return .string(try scanString())
        case UInt8(ascii: "t"): return try scan("true", as: .bool(true))
        case UInt8(ascii: "f"): return try scan("false", as: .bool(false))
        case UInt8(ascii: "n"): return try scan("null", as: .null)
        default: return try scanNumber()
        }
    }

    private mutating func scanObject(depth: Int) throws(Failure) -> JSONObject {
        position += 1
        if takes("}") { return JSONObject() }
        let first = members.count
        var places = JSONKeyPlaces()
        while true {
            let (key, offset) = try scanKey()
            if isStrict { try places.add(key, at: offset) }
            let value = try scanValue(depth: depth + 1)
            members.push(JSONObject.Member(key: key, value: value))
            if takes("}") { return JSONObject(members.pop(from: first)) }
            guard takes(",") else { throw unexpected }
        }
    }

    /// Scans a key and its colon; `offset` is that of its quotation mark.
    private mutating func scanKey() throws(Failure) -> (key: String, offset: Int) {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw unexpected
        }
        let offset = position
        let key = try scanString()
        guard takes(":") else { throw unexpected }
        return (key, offset)
    }

    private mutating func scanArray(depth: Int) throws(Failure) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        if takes("]") { return elements }
        while true {
            elements.append(try scanValue(depth: depth + 1))
            if takes("]") { return elements }
            guard takes(",") else { throw unexpected }
        }
    }

    private mutating func scan(
        _ word: String,
        as value: JSONValue
    ) throws(Failure) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw unexpected }
        position += word.utf8.count
        return value
    }

    private mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private var unexpected: Failure { .unexpected(offset: position) }
}

// Objects with places.
extension JSONScanner {
    /// Scans a text that consists of one object; nil if it begins with another value.
    mutating func scanPlacedMembers() throws(Failure) -> [PlacedJSONObject.Member]? {
        skipSpace()
        guard peek == UInt8(ascii: "{") else { return nil }
        position += 1
        var members: [PlacedJSONObject.Member] = []
        var places = JSONKeyPlaces()
        var isOpen = !takes("}")
        while isOpen {
            let (key, offset) = try scanKey()
            try places.add(key, at: offset)
            skipSpace()
            let start = position
            let value = try scanValue(depth: 1)
            members.append(
                PlacedJSONObject.Member(key: key, value: value, place: start..<position)
            )
            isOpen = !takes("}")
            guard !isOpen || takes(",") else { throw unexpected }
        }
        try scanEnd()
        return members
    }

    /// Copies a value of valid JSON up to its end, without white space between its parts.
    ///
    /// Numbers keep their spelling, and strings have only the escapes that JSON requires.
    mutating func copy(to end: Int, into writer: inout JSONWriter) throws(Failure) {
        while position < end {
            skipSpace()
            let start = position
            while position < end, bytes[position] > 0x20, bytes[position] != UInt8(ascii: "\"") {
                position += 1
            }
            writer.append(json: Array(bytes[start..<position]))
            if position < end, bytes[position] == UInt8(ascii: "\"") {
                writer.write(try scanString())
            }
        }
    }
}

// Numbers.
extension JSONScanner {
    private mutating func scanNumber() throws(Failure) -> JSONValue {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let leadsWithZero = peek == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, digits == 1 || !leadsWithZero else { throw unexpected }
        var isInteger = true
        if peek == UInt8(ascii: ".") {
            position += 1
            isInteger = false
            guard skipDigits() > 0 else { throw unexpected }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            isInteger = false
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw unexpected }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text) else { throw unexpected }
        return .number(number)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, byte.isASCIIDigit {
            position += 1
        }
        return position - start
    }
}

// Strings.
extension JSONScanner {
    private mutating func scanString() throws(Failure) -> String {
        position += 1
        let start = position
        var seen: UInt8 = 0
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw unexpected }
            seen |= byte
            position += 1
        }
        guard peek == UInt8(ascii: "\"") else { return try scanEscapedString(from: start) }
        defer { position += 1 }
        let plain = UnsafeBufferPointer(rebasing: bytes[start..<position])
        // Skips validation for ASCII, because it costs more than everything else.
        return seen < 0x80 ? String(decoding: plain, as: UTF8.self) : try text(of: plain)
    }

    private mutating func scanEscapedString(from start: Int) throws(Failure) -> String {
        var plain = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(of: plain)
            case UInt8(ascii: "\\"): plain.append(contentsOf: try scanEscape())
            case 0x20...: plain.append(byte)
            default: throw unexpected
            }
        }
        throw unexpected
    }

    private func text(of bytes: some Sequence<UInt8>) throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected }
        return text
    }

    private mutating func scanEscape() throws(Failure) -> [UInt8] {
        guard let byte = peek else { throw unexpected }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try scanScalar()
        default: throw unexpected
        }
    }

    private mutating func scanScalar() throws(Failure) -> [UInt8] {
        let start = position - 2
        var code = try scanHexadecimal()
        if code == 0, isStrict { throw .nul(offset: start) }
        if (0xD800..<0xDC00).contains(code) {
            guard bytes[position...].starts(with: "\\u".utf8) else { throw unexpected }
            position += 2
            let low = try scanHexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw unexpected }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw unexpected }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func scanHexadecimal() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { throw unexpected }
            position += 1
            code = code << 4 + UInt32(digit)
        }
        return code
    }
}
