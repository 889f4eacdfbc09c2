/// FNV-1a with 64 bits: the same for every process, not for secrets.
package enum StableHash {
    package static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
        return hash
    }

    /// 16 hexadecimal digits.
    package static func text(of text: String) -> String {
        let hash = of(text)
        return Hexadecimal.text(
            of: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash >> $0) }
        )
    }
}
