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
        var names: [String] = []
        for name in messages.flatMap(\.names) where !names.contains(name) { names.append(name) }
        var absent: Set<String> = []
        let rows = try Self.open(list, columns: &names, absent: &absent, directory: directory)
        var surveyors = messages.filter { absent.isDisjoint(with: $0.names) }.map {
            (columns: $0, surveyor: MessageSurveyor($0, of: list, in: names))
        }
        var hasher = ListHasher(ListContent(list))
        var fingerprints: [Fingerprint] = []
        var lines: [UInt32] = []
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
                lines.append(UInt32(clamping: row.line))
                if let identity = row.identity {
                    identities.append(fingerprinter.fingerprint(ofIdentity: identity))
                }
                for index in surveyors.indices { surveyors[index].surveyor.add(row) }
            }
        }
        guard broken.isEmpty else {
            throw .brokenLines(broken, path: list.path ?? "", count: brokenCount)
        }
        guard !fingerprints.isEmpty else { throw .empty(path: list.path) }
        try Self.refuseRepeated(fingerprints, lines: lines, path: list.path)
        id = hasher.finish()
        self.fingerprints = fingerprints
        columns = rows.columns
        self.identities = identities.isEmpty ? nil : identities
        // An NDJSON file may show only at its end which columns it has.
        if let columns { absent.formUnion(Set(names).subtracting(columns)) }
        self.absent = absent
        self.messages = Dictionary(
            uniqueKeysWithValues: surveyors.filter { absent.isDisjoint(with: $0.columns.names) }
                .map { ($0.columns, $0.surveyor.finish()) }
        )
    }

    /// Opens a list without the columns that it does not have.
    private static func open(
        _ list: RegistrationList,
        columns: inout [String],
        absent: inout Set<String>,
        directory: String
    ) throws(RegistrationListError) -> ListCursor {
        guard list.hasColumns else {
            absent = Set(columns)
            columns = []
            return try ListCursor.open(list, directory: directory)
        }
        while true {
            do throws(RegistrationListError) {
                return try ListCursor.open(
                    list,
                    columns: columns,
                    requiringAll: false,
                    directory: directory
                )
            } catch {
                guard case .missingColumn(let column) = error,
                    let index = columns.firstIndex(of: column.name)
                else { throw error }
                absent.insert(columns.remove(at: index))
            }
        }
    }

    private static func refuseRepeated(
        _ fingerprints: [Fingerprint],
        lines: [UInt32],
        path: String?
    ) throws(RegistrationListError) {
        var seen = FingerprintTable(capacity: fingerprints.count)
        var first: (line: Int, first: Int)?
        var count = 0
        for index in fingerprints.indices {
            guard let earlier = seen.insert(index, of: fingerprints) else { continue }
            count += 1
            first = first ?? (Int(lines[index]), Int(lines[earlier]))
        }
        guard let first else { return }
        throw .repeated(line: first.line, first: first.first, path: path, count: count)
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

    /// The file's path as written; nil for a list in the YAML.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .described(let file): file.path
        case .inline: nil
        }
    }
}
