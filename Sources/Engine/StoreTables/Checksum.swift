package import FoundationEssentials

/// Detects that a disk returned other data than was written, because SQLite's pages have no
/// checksums.
package enum Checksum {
    /// Returns a checksum that changes with every bit: each step is reversible and takes eight
    /// bytes.
    package static func of(_ bytes: some ContiguousBytes) -> Int64 {
        bytes.withUnsafeBytes { bytes in
            var sum = UInt64(bytes.count)
            var position = 0
            while position + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                sum = step(sum, adding: UInt64(littleEndian: word))
                position += 8
            }
            for byte in bytes[position...] { sum = step(sum, adding: UInt64(byte)) }
            return Int64(bitPattern: sum)
        }
    }

    /// The multiplier is odd, so the step is reversible (a prime of xxHash64).
    private static func step(_ sum: UInt64, adding word: UInt64) -> UInt64 {
        let mixed = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
        return mixed ^ mixed >> 32
    }
}

extension StoredRow {
    /// Whether the first column matches its checksum in the second.
    package var isWhole: Bool {
        guard let content = try? decode(Data.self, atIndex: 0),
            let sum = try? decode(Int64.self, atIndex: 1)
        else { return false }
        return sum == Checksum.of(content)
    }
}
