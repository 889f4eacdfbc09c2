package import CampaignModel
package import CampaignState

/// What an apply tells while it works.
package enum ApplyEvent: Sendable {
    case began(ApplyPhase, total: Int)
    /// Answers came in for the phase that began last.
    case progressed(by: Int)
    case ended(ApplyPhase)
    /// A send waits for joins to settle, so many seconds from now on.
    case settles(seconds: Int64)
    /// Memberships are changed by another API from now on, because of what FCM answered.
    case transportChosen(MembershipTransport, because: String)
}

package enum ApplyPhase: Hashable, Sendable {
    case leaving(MembershipScope)
    case joining(MembershipScope)
    /// Recorded members are compared with what FCM says of them.
    case reading
    case sending(OccurrenceID)
}
