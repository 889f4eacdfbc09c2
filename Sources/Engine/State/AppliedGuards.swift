package import CampaignModel

/// Records of earlier applies that guards compare with.
package struct AppliedGuards: Hashable, Sendable {
    /// The ID in FCM of the project that the state belongs to; nil before the first apply.
    package let projectID: String?
    /// The allowed result of each membership change in a run that has not completed.
    package let aims: [MembershipScope: MembershipGoal]
    /// The approvals that the next plan needs; nil if none, or before the first apply.
    package let approvals: ApprovalPolicy?

    package init(
        projectID: String? = nil,
        aims: [MembershipScope: MembershipGoal] = [:],
        approvals: ApprovalPolicy? = nil
    ) {
        self.projectID = projectID
        self.aims = aims
        self.approvals = approvals
    }

    package static let none = AppliedGuards()
}

/// The desired membership.
package enum MembershipGoal: Hashable, Sendable {
    /// The registrations of the list with this content.
    case list(ListID)
    /// No members.
    case nobody
}
