package import CampaignModel
package import Time

/// When the sends of a campaign are due: with their jitter, and outside of quiet hours.
package struct DueTimes: Hashable, Sendable {
    private let project: ProjectID
    private let zone: String
    let rules: TimeZoneRules
    let timeliness: LatePolicy
    /// Nil if quiet hours do not hold the campaign.
    private let hours: QuietHours?
    /// The quiet hours by the zones of those who get the message; empty without quiet hours.
    private let periods: [QuietPeriod]
    private let isScheduled: Bool
    /// Whether they are those of the recipients in one zone.
    private let isPart: Bool
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
        isPart = campaign.division.part != nil
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

    /// The rules of the schedule's zone; those of the campaign's if this system knows them.
    ///
    /// Those of a part stay in use if the system no longer knows its zone.
    func rules(ofZone name: String, in database: TimeZoneDatabase) -> TimeZoneRules? {
        isPart ? rules : try? database.rules(named: name)
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
