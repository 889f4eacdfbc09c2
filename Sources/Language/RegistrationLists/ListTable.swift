package import CampaignModel

/// A list with requested columns in addition to its registrations.
package struct ListTable: Sendable {
    package let list: RegistrationList
    package let columns: [String]
    private let directory: any ListPlaces

    package struct Row {
        package let registration: Registration
        /// In the order of the columns; empty if the row has no value.
        package let values: [String]
        /// The row's first line, counted from 1.
        package let line: Int
        /// The recipient's public key; empty if the row has none, nil if the list has no column for it.
        package let publicKey: String?
    }

    /// `directory`: The base of relative paths, and the outputs of sources.
    package init(_ list: RegistrationList, columns: [String], directory: any ListPlaces) {
        self.list = list
        self.columns = columns
        self.directory = directory
    }

    /// Visits the rows with their fingerprints, and returns the content ID.
    ///
    /// - Throws: The errors of `forEachRow`.
    package func forEachRow(
        identifiedBy fingerprinter: Fingerprinter,
        _ visit: (Row, Fingerprint) -> Void
    ) throws(RegistrationListError) -> ListID {
        var hasher = ListHasher(ListContent(list))
        let rows = try forEachRow(fingerprinter: fingerprinter) { row in
            let fingerprint = fingerprinter.fingerprint(of: row.registration)
            hasher.add(row.registration, with: fingerprint)
            visit(row, fingerprint)
        }
        return hasher.finish(covering: rows.digest)
    }

    /// Visits the rows in order, holding one at a time.
    ///
    /// - Throws: `.unreadable`, `.missingColumn`, `.brokenLines` for the first broken line,
    ///   `.empty`.
    package func forEachRow(_ visit: (Row) -> Void) throws(RegistrationListError) {
        _ = try forEachRow(fingerprinter: nil, visit)
    }

    /// Returns the rows, which are at their end.
    private func forEachRow(
        fingerprinter: Fingerprinter?,
        _ visit: (Row) -> Void
    ) throws(RegistrationListError) -> ListCursor {
        let rows = try ListCursor.open(
            list,
            others: OtherColumns(names: columns),
            directory: directory,
            fingerprinter: fingerprinter
        )
        var isEmpty = true
        while let entry = try rows.next() {
            switch entry {
            case .broken(let line):
                throw .brokenLines([line], path: line.path ?? list.path ?? "", count: 1)
            case .row(let row):
                isEmpty = false
                visit(
                    Row(
                        registration: row.registration,
                        values: row.values,
                        line: row.line,
                        publicKey: row.publicKey
                    )
                )
            }
        }
        guard !isEmpty else { throw .empty(path: list.path) }
        return rows
    }
}
