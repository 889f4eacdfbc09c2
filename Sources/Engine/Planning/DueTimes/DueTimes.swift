package import CampaignModel
import RateControl
package import Scheduling
package import Time

/// When the sends of a campaign are due: with their jitter, and outside of quiet hours.
package struct DueTimes: Hashable, Sendable {
    private let project: ProjectID
    private let zone: String
    private let rules: TimeZoneRules
    private let timeliness: LatePolicy
    /// Nil if quiet hours do not hold the campaign.
    private let hours: QuietHours?
    /// The quiet hours by the zones of those who get the message; empty without quiet hours.
    private let periods: [QuietPeriod]
    private let isScheduled: Bool
    /// How long FCM needs for a fan-out, in seconds; 0 for a list or an unknown reach.
    private let length: Int64
    /// When an apply raised the revision of a campaign whose time had passed; nil if none did.
    private let raised: Instant?

    /// - Parameters:
    ///   - campaign: The campaign.
    ///   - project: Its project.
    ///   - rules: The rules of the campaign's time zone.
    ///   - hours: The quiet hours of the environment.
    ///   - length: How long FCM needs for a fan-out, in seconds; 0 for a list or an unknown reach.
    ///   - recipients: The time zones of the recipients; empty if all are in the campaign's.
    ///   - raised: When an apply raised the revision of a campaign whose time had passed.
    package init(
        of campaign: Campaign,
        in project: ProjectID,
        rules: TimeZoneRules,
        hours: QuietHours?,
        length: Int64,
        recipients: [TimeZoneRules] = [],
        raised: Instant? = nil
    ) {
        self.project = project
        zone = rules.name
        self.rules = rules
        timeliness = campaign.timeliness
        let hours = campaign.timeliness.reasonInQuietHours == nil ? hours : nil
        self.hours = hours
        periods =
            hours.map { hours in
                (recipients.isEmpty ? [rules] : recipients).map { QuietPeriod(hours, in: $0) }
            } ?? []
        isScheduled = campaign.schedule != .immediate
        self.length = length
        self.raised = raised
    }

    /// The due time with jitter, before quiet hours.
    ///
    /// Jitter moves no send past `until`. A revision that was raised after that time is due at the
    /// apply that raised it.
    func base(of moment: Instant, for occurrence: OccurrenceID) -> Instant {
        let jittered = jittered(moment, for: occurrence)
        guard let raised, raised >= jittered, raised <= timeliness.until ?? raised else {
            return jittered
        }
        return raised
    }

    /// Whether an occurrence is due because its revision was raised after its time had passed.
    package func isRaised(after moment: Instant, for occurrence: OccurrenceID) -> Bool {
        raised != nil && base(of: moment, for: occurrence) == raised
    }

    private func jittered(_ moment: Instant, for occurrence: OccurrenceID) -> Instant {
        guard timeliness.jitter > 0 else { return moment }
        let offset = DueOffset(of: occurrence, in: project, for: .jitter)
        let moved = moment.advanced(bySeconds: offset.seconds(of: timeliness.jitter))
        return timeliness.until.map { max(moment, min(moved, $0)) } ?? moved
    }

    /// Nil if quiet hours do not hold the occurrence.
    func hold(of occurrence: OccurrenceID) -> QuietHold? {
        guard let hours else { return nil }
        let offset = DueOffset(of: occurrence, in: project, for: .spread)
        let deferral = QuietDeferral(
            periods,
            offset: offset.seconds(of: hours.spread),
            lateAfter: isScheduled ? timeliness.lateAfter : nil
        )
        return QuietHold(deferral, length: length)
    }

    /// Decides how quiet hours hold the recipients of an occurrence in their own zones.
    ///
    /// - Parameters:
    ///   - occurrence: The occurrence.
    ///   - moment: Its due time without quiet hours.
    ///   - next: When the next slot of its rule is due; nil if there is none.
    ///   - campaign: Its campaign.
    /// - Returns: Nil if quiet hours do not hold them by their zones.
    func recipientHours(
        of occurrence: OccurrenceID,
        due moment: Instant,
        next: Instant?,
        in campaign: Campaign
    ) -> RecipientHours? {
        guard let hours, campaign.hasZonedRecipients else { return nil }
        return RecipientHours(
            hours,
            offset: DueOffset(of: occurrence, in: project, for: .spread)
                .seconds(of: hours.spread),
            timeliness: lateness(of: campaign.schedule),
            base: moment,
            limits: RecipientHours.Limits(
                next: next,
                until: timeliness.until,
                expires: campaign.delivery.expires?.instant
            ),
            standard: rules,
            columns: campaign.peopleColumns
        )
    }

    /// Returns the policy for late sends with the default of a schedule; nil without a schedule.
    private func lateness(of schedule: Schedule) -> LatePolicy? {
        let otherwise: LatePolicy.Late
        switch schedule {
        case .immediate: return nil
        case .at: otherwise = .fail
        case .repeating: otherwise = .skip
        }
        return LatePolicy(
            late: timeliness.late ?? otherwise,
            lateAfter: timeliness.lateAfter,
            until: timeliness.until,
            reasonInQuietHours: timeliness.reasonInQuietHours,
            jitter: timeliness.jitter
        )
    }

    /// Returns the due time of an occurrence that has not started at `now`.
    ///
    /// `recorded`: the due time in the state, if it was computed from the same schedule.
    package func due(
        at moment: Instant,
        for occurrence: OccurrenceID,
        recorded: Instant? = nil,
        now: Instant
    ) -> Instant {
        let base = base(of: moment, for: occurrence)
        guard let hold = hold(of: occurrence) else { return base }
        var first = base
        // A hold lasts even if its reason is no longer visible, such as the length of a fan-out.
        if let recorded, recorded > base, hold.deferral.follows(recorded) { first = recorded }
        let due = hold.deferral.due(first, at: now)
        return due > now ? hold.end(at: due) ?? due : due
    }

    /// Whether due times may differ from the times of the schedule.
    var mayMove: Bool { hours != nil || timeliness.jitter > 0 }

    /// Whether quiet hours may hold the sends.
    var mayHold: Bool { hours != nil }

    /// How much later than its slot a send may be due, in seconds: quiet hours end within a day, and
    /// their spread within another one.
    var longestMove: Int64 { timeliness.jitter + (hours == nil ? 0 : 2 * 86_400) }

    /// Whether `until` or `expires` ends the occurrence while quiet hours hold it.
    func isOver(due: Instant, after base: Instant, expires: Instant?) -> Bool {
        guard due > base else { return false }
        return timeliness.until.map { due > $0 } ?? false || expires.map { due >= $0 } ?? false
    }

    /// The local time of a due time.
    ///
    /// `moment`: its time without jitter and quiet hours, which keeps the local time of its author.
    package func scheduled(
        _ due: Instant,
        insteadOf moment: ScheduledMoment? = nil
    ) -> ScheduledMoment {
        if let moment, moment.instant == due { return moment }
        return ScheduledMoment(local: rules.localTime(at: due), zone: zone, instant: due)
    }
}

