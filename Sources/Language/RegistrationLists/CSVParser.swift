import Text

/// A field of a CSV file.
struct CSVField: Hashable {
    let text: String
    /// The line and the byte at which it begins, from 1.
    let line: Int
    let byte: Int
}

/// A record of a CSV file.
struct CSVRecord: Hashable {
    let fields: [CSVField]
    /// Its first line, from 1.
    let line: Int
    /// The byte after its last field, from 1, and the line of that byte.
    let end: Int
    let lastLine: Int
}

/// Parses the bytes of a CSV file (RFC 4180) into records.
///
/// Lines end in CRLF or LF; empty lines are skipped. The parser holds one record of at most 1 MiB.
struct CSVParser {
    enum Row: Hashable {
        case record(CSVRecord)
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

    /// A place in the file; the offset counts bytes from 0.
    private struct Place {
        var line = 1
        var offset = 0
    }

    /// Whether parsing cannot continue because the file's quotation marks are unbalanced.
    private(set) var isLost = false
    private var state = State.fieldStart
    private var field: [UInt8] = []
    private var isQuoted = false
    private var fields: [CSVField] = []
    private var fault: RegistrationListError.BrokenLine?
    private var length = 0
    private var place = Place()
    private var recordStart = Place()
    private var fieldStart = Place()

    private static let maximumLength = RegistrationListError.BrokenLine.maximumLength

    /// Skips bytes at the beginning of the file.
    mutating func skip(_ count: Int) {
        place.offset += count
        recordStart = place
        fieldStart = place
    }

    /// Takes bytes from a position to the end of a record, and returns the record.
    ///
    /// Returns nil if no record ends in the bytes.
    mutating func take(_ bytes: [UInt8], from position: inout Int) -> Row? {
        while position < bytes.count {
            if let row = takeOrdinary(bytes, from: &position) { return row }
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            if let row = takeSpecial(byte) { return row }
        }
        return nil
    }

    /// Returns the record that ends with the file, if one does.
    mutating func finish() -> Row? {
        guard !isLost else { return nil }
        return state == .quoted
            ? lose("a quoted field is not closed") : endRecord()
    }
}

// MARK: - Bytes

extension CSVParser {
    /// Takes bytes that only extend a field or a broken line.
    private mutating func takeOrdinary(_ bytes: [UInt8], from position: inout Int) -> Row? {
        let start = position
        switch state {
        case .fieldStart, .unquoted:
            position = bytes.index(of: Self.endsUnquoted, from: start)
            guard position > start else { return nil }
            state = .unquoted
        case .quoted: position = bytes.index(of: Self.endsQuoted, from: start)
        case .skipping:
            position = bytes.index(of: { $0 == Self.lineFeed }, from: start)
            place.offset += position - start
            return nil
        case .quoteSeen, .carriageReturn: return nil
        }
        field += bytes[start..<position]
        place.offset += position - start
        return lengthen(by: position - start)
    }

    private mutating func takeSpecial(_ byte: UInt8) -> Row? {
        if byte == Self.lineFeed, state != .quoted { return endRecord() }
        change(byte)
        place.offset += 1
        if byte == Self.lineFeed { place.line += 1 }
        return byte == Self.carriageReturn && state != .quoted ? nil : lengthen(by: 1)
    }

    private mutating func change(_ byte: UInt8) {
        switch (state, byte) {
        case (.skipping, _): break
        case (.carriageReturn, _):
            place.offset -= 1
            fail("it has a carriage return without a line feed")
            place.offset += 1
        case (.quoted, Self.quote): state = .quoteSeen
        case (.quoteSeen, Self.quote):
            field.append(byte)
            state = .quoted
        case (_, 0):
            note(RegistrationListError.BrokenLine.nul)
            if state == .fieldStart { state = .unquoted }
        case (.quoted, _): field.append(byte)
        case (_, Self.comma): endField()
        case (_, Self.carriageReturn): state = .carriageReturn
        case (.fieldStart, Self.quote):
            state = .quoted
            isQuoted = true
        case (.quoteSeen, _): fail("a field has text after its closing quotation mark")
        case (_, Self.quote): fail("a field without quotes contains a quotation mark")
        default:
            field.append(byte)
            state = .unquoted
        }
    }

