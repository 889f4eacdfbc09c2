package import CampaignModel

/// What earlier applies left behind for guards to go by.
package struct AppliedGuards: Hashable, Sendable {
    /// The project's id as FCM knows it, for which the state was made; nil before the first apply.
    package let projectID: String?
    /// What each membership was allowed to become by a run that has not come to its end.
    package let aims: [MembershipScope: MembershipAim]

    package init(projectID: String? = nil, aims: [MembershipScope: MembershipAim] = [:]) {
        self.projectID = projectID
        self.aims = aims
    }

    package static let none = AppliedGuards()
}

/// What a membership is to become.
package enum MembershipAim: Hashable, Sendable {
    /// Whoever the list with this content names.
    case list(ListID)
    /// Nobody is a member any more.
    case nobody
}
