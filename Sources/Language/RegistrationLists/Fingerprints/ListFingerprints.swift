package import CampaignModel

/// The fingerprints of a list's different registrations.
///
/// Those of a long list are in temporary files, so that memory does not grow with the list.
package struct ListFingerprints: Sendable {
    private enum Content: Sendable {
        case array([Fingerprint])
        case files(FingerprintFiles)
    }

    private let content: Content

    /// `fingerprints`: in the order of the list.
    package init(_ fingerprints: [Fingerprint]) {
        content = .array(fingerprints)
    }

    init(_ files: FingerprintFiles) {
        content = .files(files)
    }

    package var count: Int {
        switch content {
        case .array(let fingerprints): fingerprints.count
        case .files(let files): files.count
        }
    }

    /// The first fingerprint of the list; nil if the list is empty.
    package func first() -> Fingerprint? {
        switch content {
        case .array(let fingerprints): fingerprints.first
        case .files(let files): files.first()
        }
    }

    /// Returns all fingerprints in the order of the list.
    package func inOrder() -> [Fingerprint] {
        switch content {
        case .array(let fingerprints): fingerprints
        case .files(let files): files.inOrder()
        }
    }

    /// Returns the values of consecutive parts of the list, in order; `body` is called on all cores.
    func mapStretches<Value: Sendable>(
        _ body: @Sendable ([Fingerprint]) -> Value
    ) -> [Value] {
        switch content {
        case .array(let fingerprints): [body(fingerprints)]
        case .files(let files): files.mapStretches(body)
        }
    }

    /// Whether they are in files; otherwise they are in memory.
    package var areInFiles: Bool {
        if case .files = content { true } else { false }
    }

    /// The number of first bits that all fingerprints of a group have in common.
    package static let groupBits = FingerprintGroups.bits

    /// Returns the fingerprints of some groups in ascending order.
    package func sorted(inGroups groups: Range<Int>) -> [Fingerprint] {
        switch content {
        case .array(let fingerprints):
            fingerprints.filter { groups.contains(FingerprintGroups.group(of: $0)) }.sortedByBits()
        case .files(let files): files.sorted(inGroups: groups)
        }
    }
}
