/// Keeps a value until the process ends.
///
/// To take a large project or plan apart takes as long as to make it, and nobody needs the memory.
func keepUntilExit<Value>(_ value: Value) {
    _ = Unmanaged.passRetained(KeptValue(value))
}

private final class KeptValue<Value> {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
