package import CampaignModel
import Scheduling
package import State
package import Time

/// Finds the sends in a state that quiet hours hold.
package struct AppliedDeferrals: Sendable {
    private let applied: AppliedEnvironment
    private let hours: QuietHours
    private let zones: TimeZoneDatabase
    private let now: Instant

    /// Nil if the environment has no quiet hours.
    package init?(in applied: AppliedEnvironment, zones: TimeZoneDatabase, at now: Instant) {
        guard let hours = applied.environment.settings.guards.quietHours else { return nil }
        self.applied = applied
        self.hours = hours
        self.zones = zones.readingOnce()
        self.now = now
    }

    /// Returns until when quiet hours defer a send or its rest; nil if they do not.
    ///
    /// `definition`: of its campaign; nil if the campaign was removed.
    package func end(
        of record: OccurrenceRecord,
        definition: CampaignDefinition?
    ) -> ScheduledMoment? {
        guard record.isOpen, record.hold == nil, let definition,
            let campaign = AppliedCampaign.campaign(of: definition, zones: zones)?
                .part(of: record.id.slot, in: zones),
            let times = times(of: campaign, in: definition), let hold = times.hold(of: record.id)
        else { return nil }
        let end =
            record.status == .dispatching
            ? hold.endOfRest(due: record.due, at: now)
            : end(ofScheduled: record, in: campaign, times: times)
        return end.flatMap { $0 > now ? times.scheduled($0) : nil }
    }

    private func times(of campaign: Campaign, in definition: CampaignDefinition) -> DueTimes? {
        let zone = DueTimes.zone(of: campaign.schedule, in: applied.project)
        guard let rules = try? zones.rules(named: zone) else { return nil }
        let length = FanOutLength(
            sizes: applied.project.topics.compactMapValues(\.reach),
            pace: applied.environment.pace
        )
        .seconds(of: campaign.target)
        return DueTimes(
            of: campaign,
            in: applied.project.id,
            rules: rules,
            hours: hours,
            length: length,
            recipients: campaign.division == .shared
                ? AppliedCampaign.recipients(of: definition, zones: zones)?
                    .rules(standard: rules) ?? [] : [],
            raised: definition.raised(in: campaign.schedule)
        )
    }

    private func end(
        ofScheduled record: OccurrenceRecord,
        in campaign: Campaign,
        times: DueTimes
    ) -> Instant? {
        guard let moment = moment(of: record, in: campaign, times: times) else {
            // A campaign without a schedule is recorded for later only by quiet hours.
            return times.hold(of: record.id)?.deferral.due(record.due, at: now)
        }
        let due = times.due(at: moment, for: record.id, recorded: record.due, now: now)
        return due > times.base(of: moment, for: record.id) ? due : nil
    }

    /// The due time of a slot according to its schedule; nil without a schedule.
    private func moment(
        of record: OccurrenceRecord,
        in campaign: Campaign,
        times: DueTimes
    ) -> Instant? {
        switch campaign.schedule {
        case .immediate: nil
        case .at(let moment): moment.instant
        case .repeating(let rule): times.moment(of: record.id.slot, in: rule) ?? record.due
        }
    }
}