    /// Returns an error if the record is lost because it became too long.
    private mutating func lengthen(by count: Int) -> Row? {
        length += count
        guard length > Self.maximumLength, state != .skipping else { return nil }
        if state == .quoted || state == .quoteSeen {
            return lose(
                "a quoted field is longer than 1 MiB; is its closing quotation mark missing?"
            )
        }
        fail(RegistrationListError.BrokenLine.tooLong, at: recordStart, column: 1)
        return nil
    }

    private static func endsUnquoted(_ byte: UInt8) -> Bool {
        byte <= comma
            && (byte == comma || byte == quote || byte == lineFeed || byte == carriageReturn
                || byte == 0)
    }

    private static func endsQuoted(_ byte: UInt8) -> Bool {
        byte <= quote && (byte == quote || byte == lineFeed || byte == 0)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
}

extension [UInt8] {
    /// The index of the first byte from `start` on that meets the condition, or the end.
    fileprivate func index(of condition: (UInt8) -> Bool, from start: Int) -> Int {
        var index = start
        while index < count, !condition(self[index]) { index += 1 }
        return index
    }
}

// MARK: - Records

extension CSVParser {
    private mutating func endField() {
        let text = String(validating: field, as: UTF8.self)
        if text == nil, fault == nil { noteInvalidUTF8() }
        fields.append(
            CSVField(text: text ?? "", line: fieldStart.line, byte: fieldStart.offset + 1)
        )
        field.removeAll(keepingCapacity: true)
        isQuoted = false
        state = .fieldStart
        fieldStart = place
        fieldStart.offset += 1
    }

    private mutating func endRecord() -> Row? {
        let end = state == .carriageReturn ? place.offset : place.offset + 1
        let lastLine = place.line
        defer { beginRecord() }
        if fault == nil {
            if fields.isEmpty, field.isEmpty, !isQuoted { return nil }
            endField()
        }
        if let fault { return .broken(fault) }
        return .record(
            CSVRecord(fields: fields, line: recordStart.line, end: end, lastLine: lastLine)
        )
    }

    /// The line feed was not taken yet.
    private mutating func beginRecord() {
        place.offset += 1
        place.line += 1
        recordStart = place
        fieldStart = place
        length = 0
        fields = []
        field.removeAll(keepingCapacity: true)
        fault = nil
        isQuoted = false
        state = .fieldStart
    }
}

// MARK: - Errors

extension CSVParser {
    /// Reports the error at the quotation mark that opened the field.
    private mutating func lose(_ reason: String) -> Row {
        isLost = true
        return .broken(broken(reason, at: fieldStart))
    }

    /// Notes the first error of a record at the current byte, and continues.
    private mutating func note(_ reason: String) {
        fault = fault ?? broken(reason, at: place)
    }

    /// Notes an error and skips the rest of the line.
    private mutating func fail(_ reason: String) {
        note(reason)
        state = .skipping
        field = []
    }

    private mutating func fail(_ reason: String, at place: Place, column: Int) {
        fault = fault ?? broken(reason, at: place).with(.number(column))
        state = .skipping
        field = []
    }

    private func broken(
        _ reason: String,
        at place: Place
    ) -> RegistrationListError.BrokenLine {
        RegistrationListError.BrokenLine(
            number: place.line,
            column: .number(fields.count + 1),
            byte: place.offset + 1,
            reason: reason
        )
    }

    /// In the file, a quoted field has a quotation mark before it and doubles those inside.
    private mutating func noteInvalidUTF8() {
        guard let index = field[...].firstInvalidUTF8 else { return }
        let before = field[..<index]
        var place = fieldStart
        place.line += before.count { $0 == Self.lineFeed }
        place.offset += index + before.count { $0 == Self.quote } + (isQuoted ? 1 : 0)
        fault = broken(RegistrationListError.BrokenLine.notUTF8, at: place)
    }
}
