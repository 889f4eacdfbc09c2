package import CampaignModel

/// One of the equal parts into which all fingerprints are divided by their first bits.
///
/// Without the key, fingerprints cannot be chosen, so parts of a long list have similar lengths.
package struct FingerprintPart: Hashable, Sendable {
    /// From 0, in the order of fingerprints.
    package let number: Int
    /// The number of first bits that all fingerprints of a part have in common.
    package let bits: Int

    package static let all = FingerprintPart(number: 0, bits: 0)
    /// More parts would read the same stored chunks too often.
    package static let maximumBits = 16

    package init(number: Int, bits: Int) {
        self.number = number
        self.bits = bits
    }

    /// Returns the bits of parts with at most about `size` of `count` fingerprints.
    package static func bits(of count: Int, dividedBy size: Int) -> Int {
        var bits = 0
        while bits < maximumBits, count >> bits > size { bits += 1 }
        return bits
    }

    /// Returns all parts in order, each with at most about `size` of `count` fingerprints.
    package static func parts(of count: Int, dividedBy size: Int) -> [FingerprintPart] {
        let bits = bits(of: count, dividedBy: size)
        return (0..<1 << bits).map { FingerprintPart(number: $0, bits: bits) }
    }

    package var first: Fingerprint {
        Fingerprint(high: bits == 0 ? 0 : UInt64(number) << UInt64(64 - bits), low: .min)
    }

    package var last: Fingerprint {
        Fingerprint(high: first.high | .max >> UInt64(bits), low: .max)
    }

    /// The numbers of the parts with another number of bits that together contain this part.
    package func numbers(ofPartsWith other: Int) -> Range<Int> {
        let difference = bits - other
        return difference >= 0
            ? number >> difference..<(number >> difference) + 1
            : number << -difference..<(number + 1) << -difference
    }

    package func contains(_ fingerprint: Fingerprint) -> Bool {
        bits == 0 || fingerprint.high >> UInt64(64 - bits) == UInt64(number)
    }
}
