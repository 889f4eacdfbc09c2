import CampaignModel
import RegistrationLists
import State

/// The registrations of a list, by parts of their fingerprints.
struct WantedMembers: Sendable {
    private enum Content: Sendable {
        case sorted([Fingerprint])
        case inFiles(ListFingerprints)
    }

    private let content: Content
    let count: Int

    static let none = WantedMembers(ListFingerprints([]))

    /// `fingerprints`: without repetitions.
    init(_ fingerprints: ListFingerprints) {
        count = fingerprints.count
        content =
            fingerprints.areInFiles
            ? .inFiles(fingerprints) : .sorted(fingerprints.inOrder().sortedByBits())
    }

    /// Returns the fingerprints in a part, sorted.
    func sorted(in part: FingerprintPart) -> [Fingerprint] {
        switch content {
        case .sorted(let fingerprints) where part == .all: return fingerprints
        case .sorted(let fingerprints):
            return Array(
                fingerprints[fingerprints.sortedRange(from: part.first, through: part.last)]
            )
        case .inFiles(let files):
            let groups = part.numbers(ofPartsWith: ListFingerprints.groupBits)
            let found = files.sorted(inGroups: groups)
            return part.bits > ListFingerprints.groupBits ? found.filter(part.contains) : found
        }
    }
}
