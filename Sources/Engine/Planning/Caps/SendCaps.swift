package import CampaignModel

/// How a send counts towards the frequency caps of people.
package struct SendCaps: Hashable, Sendable {
    /// Nil if the send is counted but not capped: it is exempt, or it does not address a list.
    package let cap: FrequencyCap?
    /// The zone of people without one.
    package let zone: String
    /// The columns of the list's people.
    package let columns: PeopleColumns

    package init(cap: FrequencyCap?, zone: String, columns: PeopleColumns = PeopleColumns()) {
        self.cap = cap
        self.zone = zone
        self.columns = columns
    }
}

extension Planner {
    /// Nil if the environment has no frequency cap.
    func caps(of campaign: Campaign, isFanOut: Bool) -> SendCaps? {
        guards.limits.cap.map { cap in
            let isCapped = !isFanOut && campaign.policy.reasonAboveCap == nil
            return SendCaps(
                cap: isCapped ? cap : nil,
                zone: campaign.schedule.zone ?? project.timeZone,
                columns: campaign.peopleColumns
            )
        }
    }
}

extension Campaign {
    /// No columns unless the campaign addresses a list.
    var peopleColumns: PeopleColumns {
        if case .registrations(let list) = target { list.peopleColumns } else { PeopleColumns() }
    }
}

extension Schedule {
    /// Nil if the campaign is sent at the next apply.
    var zone: String? {
        switch self {
        case .immediate: nil
        case .at(let moment): moment.zone
        case .repeating(let rule): rule.zone
        }
    }
}
