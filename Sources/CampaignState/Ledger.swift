package import CampaignModel
package import Scheduling

/// A unit of work in the ledger, by the number that the store gave it.
package struct UnitID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// Work on one target: a single request to a topic, condition or device group, or one request for each
/// registration of a stored list, in the list's order.
package struct UnitRecord: Hashable, Sendable {
    package let id: UnitID
    package let target: UnitTarget
    /// How many requests there are in all; they are numbered from 0.
    package let count: Int
    /// The requests below this number may have been sent: each without an outcome, after a crash,
    /// is unknown.
    ///
    /// The mark is on disk before the first byte of such a request leaves.
    package let released: Int
    package let tally: OutcomeTally
    /// Whether the ids of its accepted messages are kept.
    package let keepsIDs: Bool
    /// When its single outcomes, their details and ids were dropped; nil while they are there.
    package let compacted: Instant?

    /// How many requests are released and have no outcome.
    ///
    /// While nobody is sending, nobody can say whether FCM took these.
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
    /// A device group, whose key is asked for when it is sent to.
    case group(DeviceGroupName)
    case registrations(ListID)
}

/// The outcome of one request, with what is worth keeping of it.
package struct UnitOutcome: Hashable, Sendable {
    /// The request's number within its unit.
    package let index: Int
    package let outcome: Outcome
    /// Of a topic or condition send the message's name as FCM gave it; of anything that was not
    /// accepted the reason, such as `UNREGISTERED`.
    ///
    /// A request that is intended has none.
    package let detail: String?
    /// The message's name as FCM gave it; kept beside the ledger where the unit keeps ids.
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

/// How many requests have each outcome.
///
/// The counts of a unit add up to its size.
package struct OutcomeTally: Hashable, Sendable {
    /// One for each outcome, of which there are eight.
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
