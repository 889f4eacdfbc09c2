import DeliveryModel

/// Random numbers that are reproducible for a seed.
///
/// Each pair of subject and device has its own number, independent of other draws and of their
/// order.
struct SeededRandom: Sendable {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed.scattered
    }

    /// Returns an independent draw for a named subject, such as a topic.
    func about(_ text: String) -> SeededRandom {
        SeededRandom(seed: seed ^ text.stableHash)
    }

    /// Returns the number of one device.
    func number(of device: Int) -> UInt64 {
        (seed &+ UInt64(truncatingIfNeeded: device) &* 0x9E37_79B9_7F4A_7C15).scattered
    }

    /// Returns a number from 0 to `count - 1`; `count` must be at least 1.
    func number(of device: Int, below count: Int) -> Int {
        Int(number(of: device).multipliedFullWidth(by: UInt64(count)).high)
    }
}
