package import CampaignModel
package import Time

/// The store's number of a work unit in the ledger.
package struct UnitID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// Work on one target.
///
/// It is a single request to a topic, condition or device group, or one request per registration of
/// a stored list, in list order.
package struct WorkUnitRecord: Hashable, Sendable {
    package let id: UnitID
    package let target: UnitTarget
    /// The total number of requests, which are numbered from 0.
    package let count: Int
    /// The high-water mark: requests below this number may have been sent, and those without an
    /// outcome are unknown after a crash.
    ///
    /// The mark is on disk before the first byte of such a request leaves.
    package let released: Int
    package let tally: OutcomeTally
    /// Whether the IDs of its accepted messages are stored.
    package let keepsIDs: Bool
    /// When its single outcomes, details and IDs were dropped; nil if they are stored.
    package let compacted: Instant?

    /// Number of released requests without an outcome.
    ///
    /// If no process is sending, it is unknown whether FCM accepted these.
    package var open: Int { max(0, released - (tally.total - tally[.intended])) }

    /// Whether a request may be sent: never released, or known not to have been sent.
    package func maySend(_ number: Int, _ outcome: Outcome) -> Bool {
        outcome == .returned || outcome == .intended && number >= released
    }

    package init(
        id: UnitID,
        target: UnitTarget,
        count: Int,
        released: Int,
        tally: OutcomeTally,
        keepsIDs: Bool = false,
        compacted: Instant? = nil
    ) {
        self.id = id
        self.target = target
        self.count = count
        self.released = released
        self.tally = tally
        self.keepsIDs = keepsIDs
        self.compacted = compacted
    }
}

package enum UnitTarget: Hashable, Sendable {
    case topic(Topic)
    /// The condition's text.
    case condition(String)
    /// A device group, whose key is fetched before the send.
    case group(DeviceGroupName)
    case registrations(ListID)
}

/// The outcome of one request, with a detail.
package struct RequestOutcome: Hashable, Sendable {
    /// The request's number within its work unit.
    package let index: Int
    package let outcome: Outcome
    /// For a topic or condition, FCM's name of the message; for any other outcome than accepted,
    /// the reason, such as `UNREGISTERED`.
    ///
    /// An intended request has none.
    package let detail: String?
    /// FCM's name of the message; stored next to the ledger if the unit keeps IDs.
    package let messageID: String?

    package init(
        index: Int,
        outcome: Outcome,
        detail: String? = nil,
        messageID: String? = nil
    ) {
        self.index = index
        self.outcome = outcome
        self.detail = detail
        self.messageID = messageID
    }
}

/// Number of requests per outcome.
///
/// The counts of a unit add up to its size.
package struct OutcomeTally: Hashable, Sendable {
    /// One count per outcome; there are eight.
    private var counts: SIMD8<Int> = .zero

    package init() {}

    package subscript(outcome: Outcome) -> Int {
        get { counts[Int(outcome.rawValue)] }
        set { counts[Int(outcome.rawValue)] = newValue }
    }

    package var total: Int { counts.wrappedSum() }

    package static func + (left: OutcomeTally, right: OutcomeTally) -> OutcomeTally {
        var sum = left
        sum.counts &+= right.counts
        return sum
    }
}
