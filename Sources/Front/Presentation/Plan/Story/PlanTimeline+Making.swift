import CampaignModel
package import Planning
package import Time

extension PlanTimeline {
    /// Covers all campaigns in the files that a plan knows.
    ///
    /// Expands every recurring schedule, so it is built only for views that draw it.
    package init(_ plan: Plan, zones: TimeZoneDatabase) {
        let end = plan.now.advanced(bySeconds: Int64(Self.days) * 86_400)
        var maker = TimelineMaker(plan, end: end, zones: zones)
        for action in plan.campaigns { maker.add(action) }
        start = plan.now
        self.end = end
        (sendings, more) = maker.result
    }
}

private struct TimelineMaker {
    private let end: Instant
    private let clock: StoryClock
    private var found: [(place: Int, sending: PlanTimeline.Sending)] = []
    /// The campaigns whose schedule is already expanded, and the due times in the plan.
    private var walked: Set<CampaignID> = []

    init(_ plan: Plan, end: Instant, zones: TimeZoneDatabase) {
        self.end = end
        clock = StoryClock(
            now: plan.now,
            timeZone: plan.timeZone,
            others: Set(plan.campaigns.compactMap { $0.source?.schedule.zone }),
            zones: zones
        )
    }

    mutating func add(_ action: CampaignAction) {
        switch action.step {
        case .send(let send), .handOver(let send), .resume(let send):
            add(clock.moment(send.due, in: action.source?.schedule.zone), of: action)
        case .schedule, .reschedule, .redefine, .unchanged, .miss, .skip: break
        case .lapse, .paused, .held, .rename, .expire, .unschedule, .outlive, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire:
            return
        }
        guard walked.insert(action.campaign).inserted else { return }
        switch action.source?.schedule {
        case .at(let moment)? where moment.instant > clock.now && moment.instant < end:
            add(clock.moment(moment), of: action)
        case .repeating(let rule)?: add(rule, of: action)
        case .at?, .immediate?, nil: break
        }
    }

    private mutating func add(_ rule: RepeatingSchedule, of action: CampaignAction) {
        guard found.count < 100 * PlanTimeline.maximumCount, let rules = clock.rules(of: rule.zone)
        else { return }
        let limit = PlanTimeline.maximumCount
        for slot in rule.moments(after: clock.now, before: end, limit: limit, in: rules) {
            add(clock.moment(slot, in: rule.zone), of: action)
        }
    }

    private mutating func add(_ moment: MomentDescription, of action: CampaignAction) {
        let sending = PlanTimeline.Sending(
            campaign: action.campaign.rawValue,
            moment: moment,
            isPlanned: action.step != .unchanged
        )
        found.append((found.count, sending))
    }

    var result: ([PlanTimeline.Sending], more: Int) {
        let sorted = found.sorted {
            ($0.sending.moment.instant, $0.place) < ($1.sending.moment.instant, $1.place)
        }
        let limit = PlanTimeline.maximumCount
        return (sorted.prefix(limit).map(\.sending), max(0, sorted.count - limit))
    }
}
