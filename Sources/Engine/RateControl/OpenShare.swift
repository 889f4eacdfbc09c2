/// The part of a run's open requests that one occurrence may use.
package struct OpenShare: Hashable, Sendable {
    /// The number of occurrences in progress, including this one.
    package let occurrences: Int
    /// The number of open requests of the others.
    package let openElsewhere: Int
    /// The number of requests of the others that a crash would leave unknown.
    package let claimedElsewhere: Int

    package init(occurrences: Int, openElsewhere: Int, claimedElsewhere: Int) {
        self.occurrences = max(1, occurrences)
        self.openElsewhere = openElsewhere
        self.claimedElsewhere = claimedElsewhere
    }

    /// No other occurrence is in progress.
    package static let alone = OpenShare(
        occurrences: 1,
        openElsewhere: 0,
        claimedElsewhere: 0
    )

    /// An equal part of the open requests, or a sixteenth of what the others leave if that is more;
    /// at least 1.
    ///
    /// Most of many short occurrences have no open requests.
    package func fairOpen(of limit: OpenLimit) -> Int {
        max(1, limit.most / occurrences, (limit.most - openElsewhere) / 16)
    }

    /// An equal part of the requests that a crash may leave unknown; at least 1.
    package func fairClaim(of limit: OpenLimit) -> Int { max(1, limit.unknown / occurrences) }

    /// The number of requests that the occurrence may have open.
    package func mayBeOpen(within limit: OpenLimit) -> Int {
        max(0, min(fairOpen(of: limit), limit.most - openElsewhere))
    }

    /// The number of the occurrence's requests that a crash may leave unknown.
    package func mayBeClaimed(within limit: OpenLimit) -> Int {
        max(0, min(fairClaim(of: limit), limit.unknown - claimedElsewhere))
    }
}
