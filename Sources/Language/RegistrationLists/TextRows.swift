import CampaignModel

/// The rows of a file with one registration per line.
///
/// Empty lines, lines that begin with `#`, and a byte order mark at the file's start are skipped.
struct TextRows: ~Copyable, ListRows {
    private var reader: ListLineReader
    private let path: String

    init(_ file: ListFile) throws(RegistrationListError) {
        path = file.path
        do {
            reader = ListLineReader(try file.open())
        } catch {
            throw .unreadable(path: file.path, reason: error)
        }
    }

    var columns: Set<String>? { nil }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        while let line = try readLine() {
            switch line {
            case .broken(let fault): return .broken(fault)
            case .complete(let line):
                if let entry = Self.entry(line) { return entry }
            }
        }
        return nil
    }

    private mutating func readLine() throws(RegistrationListError) -> ListLineReader.Line? {
        do { return try reader.next() } catch { throw .unreadable(path: path, reason: error) }
    }

    /// Returns nil for an empty line or a comment.
    private static func entry(_ line: ListLine) -> ListEntry? {
        guard let first = line.bytes.first else { return nil }
        if first == UInt8(ascii: "#") { return line.encodingFault.map(ListEntry.broken) }
        let registration = line.bytes.withUnsafeBufferPointer { Registration(utf8: $0) }
        guard let registration else { return .broken(fault(of: line)) }
        return .row(ListRow(registration: registration, identity: nil, line: line.number))
    }

    /// Points at the first character that no registration contains.
    private static func fault(of line: ListLine) -> RegistrationListError.BrokenLine {
        if let fault = line.encodingFault { return fault }
        guard let place = Registration.firstInvalidByte(in: line.bytes) else {
            return line.broken(
                RegistrationListError.BrokenLine.longRegistration,
                at: Registration.maximumLength
            )
        }
        return line.broken(
            RegistrationListError.BrokenLine.noRegistration,
            at: place - line.bytes.startIndex
        )
    }
}

/// The registrations of a list in the YAML.
struct InlineRows: ~Copyable, ListRows {
    private var rest: ArraySlice<Registration>
    private var number = 0

    init(_ registrations: [Registration]) {
        rest = registrations[...]
    }

    var columns: Set<String>? { nil }

    mutating func next() -> ListEntry? {
        guard let registration = rest.popFirst() else { return nil }
        number += 1
        return .row(ListRow(registration: registration, identity: nil, line: number))
    }
}
