/// The shape of a key in a table that exists as long as the program.
///
/// It does not count references: each key of each message looks up its shape, and reference
/// counting on the few shapes would make the cores wait for each other.
enum StaticSchemaReference: @unchecked Sendable {
    case object(Unmanaged<MessageFields>)
    case other(Unmanaged<Box>)

    final class Box: Sendable {
        let shape: MessageShape

        init(_ shape: MessageShape) {
            self.shape = shape
        }
    }

    /// Retains the shape forever.
    init(_ shape: MessageShape) {
        self =
            switch shape {
            case .object(let fields): .object(.passRetained(fields))
            default: .other(.passRetained(Box(shape)))
            }
    }
}
