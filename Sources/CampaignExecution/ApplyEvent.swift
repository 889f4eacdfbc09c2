package import CampaignModel
package import CampaignState

/// What an apply tells while it works.
package enum ApplyEvent: Sendable {
    case began(ApplyPhase, total: Int)
    /// Answers came in for the phase that began last.
    case progressed(by: Int)
    case ended(ApplyPhase)
}

package enum ApplyPhase: Hashable, Sendable {
    case leaving(MembershipScope)
    case joining(MembershipScope)
    case sending(OccurrenceID)
}
