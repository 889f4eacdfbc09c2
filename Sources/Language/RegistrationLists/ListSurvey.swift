package import CampaignModel
package import Time

/// The result of one pass over a list: its content ID and its fingerprints.
///
/// The registrations themselves are not held.
package struct ListSurvey: Sendable {
    package let id: ListID
    package let fingerprints: ListFingerprints
    /// The person of each registration, in the order of the list; nil if the list does not specify it.
    package let identities: [Fingerprint]?
    /// The people of the registrations; nil if the list does not identify them.
    package let people: PeopleSurvey?
    /// The time zones of the rows; nil if the list has no column for them.
    package let zones: RowZones?
    /// The names of the list's columns; a JSON object need not have all of them.
    ///
    /// nil if there are none, or too many to hold.
    package let columns: Set<String>?
    /// How many rows of its lists are in it; nil unless the list is a set.
    package let composition: ListComposition?

    /// What each message that uses columns would show.
    private let messages: [MessageColumns: MessageSurvey]
    /// The content IDs of the list with the columns of each message, also of those that it lacks.
    private let contentIDs: [MessageColumns: ListID]
    /// The columns that messages use and the list does not have.
    package let absent: Set<String>

    package var count: Int { fingerprints.count }

    /// Returns what a message would show; nil if the list lacks one of its columns.
    package subscript(message: MessageColumns) -> MessageSurvey? { messages[message] }

    /// Returns the content ID of the registrations with the values in a message's columns.
    package func contentID(for columns: MessageColumns?) -> ListID {
        columns.flatMap { contentIDs[$0] } ?? id
    }

    /// Reads a list to its end.
    ///
    /// `messages`: the columns of the messages to this list. `zones`: knows the time zones of rows;
    /// nil accepts all names. `keeping`: returns what gets the rows of a message, if anything does.
    ///
    /// - Throws: `.unreadable`, `.missingColumn`, `.brokenLines` (the first ten), `.empty`,
    ///   `.repeated`.
    package init(
        _ list: RegistrationList,
        messages: [MessageColumns] = [],
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase? = nil,
        keeping: (ListContent) -> (any RowKeeper)? = { _ in nil }
    ) throws(RegistrationListError) {
        if messages.isEmpty,
            let text = try TextSurvey(
                list,
                directory: directory,
                fingerprinter: fingerprinter,
                keeper: keeping(ListContent(list))
            )
        {
            self.init(text)
        } else {
            try self.init(
                rowsOf: list,
                messages: messages,
                surroundings: (directory, zones),
                fingerprinter: fingerprinter,
                keeping: keeping
            )
        }
    }

    private init(
        rowsOf list: RegistrationList,
        messages: [MessageColumns],
        surroundings: (directory: any ListPlaces, zones: TimeZoneDatabase?),
        fingerprinter: Fingerprinter,
        keeping: (ListContent) -> (any RowKeeper)?
    ) throws(RegistrationListError) {
        let others = OtherColumns(of: messages)
        let names = others.names
        let rows = try ListCursor.open(
            list,
            others: others,
            directory: surroundings.directory,
            fingerprinter: fingerprinter
        )
        // A list without columns still has the subjects of an experiment.
        let known = list.hasColumns ? messages : messages.filter(\.readNames.isEmpty)
        var surveyors = known.map {
            (
                columns: $0,
                surveyor: MessageSurveyor(
                    $0,
                    of: list,
                    in: names,
                    keeper: keeping(ListContent(list, columns: $0))
                )
            )
        }
        var packer = keeping(ListContent(list)).map { RowPacker(for: $0, columns: 0) }
        var hasher = ListHasher(ListContent(list))
        var fingerprints = FingerprintCollector(folder: surroundings.directory.temporaryFolder)
        var places = RowPlaces()
        var people = PeopleSurveyor(of: list, fingerprinter: fingerprinter)
        var rowZones = list.timeZoneColumn == nil ? nil : RowZones()
        var zoneCheck = RowZoneCheck(of: list, zones: surroundings.zones)
        var broken: [RegistrationListError.BrokenLine] = []
        var brokenCount = 0
        while let entry = try rows.next() {
            switch zoneCheck.checked(entry, path: rows.path(ofFile: rows.openedCount - 1)) {
            case .broken(let line):
                brokenCount += 1
                if broken.count < 10 { broken.append(line) }
            case .row(let row):
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                hasher.add(row.registration, with: fingerprint)
                try fingerprints.add(fingerprint, of: list)
                packer?.add(RegistrationRow(row.registration))
                places.add(line: row.line, file: rows.openedCount - 1)
                people.add(row)
                rowZones?.add(row.timeZone?.text)
                for index in surveyors.indices {
                    surveyors[index].surveyor.add(row, with: fingerprint)
                }
            }
        }
        if let first = broken.first {
            throw .brokenLines(broken, path: first.path ?? list.path ?? "", count: brokenCount)
        }
        guard !fingerprints.isEmpty else { throw .empty(path: list.path) }
        self.fingerprints = try fingerprints.different(of: list) { repetition in
            repetition.error(at: places, path: list.path) { rows.path(ofFile: $0) }
        }
        try Self.requireColumns(of: list, among: rows.columns)
        id = hasher.finish(covering: rows.digest)
        columns = rows.columns
        identities = people.identities.isEmpty ? nil : people.identities
        zones = rowZones
        let survey = people.finish { row in
            ListPlace(
                path: rows.path(ofFile: places.file(ofRow: row)) ?? list.path ?? "",
                line: places.line(ofRow: row)
            )
        }
        self.people = survey
        composition = rows.composition?.counting(survey?.count)
        // A list of several files, or of JSON objects, shows only at its end which columns it has.
        let absent = Set(names).subtracting(columns ?? (list.hasColumns ? Set(names) : []))
        self.absent = absent
        packer?.finish()
        var shown: [(MessageColumns, MessageSurvey)] = []
        for index in surveyors.indices {
            let survey = surveyors[index].surveyor.finish(covering: rows.digest)
            shown.append((surveyors[index].columns, survey))
        }
        self.messages = Dictionary(
            uniqueKeysWithValues: shown.filter { absent.isDisjoint(with: $0.0.readNames) }
        )
        contentIDs = Dictionary(uniqueKeysWithValues: shown.map { ($0.0, $0.1.id) })
    }

    /// Requires the optional columns of the list's description, which an object may lack.
    private static func requireColumns(
        of list: RegistrationList,
        among columns: Set<String>?
    ) throws(RegistrationListError) {
        guard case .described(let file) = list, file.format == .ndjson, let columns else { return }
        for name in ListColumns(of: file, others: OtherColumns()).optional
        where !columns.contains(name) {
            throw .missingColumn(name, among: columns.sorted(), path: file.path, line: 1)
        }
    }

    private init(_ text: TextSurvey) {
        id = text.id
        fingerprints = text.fingerprints
        columns = nil
        identities = nil
        zones = nil
        people = nil
        composition = nil
        absent = []
        messages = [:]
        contentIDs = [:]
    }
}

extension RegistrationList {
    /// Whether its rows may have values besides the registration.
    package var hasColumns: Bool {
        switch self {
        case .file, .inline: false
        case .described(let file): file.format != .text
        case .set(let set): set.parts.contains(where: \.list.hasColumns)
        }
    }

    /// The file's path as written; nil for a list in the YAML and for a set.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .described(let file): file.path
        case .inline, .set: nil
        }
    }
}
