import CampaignModel
import JSON
import Scheduling
import State
import Time

/// Campaigns with a single time whose revision was raised after that time had passed.
extension Planner {
    /// Returns when an apply raised each revision: this one, if it is not in the state.
    ///
    /// The parts of a campaign share it. Those whose time comes later keep their time.
    func raisedRevisions(in stored: AppliedState) -> [CampaignID: Instant] {
        var found: [CampaignID: Instant] = [:]
        for campaign in project.campaigns where includes(campaign) {
            let former = campaign.formerID.flatMap { stored.definitions[$0] }
            guard let recorded = stored.definitions[campaign.id] ?? former else { continue }
            found[campaign.id] = raised(campaign, from: recorded)
        }
        return found
    }

    private func raised(_ campaign: Campaign, from recorded: CampaignDefinition) -> Instant? {
        guard let first = campaign.firstTime else { return nil }
        if recorded.revision == campaign.revision { return recorded.raised(after: first) }
        return recorded.revision < campaign.revision && first <= now ? now : nil
    }
}

extension Campaign {
    /// The time of the only occurrence, or a time before those of all parts; nil without such a
    /// time.
    fileprivate var firstTime: Instant? {
        switch schedule {
        case .repeating: nil
        case .immediate: division.column == nil ? nil : .earliest
        case .at(let moment): division.isDivided ? .earliest : moment.instant
        }
    }
}

extension CampaignDefinition {
    fileprivate var revision: Int {
        content["revision"]?.integerValue.map { Int(clamping: $0) } ?? 1
    }

    /// When an apply raised the revision after the time of a schedule had passed; nil if none did.
    ///
    /// `schedule`: that of the campaign or of a part.
    func raised(in schedule: Schedule) -> Instant? {
        if case .at(let moment) = schedule { raised(after: moment.instant) } else { nil }
    }

    fileprivate func raised(after first: Instant) -> Instant? {
        guard let slotsAfter, first <= slotsAfter, !isOfRule else { return nil }
        return slotsAfter
    }

    /// Whether the time is that up to which a rule was planned.
    private var isOfRule: Bool {
        content["schedule"]?.stringValue.flatMap(RepeatingSchedule.init(recorded:)) != nil
    }
}
