/// Keeps a value until the process ends.
///
/// Freeing a large project or plan takes as long as building it, and the process does not need the
/// memory again.
func keepUntilExit<Value>(_ value: Value) {
    _ = Unmanaged.passRetained(KeptValue(value))
}

private final class KeptValue<Value> {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
