package import CampaignModel

/// The result of one pass over a list: its content ID and its fingerprints in list order.
///
/// A fingerprint has 16 bytes. The registrations themselves are not held.
package struct ListSurvey: Sendable {
    package let id: ListID
    package let fingerprints: [Fingerprint]
    /// The person of each registration, in the same order; nil if the list does not specify it.
    package let identities: [Fingerprint]?
    /// The names of the list's columns; a JSON object need not have all of them.
    ///
    /// nil if there are none, or too many to hold.
    package let columns: Set<String>?

    /// What each message that uses columns would show.
    private let messages: [MessageColumns: MessageSurvey]
    /// The columns that messages use and the list does not have.
    package let absent: Set<String>

    package var count: Int { fingerprints.count }

    /// Returns what a message would show; nil if the list lacks one of its columns.
    package subscript(message: MessageColumns) -> MessageSurvey? { messages[message] }

    /// `messages`: the columns of the messages to this list.
    ///
    /// - Throws: `.unreadable`, `.missingColumn`, `.brokenLines` (the first ten), `.empty`,
    ///   `.repeated`.
    package init(
        _ list: RegistrationList,
        messages: [MessageColumns] = [],
        directory: String,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        let others = OtherColumns(of: messages)
        let names = others.names
        let rows = try ListCursor.open(list, others: others, directory: directory)
        var surveyors = (list.hasColumns ? messages : []).map {
            (columns: $0, surveyor: MessageSurveyor($0, of: list, in: names))
        }
        var hasher = ListHasher(ListContent(list))
        var fingerprints: [Fingerprint] = []
        var places = RowPlaces()
        var identities: [Fingerprint] = []
        var broken: [RegistrationListError.BrokenLine] = []
        var brokenCount = 0
        while let entry = try rows.next() {
            switch entry {
            case .broken(let line):
                brokenCount += 1
                if broken.count < 10 { broken.append(line) }
            case .row(let row):
                hasher.add(row.registration)
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                fingerprints.append(fingerprint)
                places.add(line: row.line, file: rows.openedCount - 1)
                if let identity = row.identity {
                    identities.append(fingerprinter.fingerprint(ofIdentity: identity))
                }
                for index in surveyors.indices { surveyors[index].surveyor.add(row) }
            }
        }
        if let first = broken.first {
            throw .brokenLines(broken, path: first.path ?? list.path ?? "", count: brokenCount)
        }
        guard !fingerprints.isEmpty else { throw .empty(path: list.path) }
        if let repetition = Repetition(in: fingerprints) {
            throw repetition.error(at: places, path: list.path) { rows.path(ofFile: $0) }
        }
        id = hasher.finish()
        self.fingerprints = fingerprints
        columns = rows.columns
        try list.requireLocaleColumn(among: columns)
        self.identities = identities.isEmpty ? nil : identities
        // A list of several files, or of JSON objects, shows only at its end which columns it has.
        let absent = Set(names).subtracting(columns ?? (list.hasColumns ? Set(names) : []))
        self.absent = absent
        self.messages = Dictionary(
            uniqueKeysWithValues: surveyors.filter { absent.isDisjoint(with: $0.columns.readNames) }
                .map { ($0.columns, $0.surveyor.finish()) }
        )
    }
}

/// The lines of a list's rows and their files, with 4 bytes per row.
private struct RowPlaces {
    private var lines: [UInt32] = []
    /// The first row of each file that has one, and the file's number.
    private var starts: [(row: Int, file: Int)] = []

    mutating func add(line: Int, file: Int) {
        if starts.last?.file != file { starts.append((lines.count, file)) }
        lines.append(UInt32(clamping: line))
    }

    func line(ofRow row: Int) -> Int { Int(lines[row]) }

    func file(ofRow row: Int) -> Int { starts.last { $0.row <= row }?.file ?? 0 }
}

/// The first registration of a list that is in it twice.
private struct Repetition {
    let row: Int
    let first: Int
    /// The number of all rows that repeat an earlier one.
    let count: Int

    /// Returns nil if no fingerprint is repeated.
    init?(in fingerprints: [Fingerprint]) {
        var seen = FingerprintTable(capacity: fingerprints.count)
        var found: (row: Int, first: Int)?
        var count = 0
        for index in fingerprints.indices {
            guard let earlier = seen.insert(index, of: fingerprints) else { continue }
            count += 1
            found = found ?? (index, earlier)
        }
        guard let found else { return nil }
        row = found.row
        first = found.first
        self.count = count
    }

    /// Returns the error with the lines and the files of both rows.
    ///
    /// `pathOfFile`: The path of a file if the list is a pattern.
    func error(
        at places: RowPlaces,
        path: String?,
        pathOfFile: (Int) -> String?
    ) -> RegistrationListError {
        .repeated(
            line: places.line(ofRow: row),
            first: places.line(ofRow: first),
            path: pathOfFile(places.file(ofRow: row)) ?? path,
            count: count,
            firstPath: pathOfFile(places.file(ofRow: first))
        )
    }
}

/// Finds repeated fingerprints, with 8 to 16 bytes per fingerprint.
///
/// Without the key, an attacker cannot choose fingerprints, so any of their bits are a good hash.
private struct FingerprintTable {
    /// One more than the index of the fingerprint in this place; 0 if the place is free.
    private var places: [UInt32]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        places = Array(repeating: 0, count: size)
    }

    /// Returns the index of an earlier equal fingerprint; nil if there is none.
    mutating func insert(_ index: Int, of fingerprints: [Fingerprint]) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: fingerprints[index].low) & mask
        while places[place] != 0 {
            let other = Int(places[place]) - 1
            if fingerprints[other] == fingerprints[index] { return other }
            place = (place + 1) & mask
        }
        places[place] = UInt32(index + 1)
        return nil
    }
}

extension RegistrationList {
    /// Whether its rows may have values besides the registration.
    fileprivate var hasColumns: Bool {
        if case .described(let file) = self { file.format != .text } else { false }
    }

    /// Only the end of an NDJSON file shows that no object has a column.
    fileprivate func requireLocaleColumn(
        among columns: Set<String>?
    ) throws(RegistrationListError) {
        guard case .described(let file) = self, let name = file.locale, let columns,
            !columns.contains(name)
        else { return }
        throw .missingColumn(name, among: columns.sorted(), path: file.path, line: 1)
    }

    /// The file's path as written; nil for a list in the YAML.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .described(let file): file.path
        case .inline: nil
        }
    }
}
