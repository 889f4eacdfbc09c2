/// The shape under a key of a table that lives as long as the program.
///
/// It counts no references: each key of each message looks its shape up, and the cores would wait
/// for each other if all of them counted the references to the few shapes there are.
enum FixedShape: @unchecked Sendable {
    case object(Unmanaged<MessageFields>)
    case other(Unmanaged<Box>)

    final class Box: Sendable {
        let shape: MessageShape

        init(_ shape: MessageShape) {
            self.shape = shape
        }
    }

    /// Keeps the shape for good.
    init(_ shape: MessageShape) {
        self =
            switch shape {
            case .object(let fields): .object(.passRetained(fields))
            default: .other(.passRetained(Box(shape)))
            }
    }
}
