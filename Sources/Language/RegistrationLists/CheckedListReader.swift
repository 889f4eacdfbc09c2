package import CampaignModel

/// Streams the rows of a surveyed list, with defaults in place of missing values, and checks at its
/// end whether it is still the same list.
package struct CheckedListReader: ~Copyable {
    private let rows: ListCursor
    private var hasher: ListHasher
    private var resolver: RowResolver?
    private let expected: ListID
    private let fingerprinter: Fingerprinter
    private let path: String?
    private var isAtEnd = false

    package init(
        _ content: ListContent,
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        expected: ListID
    ) throws(RegistrationListError) {
        let others = OtherColumns(of: content.columns.map { [$0] } ?? [])
        rows = try ListCursor.open(
            content.list,
            others: others,
            directory: directory,
            fingerprinter: fingerprinter
        )
        hasher = ListHasher(content)
        resolver = content.columns.map { RowResolver($0, in: others.names) }
        self.expected = expected
        self.fingerprinter = fingerprinter
        path = content.list.path
    }

    /// Returns the next rows; fewer than `count` only at the end, and then none.
    ///
    /// - Throws: `.changed` if the end shows that this is not the surveyed list.
    package mutating func next(_ count: Int) throws(RegistrationListError) -> [RegistrationRow] {
        guard !isAtEnd else { return [] }
        var chunk: [RegistrationRow] = []
        while chunk.count < count {
            switch try rows.next() {
            case .row(let row)?:
                let values = resolver?.resolve(row).values ?? []
                hasher.add(
                    row.registration,
                    with: fingerprinter.fingerprint(of: row.registration),
                    values: values
                )
                chunk.append(RegistrationRow(row.registration, values: values))
            case .broken?: throw .changed(path: path)
            case nil:
                isAtEnd = true
                guard hasher.finish(covering: rows.digest) == expected else {
                    throw .changed(path: path)
                }
                return chunk
            }
        }
        return chunk
    }
}
