/// Parses the bytes of a CSV file (RFC 4180) into records.
///
/// Lines end in CRLF or LF; empty lines are skipped. The parser holds one record of at most
/// `maximumLength` bytes.
struct CSVParser {
    enum Row: Hashable {
        /// `line` is the first line of the record, counted from 1.
        case record([String], line: Int)
        case broken(RegistrationListError.BrokenLine)
    }

    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// A quotation mark inside a quoted field: the field's end, or the first of two.
        case quoteSeen
        case carriageReturn
        /// Skips to the end of a broken line.
        case skipping
    }

    /// 1 MiB.
    static let maximumLength = 1_048_576

    /// Whether parsing cannot continue because the file's quotation marks are unbalanced.
    private(set) var isLost = false
    private var state = State.fieldStart
    private var field: [UInt8] = []
    private var isQuoted = false
    private var fields: [String] = []
    private var fault: RegistrationListError.BrokenLine?
    private var length = 0
    private var line = 1
    private var firstLine = 1
    private var quoteLine = 1

    /// Returns the record that ends with this byte, if one does.
    mutating func take(_ byte: UInt8) -> Row? {
        guard byte != Self.lineFeed || state == .quoted else { return endRecord() }
        if byte == Self.lineFeed { line += 1 }
        if byte != Self.carriageReturn || state == .quoted { length += 1 }
        if length > Self.maximumLength, state != .skipping {
            if state == .quoted || state == .quoteSeen { return lose(Self.endlessQuote) }
            fail("it is longer than 1 MiB")
        }
        change(byte)
        return nil
    }

    private mutating func change(_ byte: UInt8) {
        switch (state, byte) {
        case (.skipping, _): break
        case (.carriageReturn, _): fail("it has a carriage return without a line feed")
        case (.quoted, Self.quote): state = .quoteSeen
        case (.quoted, _), (.quoteSeen, Self.quote):
            field.append(byte)
            state = .quoted
        case (_, Self.comma): endField()
        case (_, Self.carriageReturn): state = .carriageReturn
        case (.fieldStart, Self.quote):
            state = .quoted
            isQuoted = true
            quoteLine = line
        case (.quoteSeen, _): fail("a field has text after its closing quotation mark")
        case (_, Self.quote): fail("a field without quotes contains a quotation mark")
        default:
            field.append(byte)
            state = .unquoted
        }
    }

    /// Returns the record that ends with the file, if one does.
    mutating func finish() -> Row? {
        guard !isLost else { return nil }
        return state == .quoted
            ? lose("a quoted field is not closed") : endRecord()
    }

    /// Reports the error at the quotation mark that opened the field.
    private mutating func lose(_ reason: String) -> Row {
        isLost = true
        return .broken(RegistrationListError.BrokenLine(number: quoteLine, reason: reason))
    }

    private mutating func fail(_ reason: String) {
        fault = RegistrationListError.BrokenLine(number: line, reason: reason)
        field = []
        fields = []
        state = .skipping
    }

    private mutating func endField() {
        if let text = String(validating: field, as: UTF8.self) {
            fields.append(text)
        } else if fault == nil {
            fault = RegistrationListError.BrokenLine(number: firstLine, reason: "it is not UTF-8")
        }
        field.removeAll(keepingCapacity: true)
        isQuoted = false
        state = .fieldStart
    }

    private mutating func endRecord() -> Row? {
        defer { beginRecord() }
        if let fault { return .broken(fault) }
        if fields.isEmpty, field.isEmpty, !isQuoted { return nil }
        endField()
        return fault.map(Row.broken) ?? .record(fields, line: firstLine)
    }

    private mutating func beginRecord() {
        line += 1
        firstLine = line
        length = 0
        fields = []
        field.removeAll(keepingCapacity: true)
        fault = nil
        isQuoted = false
        state = .fieldStart
    }

    private static let endlessQuote =
        "a quoted field is longer than 1 MiB; is its closing quotation mark missing?"
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
}
