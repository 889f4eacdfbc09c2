/// Keeps a value until the process ends.
///
/// To take a large project apart takes as long as to resolve it, and nobody needs the memory.
func keepUntilExit(_ value: CheckedProject) {
    _ = Unmanaged.passRetained(KeptValue(value))
}

private final class KeptValue {
    private let value: CheckedProject

    init(_ value: CheckedProject) {
        self.value = value
    }
}
