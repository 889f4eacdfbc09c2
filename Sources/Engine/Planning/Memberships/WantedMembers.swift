import CampaignModel
import State

/// The registrations of a list, by parts of their fingerprints.
///
/// A short list is sorted once. A long one is sorted part by part, because that takes 4 bytes per
/// registration in addition to the list's own 16, instead of another 16.
struct WantedMembers: Sendable {
    private enum Content: Sendable {
        case sorted([Fingerprint])
        case divided(DividedFingerprints)
    }

    private let content: Content
    let count: Int

    /// Registrations that are compared at once.
    static let partSize = 524_288

    static let none = WantedMembers([])

    /// `fingerprints`: in any order, without repetitions.
    init(_ fingerprints: [Fingerprint]) {
        count = fingerprints.count
        content =
            count <= Self.partSize
            ? .sorted(fingerprints.sortedByBits())
            : .divided(DividedFingerprints(fingerprints, partSize: Self.partSize))
    }

    /// Returns the fingerprints in a part, sorted.
    func sorted(in part: FingerprintPart) -> [Fingerprint] {
        switch content {
        case .sorted(let fingerprints) where part == .all: fingerprints
        case .sorted(let fingerprints):
            Array(
                fingerprints[fingerprints.sortedRange(from: part.first, through: part.last)]
            )
        case .divided(let divided): divided.fingerprints(in: part).sortedByBits()
        }
    }
}

/// Fingerprints in any order, with an index by their first bits.
private struct DividedFingerprints: Sendable {
    private let fingerprints: [Fingerprint]
    private let bits: Int
    /// The positions of the fingerprints, grouped by part.
    private let positions: [UInt32]
    /// The end of each part's positions.
    private let ends: [Int]

    init(_ fingerprints: [Fingerprint], partSize: Int) {
        let bits = max(1, FingerprintPart.bits(of: fingerprints.count, dividedBy: partSize))
        let shift = UInt64(64 - bits)
        var ends = Array(repeating: 0, count: 1 << bits)
        for fingerprint in fingerprints { ends[Int(fingerprint.high >> shift)] += 1 }
        var sum = 0
        for part in ends.indices { (ends[part], sum) = (sum, sum + ends[part]) }
        positions = [UInt32](unsafeUninitializedCapacity: fingerprints.count) { buffer, count in
            for (position, fingerprint) in fingerprints.enumerated() {
                let part = Int(fingerprint.high >> shift)
                buffer.initializeElement(at: ends[part], to: UInt32(position))
                ends[part] += 1
            }
            count = fingerprints.count
        }
        self.fingerprints = fingerprints
        self.bits = bits
        self.ends = ends
    }

    func fingerprints(in part: FingerprintPart) -> [Fingerprint] {
        let difference = part.bits - bits
        let parts =
            difference >= 0
            ? part.number >> difference..<(part.number >> difference) + 1
            : part.number << -difference..<(part.number + 1) << -difference
        let start = parts.lowerBound == 0 ? 0 : ends[parts.lowerBound - 1]
        let found = positions[start..<ends[parts.upperBound - 1]].map { fingerprints[Int($0)] }
        return difference > 0 ? found.filter(part.contains) : found
    }
}
