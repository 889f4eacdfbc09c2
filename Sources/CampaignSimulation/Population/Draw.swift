/// Chance that is the same for the same seed: each subject of each device has a number of its own,
/// whatever else is drawn and in which order.
///
/// The mixing is that of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators, 2014).
struct Draw: Sendable {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = Self.mix(seed)
    }

    /// A draw of its own for what a text names, such as a topic.
    func about(_ text: String) -> Draw {
        // FNV-1a; Swift's own hashes differ from run to run.
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return Draw(seed: seed ^ hash)
    }

    /// The number of one device.
    func number(of device: Int) -> UInt64 {
        Self.mix(seed &+ UInt64(truncatingIfNeeded: device) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// One of 0 to `count - 1`; `count` is at least 1.
    func number(of device: Int, below count: Int) -> Int {
        Int(number(of: device).multipliedFullWidth(by: UInt64(count)).high)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
