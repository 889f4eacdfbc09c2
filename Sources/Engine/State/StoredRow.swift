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

/// A registration of a stored list, with its values in the list's columns.
package struct StoredRow: Hashable, Sendable {
    package let registration: Registration
    /// In the order of the list's columns; empty if the row has no value.
    package let values: [String]

    package init(_ registration: Registration, values: [String] = []) {
        self.registration = registration
        self.values = values
    }
}

extension StoredRow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
