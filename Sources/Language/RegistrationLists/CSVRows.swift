import CampaignModel

/// The rows of a CSV file below its header line.
struct CSVRows: ~Copyable, ListRows {
    private var reader: CSVReader
    private let head: CSVHead

    /// - Throws: `.unreadable`, `.empty`, `.missingColumn`, and `.brokenLines` for the header line.
    init(
        _ file: RegistrationFile,
        directory: String,
        columns: [String] = []
    ) throws(RegistrationListError) {
        var reader = try CSVReader.open(file, directory: directory)
        let head = try CSVHead(of: file, from: &reader, others: columns)
        self.init(reader: reader, head: head)
    }

    private init(reader: consuming CSVReader, head: CSVHead) {
        self.reader = reader
        self.head = head
    }

    var columns: Set<String>? { Set(head.names) }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        switch try reader.next(of: head.path) {
        case .record(let fields, let line)?: head.entry(fields, line: line)
        case .broken(let line)?: .broken(line)
        case nil: nil
        }
    }
}

/// The first line of a CSV file, which names the columns.
private struct CSVHead {
    let path: String
    let names: [String]
    private let line: Int
    private let columns: ListColumns
    private var registration = 0
    private var identity: Int?
    private var others: [Int] = []

    init(
        of file: RegistrationFile,
        from reader: inout CSVReader,
        others: [String]
    ) throws(RegistrationListError) {
        path = file.path
        columns = ListColumns(of: file)
        switch try reader.next(of: file.path) {
        case .record(let names, let line)?:
            self.names = names
            self.line = line
        case .broken(let line)?: throw .brokenLines([line], path: file.path, count: 1)
        case nil: throw .empty(path: file.path)
        }
        registration = try index(of: columns.registration)
        if let name = columns.identity { identity = try index(of: name) }
        for name in others { self.others.append(try index(of: name)) }
    }

    private func index(of name: String) throws(RegistrationListError) -> Int {
        guard let index = names.firstIndex(of: name) else {
            throw .missingColumn(name, among: names, path: path, line: line)
        }
        guard names.lastIndex(of: name) == index else {
            let fault = RegistrationListError.BrokenLine(
                number: line,
                reason: "the header line has `\(name)` twice"
            )
            throw .brokenLines([fault], path: path, count: 1)
        }
        return index
    }

    func entry(_ fields: [String], line: Int) -> ListEntry {
        guard fields.count == names.count else {
            let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
            return .broken(line, reason: "it has \(count), and the header line has \(names.count)")
        }
        return columns.entry(
            .text(fields[registration]),
            identity: identity.map { .text(fields[$0]) },
            line: line
        ).with(others.map { fields[$0] })
    }
}

extension CSVReader {
    fileprivate static func open(
        _ file: RegistrationFile,
        directory: String
    ) throws(RegistrationListError) -> CSVReader {
        do {
            return try CSVReader(
                path: RegistrationListError.fullPath(file.path, in: directory)
            )
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
