package import CampaignModel
package import Memberships
package import Planning
import RegistrationLists
package import RunControl
package import Sending
package import State
package import Time

/// The result of an apply.
package struct ApplyReport: Sendable {
    package var memberships = MembershipTally()
    package var sends: [SendReport] = []
    /// Occurrences that a service sends: `sends: run` of the environment.
    package var handedOver: [OccurrenceID] = []
    /// Occurrences that another command removed after they were handed over.
    package var cancelled: [OccurrenceID] = []
    /// Occurrences that were being sent in the run when another command took them back.
    package var takenBack: [OccurrenceID] = []
    /// Occurrences that a service stopped, because a person must check them.
    package var heldByService: [CheckedSend] = []
    /// Occurrences that were too late.
    package var expired: [OccurrenceID] = []
    /// Occurrences that were too late, if that is not a failure.
    package var skipped: [OccurrenceID] = []
    /// Number of other missed slots, which are not recorded individually.
    package var missedSlots = 0
    /// Occurrences that stopped at an unknown outcome in an earlier run and still wait.
    package var stopped: [OccurrenceID] = []
    /// Occurrences that are paused, before or during the send.
    package var paused: [PausedSend] = []
    /// Occurrences that wait until quiet hours end, before or during the send.
    package var deferred: [DeferredSend] = []
    /// Membership changes that did not begin or did not end, because everything is paused.
    package var pausedMemberships: [MembershipScope] = []
    /// Occurrences that a person must check before they continue.
    package var held: [HeldSend] = []
    package var stoppedRollouts: [StoppedRollout] = []
    /// Sends that were not made, because the list that was read for them cannot be used.
    package var refusedSends: [RefusedSend] = []
    /// The outcomes of guards that allowed a list when it was read.
    package var guardsAtSend: [GuardOutcome] = []
    /// Sends that were not made, because a member that must leave is still in one of their topics.
    package var waiting: [WaitingSend] = []
    /// Number of requests in planned occurrences that did not start, as far as the plan knew it.
    package var notBegun = 0
    /// Number of requests to lists that were read when their sends began.
    var sendsAtSend = 0
    package var error: ApplyError?
    /// The membership changes for the run's history.
    var notedMemberships: [MembershipScope: RunMembership] = [:]

    package init() {}

    /// Adds what another part of the run did, except its membership changes.
    ///
    /// The first error stays.
    package mutating func merge(_ part: ApplyReport) {
        sends += part.sends
        expired += part.expired
        skipped += part.skipped
        missedSlots += part.missedSlots
        stopped += part.stopped
        paused += part.paused
        deferred += part.deferred
        held += part.held
        cancelled += part.cancelled
        takenBack += part.takenBack
        stoppedRollouts += part.stoppedRollouts
        refusedSends += part.refusedSends
        guardsAtSend += part.guardsAtSend
        waiting += part.waiting
        notBegun += part.notBegun
        sendsAtSend += part.sendsAtSend
        error = error ?? part.error
    }

    /// The audiences with joins that FCM refused, sorted by name.
    package var audiencesWithRefusals: [AudienceID] {
        let refused = notedMemberships.values.filter { $0.refused > 0 }
        return Set(refused.map(\.scope.audience)).sorted()
    }

    package var tooLate: Int { expired.count + skipped.count + missedSlots }

    package var tally: OutcomeTally { sends.reduce(OutcomeTally()) { $0 + $1.tally } }

    /// Replaces what was handed over by what a service did with it.
    package mutating func take(_ followed: ApplyReport) {
        sends += followed.sends
        handedOver = followed.handedOver
        expired += followed.expired
        cancelled += followed.cancelled
        heldByService += followed.heldByService
        stopped += followed.stopped.filter { !stopped.contains($0) }
        paused += followed.paused
        deferred += followed.deferred
    }

    package var didAnything: Bool {
        memberships.joined + memberships.left + memberships.refused.count + memberships.external > 0
            || tally.total > tally[.intended] + tally[.returned]
            || !expired.isEmpty || !skipped.isEmpty
    }
}

/// An occurrence that did not begin or did not end, because it is paused.
package struct PausedSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// What is paused: everything or the campaign; nil if the pause was lifted since then.
    package let scope: PauseScope?

    package init(occurrence: OccurrenceID, scope: PauseScope?) {
        self.occurrence = occurrence
        self.scope = scope
    }
}

/// An occurrence that did not begin or did not end, because quiet hours hold it, or because its rollout pauses.
package struct DeferredSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// When it begins or resumes.
    package let until: Instant
    /// Whether the next stage of its rollout begins then.
    package let isBetweenStages: Bool

    package init(occurrence: OccurrenceID, until: Instant, isBetweenStages: Bool = false) {
        self.occurrence = occurrence
        self.until = until
        self.isBetweenStages = isBetweenStages
    }
}

/// An occurrence whose rollout stopped until a person decides.
package struct StoppedRollout: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// The number of the stage; nil if it is unknown.
    package let stage: Int?
    /// Nil if it is unknown.
    package let stop: RolloutStop?

    package init(_ occurrence: OccurrenceID, stage: Int?, by stop: RolloutStop?) {
        self.occurrence = occurrence
        self.stage = stage
        self.stop = stop
    }
}

/// An occurrence that a service holds until a person has checked it.
package struct CheckedSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let hold: Hold

    package init(_ occurrence: OccurrenceID, hold: Hold) {
        self.occurrence = occurrence
        self.hold = hold
    }
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
