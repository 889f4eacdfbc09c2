import CampaignModel
import JSON

/// The rows of a file with one JSON object per line.
///
/// Empty lines and a byte order mark at the file's start are skipped.
struct NDJSONRows: ~Copyable, ListRows {
    private var reader: ListLineReader
    private let path: String
    private var names: ListColumns
    private let others: OtherColumns
    private var isBelowFirst = false
    private(set) var columns: Set<String>? = []

    /// With more different names than this, the list is treated as having no columns.
    private static let maximumColumns = 1_000

    /// `list`: The list's description; its path may be a pattern.
    init(
        _ file: ListFile,
        of list: RegistrationFile,
        others: OtherColumns = OtherColumns()
    ) throws(RegistrationListError) {
        path = file.path
        self.others = others
        names = ListColumns(of: list, others: others)
        do {
            reader = ListLineReader(try file.open())
        } catch {
            throw .unreadable(path: file.path, reason: error)
        }
    }

    /// - Throws: `.missingColumn` if the first object lacks a column; a later object is broken
    ///   instead.
    mutating func next() throws(RegistrationListError) -> ListEntry? {
        while let line = try readLine() {
            switch line {
            case .broken(let fault): return .broken(fault)
            case .complete(let line):
                if line.bytes.allSatisfy(Self.isSpace) { continue }
                return try entry(line)
            }
        }
        return nil
    }

    private mutating func readLine() throws(RegistrationListError) -> ListLineReader.Line? {
        do { return try reader.next() } catch { throw .unreadable(path: path, reason: error) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private mutating func entry(_ line: ListLine) throws(RegistrationListError) -> ListEntry {
        let object: PlacedJSONObject
        do throws(PlacedJSONObject.Failure) {
            object = try PlacedJSONObject(parsing: line.bytes)
        } catch {
            return .broken(line.encodingFault ?? fault(error, in: line))
        }
        if !isBelowFirst { try requireColumns(of: object, in: line) }
        isBelowFirst = true
        collect(object)
        return names.entry(
            ListColumns.Values(
                registration: value(names.registration, of: object, in: line),
                identity: names.identity.map { value($0, of: object, in: line) },
                timeZone: names.timeZone.map { value($0, of: object, in: line) },
                locale: names.locale.map { value($0, of: object, in: line) },
                covariate: names.covariate.map { value($0, of: object, in: line) },
                publicKey: names.publicKey.map { value($0, of: object, in: line) }
            ),
            line: line.number
        ).with(others.names.map { text($0, of: object) })
    }

    private func requireColumns(
        of object: PlacedJSONObject,
        in line: ListLine
    ) throws(RegistrationListError) {
        let required = others.areRequired ? others.names : []
        for name in names.required + required where object[name] == nil {
            throw .missingColumn(
                name,
                among: object.members.map(\.key),
                path: path,
                line: line.number
            )
        }
    }

    private func fault(
        _ failure: PlacedJSONObject.Failure,
        in line: ListLine
    ) -> RegistrationListError.BrokenLine {
        switch failure {
        case .notJSON(let offset): line.broken("it is not JSON", at: offset)
        case .notAnObject: line.broken("it is not a JSON object")
        case .nul(let offset): line.broken(RegistrationListError.BrokenLine.nul, at: offset)
        case .repeatedKey(let key, let offset, let first):
            repeated(key, line.broken("", at: offset), firstByte: line.start + first + 1)
        }
    }

    /// The key is not repeated unless the list's description contains it.
    private func repeated(
        _ key: String,
        _ place: RegistrationListError.BrokenLine,
        firstByte: Int
    ) -> RegistrationListError.BrokenLine {
        let isNamed = names.contains(key)
        let name = isNamed ? "the key `\(key)`" : "the same key"
        return RegistrationListError.BrokenLine(
            number: place.number,
            column: isNamed ? .name(key) : place.column,
            byte: place.byte,
            reason: "it has \(name) twice, first at byte \(firstByte)"
        )
    }

    /// Returns a text without its quotation marks, or another value as written; empty if absent.
    private func text(_ name: String, of object: PlacedJSONObject) -> String {
        guard let member = object[name] else { return "" }
        switch member.value {
        case .string(let text): return text
        case .null: return ""
        case .bool, .integer, .number, .array, .object: return object.text(of: member)
        }
    }

    private mutating func collect(_ object: PlacedJSONObject) {
        for member in object.members where columns?.contains(member.key) == false {
            columns?.insert(member.key)
        }
        if let columns, columns.count > Self.maximumColumns { self.columns = nil }
    }

    /// A missing value is at the beginning of its line.
    private func value(
        _ name: String,
        of object: PlacedJSONObject,
        in line: ListLine
    ) -> ListValue {
        let member = object[name]
        return ListValue(
            content: Self.content(member, of: object),
            line: line.number,
            byte: line.start + (member?.place.lowerBound ?? 0) + 1
        )
    }

    /// A number counts as text if it is an integer in its only spelling.
    private static func content(
        _ member: PlacedJSONObject.Member?,
        of object: PlacedJSONObject
    ) -> ListValue.Content {
        guard let member else { return .text("") }
        switch member.value {
        case .string(let text): return .text(text)
        case .integer, .number:
            let text = object.text(of: member)
            let isCanonical = text != "-0" && !text.utf8.contains(where: isOfFraction)
            return isCanonical ? .text(text) : .respellable
        case .null: return .text("")
        case .bool, .array, .object: return .foreign
        }
    }

    /// Whether only numbers with a fraction or an exponent contain this character.
    private static func isOfFraction(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }
}
