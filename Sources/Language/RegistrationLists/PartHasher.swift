package import CampaignModel

/// Computes the content ID of a list from its stored rows.
package struct PartHasher {
    private var hasher = ListHasher()
    private let fingerprinter: Fingerprinter

    /// `columns`: the columns of the rows' values.
    package init(
        kind: RegistrationFile.Kind,
        columns: [String],
        fingerprinter: Fingerprinter
    ) {
        if kind == .fid { hasher.add("fid") }
        for name in columns { hasher.add(name) }
        self.fingerprinter = fingerprinter
    }

    package mutating func add(_ row: RegistrationRow) {
        hasher.add(
            row.registration,
            with: fingerprinter.fingerprint(of: row.registration),
            values: row.values
        )
    }

    package var id: ListID { hasher.finish() }
}
