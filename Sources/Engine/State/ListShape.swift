package import CampaignModel

/// What a stored list contains.
package struct ListShape: Hashable, Sendable {
    package let kind: RegistrationFile.Kind
    /// The names of the columns, in the order of each row's values.
    package let columns: [String]

    package init(_ kind: RegistrationFile.Kind = .token, columns: [String] = []) {
        self.kind = kind
        self.columns = columns
    }
}
