import CampaignModel
import JSON

/// The rows of a file with one JSON object per line.
///
/// Empty lines and a byte order mark at the file's start are skipped.
struct NDJSONRows: ~Copyable, ListRows {
    private var reader: ListLineReader
    private let path: String
    private let names: ListColumns
    private let others: [String]
    /// Whether the first object must have all columns.
    private let requiresAll: Bool
    private var line = 0
    private var isBelowFirst = false
    private(set) var columns: Set<String>? = []

    /// With more different names than this, the list is treated as having no columns.
    private static let maximumColumns = 1_000

    init(
        _ file: RegistrationFile,
        directory: String,
        columns others: [String] = [],
        requiringAll requiresAll: Bool = true
    ) throws(RegistrationListError) {
        self.requiresAll = requiresAll
        path = file.path
        self.others = others
        names = ListColumns(of: file)
        do {
            reader = try ListLineReader(
                path: RegistrationListError.fullPath(file.path, in: directory),
                maximumLength: CSVParser.maximumLength
            )
        } catch {
            throw .unreadable(path: file.path, reason: error)
        }
    }

    /// - Throws: `.missingColumn` if the first object lacks a column; a later object is broken
    ///   instead.
    mutating func next() throws(RegistrationListError) -> ListEntry? {
        while let read = try readLine() {
            line += 1
            switch read {
            case .notUTF8: return .broken(line, reason: "it is not UTF-8")
            case .tooLong: return .broken(line, reason: "it is longer than 1 MiB")
            case .text(let text):
                let text = line == 1 ? text.withoutByteOrderMark : text[...]
                guard !text.utf8.allSatisfy(Self.isSpace) else { continue }
                guard let value = JSONValue(parsing: Array(text.utf8)) else {
                    return .broken(line, reason: "it is not JSON")
                }
                guard let object = value.objectValue else {
                    return .broken(line, reason: "it is not a JSON object")
                }
                return try entry(object)
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

    private mutating func entry(_ object: JSONObject) throws(RegistrationListError) -> ListEntry {
        if !isBelowFirst {
            isBelowFirst = true
            for name in [names.registration, names.identity] + (requiresAll ? others : []) {
                guard let name, object[name] == nil else { continue }
                throw .missingColumn(
                    name,
                    among: object.members.map(\.key),
                    path: path,
                    line: line
                )
            }
        }
        collect(object)
        return names.entry(
            value(names.registration, in: object),
            identity: names.identity.map { value($0, in: object) },
            line: line
        ).with(others.map { text(object[$0]) })
    }

    /// Returns a text without its quotation marks, or another value as written; empty if absent.
    private func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: text
        case .null?, nil: ""
        case let value?: value.compactText
        }
    }

    private mutating func collect(_ object: JSONObject) {
        for member in object.members where columns?.contains(member.key) == false {
            columns?.insert(member.key)
        }
        if let columns, columns.count > Self.maximumColumns { self.columns = nil }
    }

    private func value(_ name: String, in object: JSONObject) -> ListColumns.Value {
        let members = object.members.filter { $0.key == name }
        guard members.count < 2 else { return .repeated }
        switch members.first?.value {
        case .string(let text)?: return .text(text)
        case .integer(let number)?: return .text("\(number)")
        case .null?, nil: return .text("")
        case .bool?, .number?, .array?, .object?: return .foreign
        }
    }
}
