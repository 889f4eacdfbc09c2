import CampaignModel

/// Streams the rows of a set of lists, one list after the other.
///
/// Excluded lists and, for `all_of`, every list are read before the first row. A fingerprint of 16
/// bytes is held per row of the set, per excluded row and per row that all lists have.
final class SetCursor: ListCursor {
    private let set: ListSet
    private let reading: PartReading
    private let keepsIdentity: Bool
    private var filter: SetFilter?
    private var part: PartRows?
    private var read: [CountedPart] = []
    private var joined: Set<String>?
    private var hasTooManyColumns = false

    /// `others`: further columns; a row of a list without columns has empty values.
    init(_ set: ListSet, others: OtherColumns, directory: any ListPlaces) {
        self.set = set
        reading = PartReading(
            others: others,
            directory: directory,
            comparison: RowComparison(set.basis)
        )
        keepsIdentity = RegistrationList.set(set).identityColumns != nil
    }

    override var columns: Set<String>? { hasTooManyColumns ? nil : joined }

    override var digest: ListID? {
        var hasher = ListHasher()
        hasher.add(set.operation.rawValue)
        hasher.add(reading.comparison.isByIdentity ? "identity" : "registration")
        for part in read { hasher.add(part.digest.text) }
        hasher.add("except")
        for part in filter?.excluded ?? [] { hasher.add(part.digest.text) }
        return hasher.finish()
    }

    override var composition: ListComposition? {
        ListComposition(
            set,
            parts: read.map(\.counts),
            excluded: filter?.excluded.map(\.counts) ?? [],
            dropped: filter?.dropped ?? ListComposition.Dropped()
        )
    }

    override func next() throws(RegistrationListError) -> ListEntry? {
        if filter == nil { filter = try SetFilter(set, reading: reading) }
        while true {
            if part == nil {
                guard read.count < set.parts.count else { return nil }
                part = try PartRows(set.parts[read.count], reading: reading)
            }
            switch try part?.next() {
            case .broken(let line)?: return .broken(line)
            case .row(var row)?:
                guard filter?.admits(row) == true else { continue }
                if !keepsIdentity { row.identity = nil }
                return .row(row)
            case nil: endPart()
            }
        }
    }

    private func endPart() {
        guard let part else { return }
        if part.hasColumns {
            if let columns = part.columns {
                joined = (joined ?? []).union(columns)
            } else {
                hasTooManyColumns = true
            }
        }
        read.append(part.counted)
        self.part = nil
    }
}

/// How the lists of a set are read.
private struct PartReading {
    let others: OtherColumns
    let directory: any ListPlaces
    let comparison: RowComparison

    /// Reads a whole list without further columns.
    ///
    /// - Throws: `.brokenLines` for the first broken line.
    func forEachRow(
        of part: ListSet.Part,
        _ visit: (ListRow) -> Void
    ) throws(RegistrationListError) -> CountedPart {
        let plain = PartReading(
            others: OtherColumns(),
            directory: directory,
            comparison: comparison
        )
        var rows = try PartRows(part, reading: plain)
        while let entry = try rows.next() {
            switch entry {
            case .row(let row): visit(row)
            case .broken(let line):
                throw .brokenLines([line], path: line.path ?? "", count: 1)
            }
        }
        return rows.counted
    }
}

/// A list of a set that was read to its end.
private struct CountedPart {
    let counts: ListComposition.Part
    /// Covers the registrations and, if rows are compared by it, their identity.
    let digest: ListID
}

/// The rows of one list of a set.
private struct PartRows {
    private let part: ListSet.Part
    private let cursor: ListCursor
    /// The number of values of each row.
    private let width: Int
    private let isByIdentity: Bool
    private var hasher: ListHasher
    private var count = 0

    init(_ part: ListSet.Part, reading: PartReading) throws(RegistrationListError) {
        self.part = part
        cursor = try ListCursor.open(
            part.list,
            others: reading.others,
            directory: reading.directory
        )
        width = reading.others.names.count
        isByIdentity = reading.comparison.isByIdentity
        hasher = ListHasher(ListContent(part.list))
    }

