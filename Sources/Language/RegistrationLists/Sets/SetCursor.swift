import CampaignModel

/// Streams the rows of a set of lists, one list after the other.
///
/// Excluded lists and, for `all_of`, every list are read before the first row. A fingerprint of 16
/// bytes is held per row of the set, per excluded row and per row that all lists have; so it is for
/// each set in the set.
final class SetCursor: ListCursor {
    private let set: ListSet
    private let others: OtherColumns
    private let reading: SetReading
    private let comparison: RowComparison
    private let keepsIdentity: Bool
    private var filter: SetFilter?
    private var part: PartRows?
    private var read: [ListComposition.Part] = []
    private var joined: Set<String>?
    private var hasTooManyColumns = false
    /// The files of the returned rows, in their order; nil for a list in the YAML without a name.
    private var files: [String?] = []

    /// `others`: further columns, which a list need not have.
    ///
    /// The locale of a row is in its own list's column.
    init(_ set: ListSet, others: OtherColumns, reading: SetReading) {
        self.set = set
        self.others = others
        self.reading = reading
        comparison = RowComparison(set.basis, fingerprinter: reading.fingerprinter)
        keepsIdentity = RegistrationList.set(set).identityColumns != nil
    }

    override var columns: Set<String>? { hasTooManyColumns ? nil : joined }

    /// The number of files that rows were returned of.
    override var openedCount: Int { files.count }

    override var digest: ListID? {
        var hasher = ListHasher()
        hasher.add(set.operation.rawValue)
        hasher.add(comparison.isByIdentity ? "identity" : "registration")
        for part in read { hasher.add(part.id.text) }
        hasher.add("except")
        for part in filter?.excluded ?? [] { hasher.add(part.id.text) }
        return hasher.finish()
    }

    override var composition: ListComposition? {
        ListComposition(
            set,
            parts: read,
            excluded: filter?.excluded ?? [],
            dropped: filter?.dropped ?? ListComposition.Dropped()
        )
    }

    override func path(ofFile index: Int) -> String? {
        files.indices.contains(index) ? files[index] : nil
    }

    override func next() throws(RegistrationListError) -> ListEntry? {
        if filter == nil { filter = try reading.filter(of: set) }
        while true {
            if part == nil {
                guard read.count < set.parts.count else { return nil }
                part = try PartRows(
                    set.parts[read.count],
                    others: others,
                    isByIdentity: comparison.isByIdentity,
                    reading: reading
                )
            }
            switch try part?.next() {
            case .broken(let line)?: return .broken(line)
            case .row(var row)?:
                guard filter?.admits(row) == true else { continue }
                if !keepsIdentity { row.identity = nil }
                row.part = read.count
                if files.isEmpty || files.last != row.path { files.append(row.path) }
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

/// The rows of one list of a set.
struct PartRows {
    private let part: ListSet.Part
    private let cursor: ListCursor
    /// The number of values of each row.
    private let width: Int
    private let isByIdentity: Bool
    private var hasher: ListHasher
    private let identifier: Fingerprinter
    private var count = 0

    /// `isByIdentity`: whether the set compares rows by it.
    init(
        _ part: ListSet.Part,
        others: OtherColumns,
        isByIdentity: Bool,
        reading: SetReading
    ) throws(RegistrationListError) {
        self.part = part
        self.isByIdentity = isByIdentity
        width = others.names.count
        hasher = ListHasher(ListContent(part.list))
        identifier = reading.identifier
        cursor = try reading.open(part.list, others: others)
    }

    var hasColumns: Bool { part.list.hasColumns }
    var columns: Set<String>? { cursor.columns }

    /// The list, after its last row.
    var counted: ListComposition.Part {
        ListComposition.Part(
            name: part.name,
            count: count,
            id: hasher.finish(covering: cursor.digest),
            composition: cursor.composition
        )
    }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        switch try cursor.next() {
        case nil: return nil
        case .broken(let line)?: return .broken(line.of(line.path ?? path))
        case .row(var row)?:
            count += 1
            hasher.add(
                row.registration,
                with: identifier.fingerprint(of: row.registration),
                values: isByIdentity ? [row.identity ?? ""] : []
            )
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
