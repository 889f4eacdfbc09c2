package import CampaignModel
import Crypto

/// The share of a range by which a send of an occurrence moves, so that the sends of a project do
/// not all begin at the same second.
///
/// It is SHA-256(project NUL campaign NUL slot NUL purpose), first 8 bytes, big endian, divided by
/// 2^64. Anyone can compute it.
package struct DueOffset: Hashable, Sendable {
    package enum Purpose: String, Hashable, Sendable {
        /// After quiet hours.
        case spread
        /// Around the due time.
        case jitter
    }

    private let numerator: UInt64

    package init(of occurrence: OccurrenceID, in project: ProjectID, for purpose: Purpose) {
        let parts = [
            project.rawValue, occurrence.campaign.rawValue, occurrence.slot.text,
            purpose.rawValue,
        ]
        let digest = SHA256.hash(data: Array(parts.joined(separator: "\0").utf8))
        numerator = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The share of a range, in whole seconds, rounded down.
    package func seconds(of range: Int64) -> Int64 {
        Int64(UInt64(max(0, range)).multipliedFullWidth(by: numerator).high)
    }
}
