import FoundationEssentials
import GRDB

/// Finds out that a disk gave back something else than it was given: SQLite's pages have no
/// checksums of their own.
enum Checksum {
    /// Every changed bit changes the sum: each step is reversible, and takes eight bytes.
    static func of(_ bytes: some ContiguousBytes) -> Int64 {
        bytes.withUnsafeBytes { bytes in
            var sum = UInt64(bytes.count)
            var position = 0
            while position + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                sum = step(sum, UInt64(littleEndian: word))
                position += 8
            }
            for byte in bytes[position...] { sum = step(sum, UInt64(byte)) }
            return Int64(bitPattern: sum)
        }
    }

    /// The multiplier is odd, hence the step reversible (a prime of xxHash64).
    private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
        return mixed ^ mixed >> 32
    }
}

extension Row {
    /// Whether the first column is what its checksum, the second, was made of; format 1 wrote none.
    var isWhole: Bool {
        guard let content = try? decode(Data.self, atIndex: 0),
            let sum = try? decode(Int64?.self, atIndex: 1)
        else { return false }
        return sum == Checksum.of(content)
    }
}
