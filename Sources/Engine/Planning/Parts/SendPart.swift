package import CampaignModel

/// A campaign, or its part for the recipients in one time zone or with one time, whose sends do not depend on those
/// of the other parts.
package struct SendPart: Hashable, Sendable {
    package let campaign: CampaignID
    /// The name of the zone, or the slot of the time; nil for a whole campaign.
    package let part: String?

    package init(of occurrence: OccurrenceID) {
        campaign = occurrence.campaign
        part = occurrence.slot.part
    }

    package init(campaign: CampaignID, part: String? = nil) {
        self.campaign = campaign
        self.part = part
    }
}

extension CampaignAction {
    /// The part of the campaign whose occurrences the action changes.
    package var part: SendPart {
        SendPart(campaign: campaign, part: began?.slot.part ?? source?.division.part)
    }

    private var began: OccurrenceID? { step.began?.occurrence }
}

/// A part of a campaign in a plan.
package struct PlannedZone: Hashable, Sendable {
    /// The name of the zone, or the slot of the time.
    package let name: String
    /// The number of registrations; nil if the plan was made from the state.
    package let count: Int?
    /// The number of registrations in the zones before it, by name.
    package let before: Int
}

/// When the occurrences of a campaign, or of a part of it, are due.
package struct PartTimes: Hashable, Sendable {
    package let campaign: Campaign
    package let times: DueTimes
    /// Nil for a campaign without parts.
    package let zone: PlannedZone?

    package var id: SendPart { SendPart(campaign: campaign.id, part: zone?.name) }
}

extension CampaignAction {
    /// The times of the occurrences that the action is about; empty if the campaign was removed.
    package var timedParts: [PartTimes] {
        if !parts.isEmpty { return parts }
        guard let source, let times else { return [] }
        return [PartTimes(campaign: source, times: times, zone: zone)]
    }
}
