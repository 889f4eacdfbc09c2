/// The chance of one rule: the same seed, rule and question give the same answer.
struct FaultDraw {
    private let start: UInt64

    init(seed: UInt64, rule: String) {
        start = (seed ^ 0x68_6572_616C_64).mixed ^ Self.hash(rule)
    }

    /// Whether this text belongs to the share.
    func hits(_ share: Double, _ text: String) -> Bool {
        isBelow(share, (start ^ Self.hash(text)).mixed)
    }

    /// Whether this request, by its number, belongs to the share.
    func hits(_ share: Double, request number: Int64) -> Bool {
        isBelow(share, (start ^ UInt64(bitPattern: number).mixed).mixed)
    }

    private func isBelow(_ share: Double, _ bits: UInt64) -> Bool {
        Double(bits >> 11) * 0x1p-53 < share
    }

    /// FNV-1a over the text's bytes.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
