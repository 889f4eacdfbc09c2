import CampaignModel
import RateControl
import Time

extension DueTimes {
    /// The zone of a campaign's schedule; the project's if it has none.
    static func zone(of schedule: Schedule, in project: Project) -> String {
        switch schedule {
        case .immediate: project.timeZone
        case .at(let moment): moment.zone
        case .repeating(let rule): rule.zone
        }
    }
}

extension Planner {
    /// Returns when the sends of a campaign are due.
    func dueTimes(of campaign: Campaign) throws(PlanningError) -> DueTimes {
        let zone = DueTimes.zone(of: campaign.schedule, in: project)
        let recipients = known.recipients[campaign.id]
        let part = campaign.division == .shared ? nil : recipients?.rules(named: zone)
        // What was scheduled for a zone stays, even if the system no longer knows it.
        let fallback = campaign.division.part == nil ? nil : project.timeZone
        let found =
            part ?? (try? zones.rules(named: zone))
            ?? fallback.flatMap { try? zones.rules(named: $0) }
        // Only quiet hours need the rules.
        guard let rules = found ?? (guards.limits.quietHours == nil ? .utc : nil) else {
            throw .unknownZone(campaign.id, zone)
        }
        return DueTimes(
            of: campaign,
            in: project.id,
            rules: rules,
            hours: guards.limits.quietHours,
            length: FanOutLength(sizes: sizes, pace: traffic.pace).seconds(of: campaign.target),
            recipients: campaign.division == .shared
                ? recipients?.rules(standard: rules) ?? [] : [],
            raised: known.raised[campaign.id]
        )
    }
}
