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
        if messages.isEmpty,
            let text = try TextSurvey(list, directory: directory, fingerprinter: fingerprinter)
        {
            try self.init(text, path: list.path)
        } else {
            try self.init(
                rowsOf: list,
                messages: messages,
                directory: directory,
                fingerprinter: fingerprinter
            )
        }
    }

    private init(
        rowsOf list: RegistrationList,
        messages: [MessageColumns],
        directory: String,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        var names: [String] = []
        for name in messages.flatMap(\.names) where !names.contains(name) { names.append(name) }
        let readNames = list.hasColumns ? names : []
        let rows = try ListCursor.open(
            list,
            columns: readNames,
            requiringAll: false,
            directory: directory
        )
        var surveyors = (list.hasColumns ? messages : []).map {
            (columns: $0, surveyor: MessageSurveyor($0, of: list, in: readNames))
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
        self.identities = identities.isEmpty ? nil : identities
        // A list of several files, or of JSON objects, shows only at its end which columns it has.
        let absent = Set(names).subtracting(columns ?? (list.hasColumns ? Set(names) : []))
        self.absent = absent
        self.messages = Dictionary(
            uniqueKeysWithValues: surveyors.filter { absent.isDisjoint(with: $0.columns.names) }
                .map { ($0.columns, $0.surveyor.finish()) }
        )
    }

    private init(_ text: TextSurvey, path: String?) throws(RegistrationListError) {
        guard !text.fingerprints.isEmpty else { throw .empty(path: path) }
        if let repetition = Repetition(in: text.fingerprints) {
            throw repetition.error(at: text.places, path: path, pathOfFile: text.path(ofFile:))
        }
        id = text.finish()
        fingerprints = text.fingerprints
        columns = nil
        identities = nil
        absent = []
        messages = [:]
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
