package import CampaignModel
package import RegistrationLists
package import State

/// Why an apply ended early.
///
/// Completed work is recorded.
package enum ApplyError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// The server was unreachable before anything was sent.
    case unreachable(reason: String)
    /// There was no conclusive answer after several attempts.
    case unanswered(reason: String)
    /// FCM rejects the caller: credential, project or request.
    case refused(reason: String)
    case interrupted
}

/// The result of an apply.
package struct ApplyReport: Sendable {
    package var memberships = MembershipTally()
    package var sends: [SendReport] = []
    /// Occurrences that were too late.
    package var expired: [OccurrenceID] = []
    /// Occurrences that were too late, if that is not a failure.
    package var skipped: [OccurrenceID] = []
    /// Number of other missed slots, which are not recorded individually.
    package var missedSlots = 0
    /// Occurrences that stopped at an unknown outcome in an earlier run and still wait.
    package var stopped: [OccurrenceID] = []
    /// Occurrences that are paused, before or during the send.
    package var paused: [OccurrenceID] = []
    /// Occurrences that a person must check before they continue.
    package var held: [HeldSend] = []
    /// Sends that were not made, because a member that must leave is still in one of their topics.
    package var waiting: [WaitingSend] = []
    /// Number of requests in planned occurrences that did not start.
    package var notBegun = 0
    package var error: ApplyError?
    /// The membership changes for the run's history.
    var notedMemberships: [MembershipScope: RunMembership] = [:]

    package init() {}

    package var tooLate: Int { expired.count + skipped.count + missedSlots }

    package var tally: OutcomeTally { sends.reduce(OutcomeTally()) { $0 + $1.tally } }

    package var didAnything: Bool {
        memberships.joined + memberships.left + memberships.refused.count + memberships.external > 0
            || tally.total > tally[.intended] + tally[.returned]
            || !expired.isEmpty || !skipped.isEmpty
    }
}

/// The result of one occurrence in this run.
package struct SendReport: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let target: UnitTarget
    /// The outcomes that this run added; remaining requests count as `.intended` and `.returned`.
    package let tally: OutcomeTally
    /// Requests that were not accepted, at most 1,000 of each kind.
    package let rejected: [SendProblem]
    package let unknown: [SendProblem]
    /// Requests that were retried after an unknown outcome: some messages may have arrived twice.
    ///
    /// At most 1,000, with the cause; `repeats` is the total.
    package var repeated: [SendProblem] = []
    package var repeats = 0
}

/// An occurrence whose answers indicate a wrong list, project, app or payload.
package struct HeldSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let suspicion: WrongListDetector.WrongListEvidence

    package init(occurrence: OccurrenceID, suspicion: WrongListDetector.WrongListEvidence) {
        self.occurrence = occurrence
        self.suspicion = suspicion
    }
}

/// A send that an apply did not make.
package struct WaitingSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// The topic that a member must leave first.
    package let topic: Topic
    package let openLeaves: Int
}

/// One request that was not accepted; the fingerprint is nil for a topic or condition.
package struct SendProblem: Hashable, Sendable {
    package let fingerprint: Fingerprint?
    package let reason: String
}

package struct MembershipTally: Hashable, Sendable {
    package var joined = 0
    package var left = 0
    /// Number of external members: recorded, but not requested.
    package var external = 0
    /// Rejected joins, with FCM's error.
    package var refused: [SendProblem] = []
    /// Rejected leaves: the members are still in the topic, and the next apply repeats the request.
    package var refusedLeaves: [SendProblem] = []

    package init() {}

    init(joins results: [MembershipResult]) {
        for result in results {
            switch result.verdict {
            case .done: joined += 1
            case .refused(let word):
                refused.append(SendProblem(fingerprint: result.fingerprint, reason: word))
            }
        }
    }

    static func += (left: inout MembershipTally, right: MembershipTally) {
        left.joined += right.joined
        left.left += right.left
        left.external += right.external
        left.refused += right.refused
        left.refusedLeaves += right.refusedLeaves
    }
}
