import CampaignModel

/// The rows of a list without columns.
struct TextRows: ~Copyable, ListRows {
    private var reader: RegistrationReader

    init(_ list: RegistrationList, directory: String) throws(RegistrationListError) {
        reader = try RegistrationReader(list, directory: directory)
    }

    var columns: Set<String>? { nil }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        switch try reader.next() {
        case .registration(let registration)?:
            .row(ListRow(registration: registration, identity: nil, line: reader.line))
        case .broken(let line)?: .broken(line)
        case nil: nil
        }
    }
}
