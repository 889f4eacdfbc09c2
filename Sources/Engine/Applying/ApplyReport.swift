package import CampaignModel
package import State
package import RegistrationLists

/// Why an apply did not come to its end.
///
/// What was done is recorded.
package enum ApplyError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// The server could not be reached before anything was sent.
    case unreachable(reason: String)
    /// No answer that settles anything, after several attempts.
    case unanswered(reason: String)
    /// FCM refuses us: credential, project or request.
    case refused(reason: String)
    case interrupted
}

/// What an apply did.
package struct ApplyReport: Sendable {
    package var memberships = MembershipTally()
    package var sends: [SendReport] = []
    /// Occurrences whose moment had passed too long ago.
    package var expired: [OccurrenceID] = []
    /// The same, where that is no failure.
    package var skipped: [OccurrenceID] = []
    /// Slots of rules that passed beside these and are not recorded one by one.
    package var missedSlots = 0
    /// Occurrences that stopped at an unknown outcome in an earlier run and still wait.
    package var stopped: [OccurrenceID] = []
    /// Occurrences that somebody paused, before their sending or in the middle of it.
    package var paused: [OccurrenceID] = []
    /// Sendings that a person has to look at before they go on.
    package var held: [HeldSend] = []
    /// Sends that were not made, because somebody who is to leave their topics is still in one.
    package var waiting: [WaitingSend] = []
    /// Requests of sendings that were planned and not begun.
    package var notBegun = 0
    package var error: ApplyError?
    /// What the run's history says of memberships.
    var notedMemberships: [MembershipScope: RunMembership] = [:]

    package init() {}

    package var tooLate: Int { expired.count + skipped.count + missedSlots }

    package var tally: OutcomeTally { sends.reduce(OutcomeTally()) { $0 + $1.tally } }

    package var didAnything: Bool {
        memberships.joined + memberships.left + memberships.refused.count + memberships.foreign > 0
            || tally.total > tally[.intended] + tally[.returned]
            || !expired.isEmpty || !skipped.isEmpty
    }
}

/// What became of one sending in this run.
package struct SendReport: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let target: UnitTarget
    /// What this run added to each outcome; what is still to be sent stands under `.intended` and
    /// `.returned`.
    package let tally: OutcomeTally
    /// Requests that were not accepted, at most 1,000 of each kind.
    package let rejected: [SendProblem]
    package let unknown: [SendProblem]
    /// Requests that were sent once more, because FCM may not have taken them the first time: some
    /// may have arrived twice.
    ///
    /// At most 1,000, with the cause; `repeats` are all.
    package var repeated: [SendProblem] = []
    package var repeats = 0
}

/// A sending whose answers say that something is wrong with its list, project, app or payload.
package struct HeldSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let suspicion: AnswerTrial.Suspicion

    package init(occurrence: OccurrenceID, suspicion: AnswerTrial.Suspicion) {
        self.occurrence = occurrence
        self.suspicion = suspicion
    }
}

/// A send that an apply did not make.
package struct WaitingSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// The topic that somebody has to leave first.
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
    /// Who was in the topic before us: recorded, and not asked for.
    package var foreign = 0
    /// Who was refused a join, with FCM's word for it.
    package var refused: [SendProblem] = []
    /// Who was refused a leave, is still in the topic and is asked for again by the next apply.
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
        left.foreign += right.foreign
        left.refused += right.refused
        left.refusedLeaves += right.refusedLeaves
    }
}