// MARK: - Several slots

extension DueTimes {
    /// A slot of a rule with its due time.
    package struct DueSlot {
        package let slot: SlotMoment
        package let occurrence: OccurrenceID
        package let due: Instant
    }

    /// Returns the next slots of a rule that are sent, in the order of the rule.
    ///
    /// They are due later than the start of `period` and before its end; at most `limit`.
    package func upcoming(
        _ rule: RepeatingSchedule,
        of campaign: Campaign,
        in period: Range<Instant>,
        limit: Int
    ) -> [DueSlot] {
        let now = period.lowerBound
        let slots = RuleSlots(rule, in: rules)
        let id = { OccurrenceID(campaign.id, slot: $0, revision: campaign.revision) }
        let replacement = replacement(among: slots, now: now, id: id)
        var found: [DueSlot] = []
        // Quiet hours and jitter may move a slot that has passed into the period.
        let earlier = now.advanced(bySeconds: -longestMove)
        slots.visit(after: earlier, before: period.upperBound) { slot in
            let due = due(at: slot.moment, for: id(slot), now: now)
            let isSent =
                due > now && due < period.upperBound && replacement?.isReplaced(slot) != true
            // Of slots that jitter makes due at the same time, the latest is sent.
            if isSent, timeliness.jitter > 0 { found.removeAll { $0.due == due } }
            if isSent { found.append(DueSlot(slot: slot, occurrence: id(slot), due: due)) }
            return found.count < limit
        }
        return found
    }

    /// Finds the slots of a rule that are left to a later one; nil without quiet hours.
    ///
    /// A slot whose due time has passed counts as sent.
    func replacement(
        among slots: RuleSlots,
        now: Instant,
        id: @escaping (SlotMoment) -> OccurrenceID
    ) -> SlotReplacement? {
        guard mayHold else { return nil }
        let times = { (slot: SlotMoment) in
            SlotTimes(
                base: base(of: slot.moment, for: id(slot)),
                due: due(at: slot.moment, for: id(slot), now: now)
            )
        }
        return SlotReplacement(
            slots,
            reach: longestMove,
            now: now,
            times: times,
            isPending: { times($0).due > now }
        )
    }

    /// The due time of a slot according to its rule; nil if the rule does not have the slot.
    func moment(of slot: Slot, in rule: RepeatingSchedule) -> Instant? {
        RuleSlots(rule, in: rules).moment(of: slot)?.moment
    }

    /// Finds when the next slot of a rule is due, without quiet hours.
    ///
    /// - Parameters:
    ///   - moment: The time of a slot.
    ///   - base: Its due time. Later slots that jitter makes due before it do not count.
    ///   - occurrence: Its occurrence.
    ///   - rule: The rule.
    /// - Returns: Nil if there is none.
    func next(
        after moment: Instant,
        due base: Instant,
        of occurrence: OccurrenceID,
        in rule: RepeatingSchedule
    ) -> Instant? {
        RuleSlots(rule, in: rules).earliest(after: moment) { slot in
            let id = OccurrenceID(
                occurrence.campaign,
                slot: slot,
                revision: occurrence.revision
            )
            let due = self.base(of: slot.moment, for: id)
            return due > base ? due : nil
        }?.due
    }
}

extension OccurrenceID {
    /// The occurrence of a rule's slot.
    init(_ campaign: CampaignID, slot: SlotMoment, revision: Int) {
        self.init(campaign: campaign, slot: Slot(slot.slot), revision: revision)
    }
}

// MARK: - The times of a campaign

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
        let found = try? zones.rules(named: zone)
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
            recipients: known.recipients[campaign.id]?.rules(standard: rules) ?? [],
            raised: known.raised[campaign.id]
        )
    }
}
