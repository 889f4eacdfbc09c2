package import CampaignModel

/// A campaign, or its part for the recipients in one time zone, whose sends do not depend on those
/// of the other parts.
package struct SendPart: Hashable, Sendable {
    package let campaign: CampaignID
    /// Nil for a whole campaign.
    package let zone: String?

    package init(of occurrence: OccurrenceID) {
        campaign = occurrence.campaign
        zone = occurrence.slot.zone
    }

    package init(campaign: CampaignID, zone: String? = nil) {
        self.campaign = campaign
        self.zone = zone
    }
}

extension CampaignAction {
    /// The part of the campaign whose occurrences the action changes.
    package var part: SendPart {
        SendPart(campaign: campaign, zone: began?.slot.zone ?? source?.division.zone)
    }

    private var began: OccurrenceID? { step.began?.occurrence }
}

/// A part of a campaign in a plan.
package struct PlannedZone: Hashable, Sendable {
    package let name: String
    /// The number of registrations; nil if the plan was made from the state.
    package let count: Int?
}
