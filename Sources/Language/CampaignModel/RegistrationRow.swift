/// A registration of a list, with the row's values in the columns that a message uses.
package struct RegistrationRow: Hashable, Sendable {
    package let registration: Registration
    /// In the order of the columns; empty if the row has no value.
    package let values: [String]

    package init(_ registration: Registration, values: [String] = []) {
        self.registration = registration
        self.values = values
    }
}

extension RegistrationRow: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
