import CampaignModel

/// What the readers of a set and of the sets in it share.
final class SetReading {
    private let directory: any ListPlaces
    /// Compares rows by fingerprints under a key that nothing else uses.
    let fingerprinter: Fingerprinter
    /// Computes the fingerprints in content IDs.
    let identifier: Fingerprinter
    /// The filters of the sets in the set, so that each is computed once, although `all_of` reads
    /// its lists twice.
    private var filters: [ListSet: SetFilter] = [:]

    /// `identifier`: nil if no content ID is needed.
    init(directory: any ListPlaces, identifier: Fingerprinter?) {
        self.directory = directory
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        fingerprinter = Fingerprinter(key: FingerprintKey(bytes: bytes))
        self.identifier = identifier ?? fingerprinter
    }

    func open(
        _ list: RegistrationList,
        others: OtherColumns
    ) throws(RegistrationListError) -> ListCursor {
        guard case .set(let set) = list else {
            return try ListCursor.open(list, others: others, directory: directory)
        }
        return SetCursor(set, others: others, reading: self)
    }

    func filter(of set: ListSet) throws(RegistrationListError) -> SetFilter {
        if let known = filters[set] { return known }
        let filter = try SetFilter(set, reading: self)
        filters[set] = filter
        return filter
    }
}

/// What makes rows of a set equal.
struct RowComparison {
    let isByIdentity: Bool
    private let fingerprinter: Fingerprinter

    init(_ basis: ListSet.Basis, fingerprinter: Fingerprinter) {
        isByIdentity = basis != .registration
        self.fingerprinter = fingerprinter
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

/// Decides which rows of the lists are in the set.
///
/// It decides about the rows of one pass; a copy of a new one decides about another pass.
struct SetFilter {
    let excluded: [ListComposition.Part]
    private(set) var dropped = ListComposition.Dropped()
    private let comparison: RowComparison
    /// The keys that all parts have; nil if one part suffices.
    private let matching: Set<Fingerprint>?
    private let excludedKeys: Set<Fingerprint>
    /// By identity, the registrations of the excluded rows, which are left out as well.
    private let excludedRegistrations: Set<Fingerprint>
    /// The registrations that were met; nil for a single part, in which each is once.
    private var seen: Set<Fingerprint>?

    init(_ set: ListSet, reading: SetReading) throws(RegistrationListError) {
        let comparison = RowComparison(set.basis, fingerprinter: reading.fingerprinter)
        var keys: Set<Fingerprint> = []
        var registrations: Set<Fingerprint> = []
        var excluded: [ListComposition.Part] = []
        for part in set.excluded {
            let counted = try part.forEachRow(by: comparison, reading: reading) { row in
                keys.insert(comparison.key(row))
                if comparison.isByIdentity { registrations.insert(comparison.registration(row)) }
            }
            excluded.append(counted)
        }
        self.excluded = excluded
        self.comparison = comparison
        excludedKeys = keys
        excludedRegistrations = registrations
        matching = try Self.matching(set, by: comparison, reading: reading)
        seen = set.parts.count > 1 ? [] : nil
    }

    private static func matching(
        _ set: ListSet,
        by comparison: RowComparison,
        reading: SetReading
    ) throws(RegistrationListError) -> Set<Fingerprint>? {
        guard set.operation == .allOf, set.parts.count > 1 else { return nil }
        var common: Set<Fingerprint>?
        for part in set.parts {
            var keys: Set<Fingerprint> = []
            _ = try part.forEachRow(by: comparison, reading: reading) { row in
                let key = comparison.key(row)
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

extension ListSet.Part {
    /// Reads the whole list without further columns.
    ///
    /// - Throws: `.brokenLines` for the first broken line.
    fileprivate func forEachRow(
        by comparison: RowComparison,
        reading: SetReading,
        _ visit: (ListRow) -> Void
    ) throws(RegistrationListError) -> ListComposition.Part {
        var rows = try PartRows(
            self,
            others: OtherColumns(),
            isByIdentity: comparison.isByIdentity,
            reading: reading
        )
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
