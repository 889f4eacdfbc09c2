package import CampaignModel

/// What a stored list contains.
package struct ListShape: Hashable, Sendable {
    package let kind: RegistrationFile.Kind
    /// The names of the columns, in the order of each row's values.
    package let columns: [String]

    /// Replaces an erased registration in a stored list; nothing is ever sent to it.
    package static let erased = Registration("forgotten")

    package init(_ kind: RegistrationFile.Kind = .token, columns: [String] = []) {
        self.kind = kind
        self.columns = columns
    }
}

/// A part of a stored list.
package struct ListPage: Sendable {
    package let shape: ListShape
    package let rows: [RegistrationRow]

    package init(_ shape: ListShape, rows: [RegistrationRow]) {
        self.shape = shape
        self.rows = rows
    }
}
