import CampaignModel
import JSON

extension Table<Void, Fingerprint> {
    /// Fingerprints of registrations, with columns of their list.
    fileprivate static let fingerprints: Self = {
        let fields: [JSONMember<Fingerprint>] = [
            .required("registration", .fingerprint, about: "Fingerprint.") { $0 }
        ]
        let row = JSONShape("A registration.", TableRow.members(of: fields))
        return Table(
            fields: fields,
            document: StreamedDocument(
                head: JSONShape("Fingerprints of a list.", [HistoryJSON.version()]),
                name: "registrations",
                of: .object(row),
                layout: .line
            )
        )
    }()
}

extension TableView<Void, Fingerprint> {
    /// Fingerprints of registrations, with columns of their list.
    package init(_ format: TableFormat, fingerprintsWithColumns columns: [String]) {
        self.init(format, of: .fingerprints, head: (), columns: columns)
    }
}
