package import CampaignModel

/// What a guard says where it has something to say; one that is content says nothing.
package struct GuardOutcome: Hashable, Sendable {
    package let `guard`: Guard
    /// What it is about; nil where it is about the whole apply.
    package let subject: GuardSubject?
    package let verdict: GuardVerdict

    package init(_ guard: Guard, _ subject: GuardSubject?, _ verdict: GuardVerdict) {
        self.guard = `guard`
        self.subject = subject
        self.verdict = verdict
    }

    /// Why an apply is refused; nil where it isn't.
    package var refusal: GuardRefusal? {
        if case .refused(let refusal) = verdict { refusal } else { nil }
    }
}

package enum GuardSubject: Hashable, Sendable {
    case campaign(CampaignID)
    /// With the topic where it is about a membership.
    case audience(AudienceID, Topic?)
}

package enum GuardVerdict: Hashable, Sendable {
    /// The campaign says that its author knows.
    case acknowledged(GuardRefusal, reason: String)
    case refused(GuardRefusal)
    /// It would be refused; whoever plans or applies switched the guard off.
    case bypassed(GuardRefusal)
}

/// Why a guard refuses, in numbers.
package enum GuardRefusal: Hashable, Sendable {
    /// `acknowledged`: the number that the campaign acknowledges, which is too low.
    case tooManyRecipients(Int, maximum: Int, acknowledged: Int?)
    /// Nobody knows how many it reaches.
    case unknownReach(maximum: Int)
    /// `members`: as many as are recorded as ours.
    case tooMuchChange(joins: Int, leaves: Int, members: Int, maximum: Percentage)
    /// `scheduled`: as many sends as the state has scheduled.
    case tooManyCancelled(Int, scheduled: Int, maximum: Percentage)
    case shrunkList(from: Int, to: Int, maximum: Percentage)
    /// The audience or the topics that are `test: true`.
    case testAudience([String])
    case tooManySends(Int, maximum: Int)
    /// Ids as FCM knows them.
    case otherProject(recorded: String, found: String)
    /// The address of a server that is neither Google's nor this machine.
    case foreignServer(String)
    case fixedClock
    case notReviewed
    /// Nobody can type the environment's name.
    case nobodyConfirms
}

extension Plan {
    /// In the order of the guards, then of what they are about.
    package var refusals: [GuardOutcome] { guards.filter { $0.refusal != nil } }
}
