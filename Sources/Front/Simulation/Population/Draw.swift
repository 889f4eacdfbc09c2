import DeliveryModel

/// Chance that is the same for the same seed: each subject of each device has a number of its own,
/// whatever else is drawn and in which order.
struct Draw: Sendable {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed.scattered
    }

    /// A draw of its own for what a text names, such as a topic.
    func about(_ text: String) -> Draw {
        Draw(seed: seed ^ text.stableHash)
    }

    /// The number of one device.
    func number(of device: Int) -> UInt64 {
        (seed &+ UInt64(truncatingIfNeeded: device) &* 0x9E37_79B9_7F4A_7C15).scattered
    }

    /// One of 0 to `count - 1`; `count` is at least 1.
    func number(of device: Int, below count: Int) -> Int {
        Int(number(of: device).multipliedFullWidth(by: UInt64(count)).high)
    }
}
