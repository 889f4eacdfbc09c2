/// The random numbers of one rule, reproducible for the same seed, rule and subject.
struct FaultDraw {
    private let start: UInt64

    init(seed: UInt64, rule: String) {
        start = (seed ^ 0x68_6572_616C_64).mixed ^ Self.hash(rule)
    }

    /// Returns whether a text belongs to the share.
    func hits(_ share: Double, for text: String) -> Bool {
        isBelow(share, bits: (start ^ Self.hash(text)).mixed)
    }

    /// Returns whether a request, identified by its number, belongs to the share.
    func hits(_ share: Double, request number: Int64) -> Bool {
        isBelow(share, bits: (start ^ UInt64(bitPattern: number).mixed).mixed)
    }

    private func isBelow(_ share: Double, bits: UInt64) -> Bool {
        Double(bits >> 11) * 0x1p-53 < share
    }

    /// Returns FNV-1a of the text's UTF-8 bytes.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
