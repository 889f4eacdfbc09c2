import CampaignModel

/// The rows of a CSV file below its header line.
struct CSVRows: ~Copyable, ListRows {
    private var reader: CSVReader
    private var head: CSVHead

    /// `list`: The list's description; its path may be a pattern.
    ///
    /// - Throws: `.unreadable`, `.empty`, `.missingColumn`, and `.brokenLines` for the header line.
    init(
        _ file: ListFile,
        of list: RegistrationFile,
        others: OtherColumns = OtherColumns()
    ) throws(RegistrationListError) {
        var reader = try CSVReader.open(file)
        let head = try CSVHead(of: file, from: &reader, list: list, others: others)
        self.init(reader: reader, head: head)
    }

    private init(reader: consuming CSVReader, head: CSVHead) {
        self.reader = reader
        self.head = head
    }

    var columns: Set<String>? { Set(head.names.map(\.text)) }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        switch try reader.next(of: head.path) {
        case .record(let record)?: head.entry(record)
        case .broken(let line)?: .broken(head.naming(line))
        case nil: nil
        }
    }

    /// Every file has all columns of the list.
    static func joinedColumns(_ columns: Set<String>, _ others: Set<String>) -> Set<String> {
        columns.intersection(others)
    }
}

/// The first line of a CSV file, which names the columns.
private struct CSVHead {
    let path: String
    let names: [CSVField]
    private let line: Int
    private var columns: ListColumns
    private var registration = 0
    private var identity: Int?
    private var timeZone: Int?
    private var locale: Int?
    private var covariate: Int?
    private var publicKey: Int?
    /// Nil for a column that the file does not have.
    private var others: [Int?] = []

    init(
        of file: ListFile,
        from reader: inout CSVReader,
        list: RegistrationFile,
        others: OtherColumns
    ) throws(RegistrationListError) {
        path = file.path
        columns = ListColumns(of: list, others: others)
        switch try reader.next(of: file.path) {
        case .record(let record)?:
            names = record.fields
            line = record.line
        case .broken(let line)?: throw .brokenLines([line], path: file.path, count: 1)
        case nil: throw .empty(path: file.path)
        }
        registration = try index(of: columns.registration)
        for name in columns.required + columns.optional { _ = try index(of: name) }
        if let name = columns.identity { identity = try index(of: name) }
        if let name = columns.timeZone { timeZone = try index(of: name) }
        if let name = columns.covariate { covariate = try index(of: name) }
        if let name = columns.publicKey { publicKey = try index(of: name) }
        locale = columns.locale.flatMap { name in names.firstIndex { $0.text == name } }
        for name in others.names {
            let place = names.firstIndex { $0.text == name }
            self.others.append(place == nil && others.areRequired ? try index(of: name) : place)
        }
        try requireDistinctNames()
    }

    private func index(of name: String) throws(RegistrationListError) -> Int {
        guard let index = names.firstIndex(where: { $0.text == name }) else {
            throw .missingColumn(name, among: names.map(\.text), path: path, line: line)
        }
        return index
    }

    /// The name is not repeated unless the list's description contains it, because it may be a
    /// registration.
    private func requireDistinctNames() throws(RegistrationListError) {
        var places: [String: Int] = [:]
        for (index, field) in names.enumerated() {
            guard let first = places.updateValue(index, forKey: field.text) else { continue }
            let name = columns.contains(field.text) ? "the name `\(field.text)`" : "the same name"
            let fault = RegistrationListError.BrokenLine(
                number: field.line,
                column: .number(index + 1),
                byte: field.byte,
                reason: "the header line has \(name) twice, first in column \(first + 1), byte "
                    + "\(names[first].byte)"
            )
            throw .brokenLines([fault], path: path, count: 1)
        }
    }

    mutating func entry(_ record: CSVRecord) -> ListEntry {
        guard record.fields.count == names.count else { return .broken(ragged(record)) }
        return columns.entry(
            ListColumns.Values(
                registration: value(registration, of: record),
                identity: identity.map { value($0, of: record) },
                timeZone: timeZone.map { value($0, of: record) },
                locale: locale.map { value($0, of: record) },
                covariate: covariate.map { value($0, of: record) },
                publicKey: publicKey.map { value($0, of: record) }
            ),
            line: record.line
        ).with(others.map { $0.map { record.fields[$0].text } ?? "" })
    }

    private func value(_ index: Int, of record: CSVRecord) -> ListValue {
        let field = record.fields[index]
        return ListValue(content: .text(field.text), line: field.line, byte: field.byte)
    }

    /// Points at the first field that the header line does not have, or behind the last field.
    private func ragged(_ record: CSVRecord) -> RegistrationListError.BrokenLine {
        let count = record.fields.count
        let counted = count == 1 ? "1 field" : "\(count) fields"
        let extra = count > names.count ? record.fields[names.count] : nil
        return naming(
            RegistrationListError.BrokenLine(
                number: extra?.line ?? record.lastLine,
                column: .number(min(count, names.count) + 1),
                byte: extra?.byte ?? record.end,
                reason: "it has \(counted), and the header line has \(names.count)"
            )
        )
    }

    /// Names the column if the list's description does.
    func naming(_ line: RegistrationListError.BrokenLine) -> RegistrationListError.BrokenLine {
        guard case .number(let number) = line.column, names.indices.contains(number - 1),
            columns.contains(names[number - 1].text)
        else { return line }
        return line.with(.name(names[number - 1].text))
    }
}

extension CSVReader {
    fileprivate static func open(_ file: ListFile) throws(RegistrationListError) -> CSVReader {
        do {
            return CSVReader(try file.open())
        } catch {
            throw .unreadable(path: file.path, reason: error)
        }
    }

    fileprivate mutating func next(
        of path: String
    ) throws(RegistrationListError) -> CSVParser.Row? {
        do { return try next() } catch { throw .unreadable(path: path, reason: error) }
    }
}
