/// A field of a request and its error (google.rpc.BadRequest.FieldViolation).
package struct FieldViolation: Error, Hashable, Sendable {
    /// Empty if no field is at fault.
    package var field: String
    package var description: String

    package init(field: String = "", description: String) {
        self.field = field
        self.description = description
    }

    static func invalid(_ field: String, because description: String) -> FieldViolation {
        FieldViolation(field: field, description: description)
    }
}