    var hasColumns: Bool { part.list.hasColumns }
    var columns: Set<String>? { cursor.columns }

    var counted: CountedPart {
        CountedPart(
            counts: ListComposition.Part(
                name: part.name,
                count: count,
                composition: cursor.composition
            ),
            digest: hasher.finish(covering: cursor.digest)
        )
    }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        switch try cursor.next() {
        case nil: return nil
        case .broken(let line)?: return .broken(line.of(line.path ?? path))
        case .row(var row)?:
            count += 1
            hasher.add(row.registration, values: isByIdentity ? [row.identity ?? ""] : [])
            row.path = row.path ?? path
            if row.values.count < width { row.values = Array(repeating: "", count: width) }
            return .row(row)
        }
    }

    /// The path of the file that is being read; the name of a list in the YAML.
    private var path: String? {
        cursor.path(ofFile: cursor.openedCount - 1) ?? part.list.path ?? part.name
    }
}

/// Compares rows by fingerprints under a key that nothing else uses.
private struct RowComparison {
    let isByIdentity: Bool
    private let fingerprinter: Fingerprinter

    init(_ basis: ListSet.Basis) {
        isByIdentity = basis != .registration
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        fingerprinter = Fingerprinter(key: FingerprintKey(bytes: bytes))
    }

    func registration(_ row: ListRow) -> Fingerprint {
        fingerprinter.fingerprint(of: row.registration)
    }

    /// Returns the fingerprint by which rows are compared.
    func key(_ row: ListRow) -> Fingerprint {
        guard isByIdentity, let identity = row.identity else { return registration(row) }
        return fingerprinter.fingerprint(ofIdentity: identity)
    }
}

/// Decides which rows of the parts are in the set.
private struct SetFilter {
    let excluded: [CountedPart]
    private(set) var dropped = ListComposition.Dropped()
    private let comparison: RowComparison
    /// The keys that all parts have; nil if one part suffices.
    private let matching: Set<Fingerprint>?
    private let excludedKeys: Set<Fingerprint>
    /// By identity, the registrations of the excluded rows, which are left out as well.
    private let excludedRegistrations: Set<Fingerprint>
    /// The registrations that were met; nil for a single part, in which each is once.
    private var seen: Set<Fingerprint>?

    init(_ set: ListSet, reading: PartReading) throws(RegistrationListError) {
        let comparison = reading.comparison
        var keys: Set<Fingerprint> = []
        var registrations: Set<Fingerprint> = []
        var excluded: [CountedPart] = []
        for part in set.excluded {
            let counted = try reading.forEachRow(of: part) { row in
                keys.insert(comparison.key(row))
                if comparison.isByIdentity { registrations.insert(comparison.registration(row)) }
            }
            excluded.append(counted)
        }
        self.excluded = excluded
        self.comparison = comparison
        excludedKeys = keys
        excludedRegistrations = registrations
        matching = try Self.matching(set, reading: reading)
        seen = set.parts.count > 1 ? [] : nil
    }

    private static func matching(
        _ set: ListSet,
        reading: PartReading
    ) throws(RegistrationListError) -> Set<Fingerprint>? {
        guard set.operation == .allOf, set.parts.count > 1 else { return nil }
        var common: Set<Fingerprint>?
        for part in set.parts {
            var keys: Set<Fingerprint> = []
            _ = try reading.forEachRow(of: part) { row in
                let key = reading.comparison.key(row)
                if common?.contains(key) ?? true { keys.insert(key) }
            }
            common = keys
        }
        return common
    }

    mutating func admits(_ row: ListRow) -> Bool {
        let key = comparison.key(row)
        guard matching?.contains(key) ?? true else {
            dropped.unmatched += 1
            return false
        }
        let registration = comparison.isByIdentity ? comparison.registration(row) : key
        guard seen?.insert(registration).inserted ?? true else {
            dropped.repeated += 1
            return false
        }
        guard !excludedKeys.contains(key), !excludedRegistrations.contains(registration) else {
            dropped.excluded += 1
            return false
        }
        return true
    }
}
