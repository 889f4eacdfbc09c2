package import CampaignModel

/// The report of a guard; a guard without a concern has no outcome.
package struct GuardOutcome: Hashable, Sendable {
    package let `guard`: Guard
    /// The subject; nil if it is the whole apply.
    package let subject: GuardSubject?
    package let verdict: GuardVerdict

    package init(_ guard: Guard, subject: GuardSubject?, verdict: GuardVerdict) {
        self.guard = `guard`
        self.subject = subject
        self.verdict = verdict
    }

    /// Why an apply is refused; nil if it is allowed.
    package var refusal: GuardRefusal? {
        if case .refused(let refusal) = verdict { refusal } else { nil }
    }
}

package enum GuardSubject: Hashable, Sendable {
    case campaign(CampaignID)
    /// An audience, with the topic if the subject is a membership.
    case audience(AudienceID, Topic?)
}

package enum GuardVerdict: Hashable, Sendable {
    /// The campaign, audience or removal acknowledges the excess.
    case acknowledged(GuardRefusal, reason: String)
    case refused(GuardRefusal)
    /// The guard would refuse, but the run switches it off.
    case bypassed(GuardRefusal)
}

/// Why a guard refuses, in numbers.
package enum GuardRefusal: Hashable, Sendable {
    /// `acknowledged`: the number that the campaign acknowledges, which is too low.
    case tooManyRecipients(Int, maximum: Int, acknowledged: Int?)
    /// The reach of the campaign is unknown.
    case unknownReach(maximum: Int)
    /// `members`: number of members that Herald manages.
    case tooMuchChange(joins: Int, leaves: Int, members: Int, maximum: Percentage)
    /// `scheduled`: number of scheduled sends in the state.
    case tooManyCancelled(Int, scheduled: Int, maximum: Percentage)
    case shrunkList(from: Int, to: Int, maximum: Percentage)
    /// The audience or the topics that are `test: true`.
    case testAudience([String])
    case tooManySends(Int, maximum: Int)
    /// Project IDs in FCM.
    case otherProject(recorded: String, found: String)
    /// The address of a server that is neither Google's nor on this machine.
    case foreignServer(String)
    case fixedClock
    case notReviewed
    /// No user is there to type the environment's name.
    case nobodyConfirms
}

extension Plan {
    /// In the order of the guards, then of their subjects.
    package var refusals: [GuardOutcome] { guards.filter { $0.refusal != nil } }

    /// Whether an apply would send, change or record something, and would not refuse the plan.
    package var isApplicable: Bool { hasChanges && refusals.isEmpty && unread.isEmpty }
}
