import Testing
import Text

struct SipHashTests {
    /// The first vectors of the reference implementation for the key 00 to 0f and the texts of 0, 1
    /// and 2 bytes 00, 01.
    @Test(arguments: [
        (0, UInt64(0xA381_7F04_BA25_A8E6), UInt64(0x6DF6_7214_C755_0293)),
        (1, 0xDA87_C1D8_6B99_AF44, 0x3476_5911_9B22_FC45),
        (2, 0x8177_228D_A4A4_5DC7, 0xFCA3_8BDE_F60A_FFE4),
    ])
    func `has the values of the reference implementation`(count: Int, high: UInt64, low: UInt64) {
        let hash = SipHash(key: Array(0..<16))
        let text = (0..<count).map { UInt8($0) }
        let value = text.withUnsafeBytes { hash.hash($0) }
        #expect(value.high == high)
        #expect(value.low == low)
    }

    /// Texts of 0, 1 and 2 bytes, whose hashes are above, and longer ones.
    @Test(arguments: 0..<34) func `has the same values for two texts at once`(count: Int) {
        let hash = SipHash(key: Array(0..<16))
        let one = (0..<count).map { UInt8($0) }
        for otherCount in 0..<34 {
            let other = (0..<otherCount).map { UInt8(200 - $0) }
            let (first, second) = one.withUnsafeBytes { one in
                other.withUnsafeBytes { hash.hashes(of: one, and: $0) }
            }
            #expect(first == one.withUnsafeBytes { hash.hash($0) })
            #expect(second == other.withUnsafeBytes { hash.hash($0) })
        }
    }
}
