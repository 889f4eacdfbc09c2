package import CampaignModel
import JSON
import Scheduling
package import State
package import Time

/// The later sends of recorded rules, which the state does not contain yet.
///
/// The state contains one scheduled send per rule. The sends after it are computed as a due run
/// computes them: with jitter and quiet hours.
package struct SendForecast: Sendable {
    private let applied: AppliedEnvironment
    private let zones: TimeZoneDatabase
    private let now: Instant

    /// Number of slots per step.
    private static let stride = 1_000

    /// - Parameters:
    ///   - applied: The recorded settings of the environment.
    ///   - zones: The current rules of time zones.
    ///   - now: Only later sends are returned.
    package init(of applied: AppliedEnvironment, zones: TimeZoneDatabase, at now: Instant) {
        self.applied = applied
        self.zones = zones.readingOnce()
        self.now = now
    }

    /// A send with its due time.
    package struct Send: Hashable, Sendable {
        package let id: OccurrenceID
        /// The due time, in the time zone of the rule.
        package let due: ScheduledMoment
        /// The due time without quiet hours, if they defer the send.
        package let deferredFrom: Instant?
    }

    /// The sends of a rule in a period.
    package struct Sends: Hashable, Sendable {
        package let sends: [Send]
        /// Why the period has other sends too; nil if these are all.
        package let gap: Gap?

        fileprivate static let none = Sends(sends: [], gap: nil)
    }

    package enum Gap: Hashable, Sendable {
        /// There are more than the limit.
        case limit
        /// The state may not contain the campaign, so a due run does not send it.
        case notStored
    }

    /// Returns the sends of a recorded campaign that are due in a period, without recorded ones.
    ///
    /// Only a rule has such sends.
    package func sends(
        of definition: CampaignDefinition,
        in period: Range<Instant>,
        limit: Int,
        isRecorded: (OccurrenceID) -> Bool
    ) -> Sends {
        guard let campaign = AppliedCampaign.campaign(of: definition, zones: zones) else {
            let rule = definition.content["schedule"]?.stringValue
                .flatMap(RepeatingSchedule.init(recorded:))
            return Sends(sends: [], gap: rule == nil ? nil : .notStored)
        }
        guard campaign.division.isDivided else {
            return sends(
                of: campaign,
                by: definition,
                in: period,
                limit: limit,
                isRecorded: isRecorded
            )
        }
        guard case .repeating = campaign.schedule else { return .none }
        let names = AppliedCampaign.recipients(of: definition, zones: zones)?.names ?? []
        var found: [Send] = []
        for name in names {
            let part = sends(
                of: campaign.part(of: campaign.slot(ofPart: name), in: zones),
                by: definition,
                in: period,
                limit: limit - found.count,
                isRecorded: isRecorded
            )
            found += part.sends
            if part.gap != nil { return Sends(sends: found, gap: part.gap) }
        }
        return Sends(sends: found, gap: nil)
    }

    /// `campaign`: that of the definition, or its part for the recipients in one time zone.
    private func sends(
        of campaign: Campaign,
        by definition: CampaignDefinition,
        in period: Range<Instant>,
        limit: Int,
        isRecorded: (OccurrenceID) -> Bool
    ) -> Sends {
        guard case .repeating(let rule) = campaign.schedule,
            let rules = try? zones.rules(named: rule.zone)
        else { return .none }
        let slots = RuleSlots(rule, in: rules)
        let times = times(of: campaign, in: definition, rules: rules)
        let id = { (slot: SlotMoment) in campaign.occurrence(at: slot.slot) }
        let replacement = times.replacement(among: slots, now: now, id: id)
        let first = max(now, period.lowerBound.advanced(bySeconds: -1))
        var start = max(first.advanced(bySeconds: -times.longestMove), definition.slotsAfter ?? now)
        var sends: [Send] = []
        while true {
            let page = slots.moments(after: start, before: period.upperBound, limit: Self.stride)
            for moment in page {
                guard replacement?.isReplaced(moment) != true,
                    let send = send(moment, as: id(moment), of: slots, times: times),
                    period.contains(send.due.instant), campaign.maySend(at: send.due.instant)
                else { continue }
                // Of slots that jitter makes due at the same time, the latest is sent.
                if campaign.timeliness.jitter > 0 {
                    sends.removeAll { $0.due.instant == send.due.instant }
                }
                guard !isRecorded(id(moment)) else { continue }
                guard sends.count < limit else { return Sends(sends: sends, gap: .limit) }
                sends.append(send)
            }
            guard page.count == Self.stride, let last = page.last else { break }
            start = last.moment
        }
        return Sends(sends: sends, gap: nil)
    }

    /// Nil if the send is not due after now, or if quiet hours end it.
    private func send(
        _ moment: SlotMoment,
        as id: OccurrenceID,
        of slots: RuleSlots,
        times: DueTimes
    ) -> Send? {
        let base = times.base(of: moment.moment, for: id)
        let due = times.due(at: moment.moment, for: id, now: now)
        guard due > now else { return nil }
        let shown = times.scheduled(due, insteadOf: slots.scheduled(moment))
        guard due > base else { return Send(id: id, due: shown, deferredFrom: nil) }
        guard !times.isOver(due: due, after: base, expires: nil) else { return nil }
        return Send(id: id, due: shown, deferredFrom: base)
    }

    /// Finds the due time of a scheduled occurrence without quiet hours.
    ///
    /// - Parameters:
    ///   - id: The occurrence.
    ///   - due: Its recorded due time.
    ///   - definition: The definition of its campaign.
    /// - Returns: Nil if quiet hours do not defer it.
    package func deferral(
        of id: OccurrenceID,
        due: Instant,
        by definition: CampaignDefinition
    ) -> Instant? {
        guard
            let campaign = AppliedCampaign.campaign(of: definition, zones: zones)?
                .part(of: id.slot, in: zones),
            let (moment, rules) = moment(of: id.slot, in: campaign.schedule)
        else { return nil }
        let times = times(of: campaign, in: definition, rules: rules)
        let base = times.base(of: moment, for: id)
        return due > base && times.hold(of: id) != nil ? base : nil
    }

    /// Nil without a schedule, for a slot that the schedule does not contain, or in an unknown zone.
    private func moment(
        of slot: Slot,
        in schedule: Schedule
    ) -> (moment: Instant, rules: TimeZoneRules)? {
        switch schedule {
        case .immediate: nil
        case .at(let moment):
            (try? zones.rules(named: moment.zone)).map { (moment.instant, $0) }
        case .repeating(let rule):
            (try? zones.rules(named: rule.zone)).flatMap { rules in
                RuleSlots(rule, in: rules).moment(of: slot).map { ($0.moment, rules) }
            }
        }
    }

    private func times(
        of campaign: Campaign,
        in definition: CampaignDefinition,
        rules: TimeZoneRules
    ) -> DueTimes {
        let length = FanOutLength(
            sizes: applied.project.topics.compactMapValues(\.reach),
            pace: applied.environment.pace
        )
        return DueTimes(
            of: campaign,
            in: applied.project.id,
            rules: rules,
            hours: applied.environment.settings.guards.quietHours,
            length: length.seconds(of: campaign.target),
            recipients: campaign.division == .shared
                ? AppliedCampaign.recipients(of: definition, zones: zones)?
                    .rules(standard: rules) ?? [] : [],
            raised: definition.raised(in: campaign.schedule)
        )
    }
}

extension Campaign {
    /// Whether the message has not expired at a due time.
    fileprivate func maySend(at due: Instant) -> Bool {
        delivery.expires.map { due < $0.instant } ?? true
    }
}
