import CampaignModel
package import Planning
import Scheduling
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
    private var walked: Set<SendPart> = []

    init(_ plan: Plan, end: Instant, zones: TimeZoneDatabase) {
        self.end = end
        clock = StoryClock(
            now: plan.now,
            timeZone: plan.timeZone,
            others: Set(plan.campaigns.flatMap(\.timedParts).compactMap(\.campaign.schedule.zone)),
            zones: zones
        )
    }

    mutating func add(_ action: CampaignAction) {
        switch action.step {
        case .send(let send), .handOver(let send), .resume(let send):
            let moment = clock.moment(send.due, in: action.source?.schedule.zone)
            add(moment, of: action, in: action.part.part)
        case .schedule, .reschedule, .redefine, .unchanged, .miss, .skip: break
        case .lapse, .paused, .held, .rename, .expire, .unschedule, .outlive, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire, .correct, .uncorrectable, .answer:
            return
        }
        for part in action.timedParts where walked.insert(part.id).inserted {
            add(part, of: action)
        }
    }

    private mutating func add(_ part: PartTimes, of action: CampaignAction) {
        let campaign = part.campaign
        switch campaign.schedule {
        case .at(let moment): add(moment, in: part, of: action)
        case .repeating(let rule):
            guard found.count < 100 * PlanTimeline.maximumCount else { return }
            let slots = part.times.upcoming(
                rule,
                of: campaign,
                in: clock.now..<end,
                limit: PlanTimeline.maximumCount
            )
            for slot in slots {
                let isMoved = slot.due != slot.slot.moment
                let moment =
                    isMoved
                    ? clock.moment(slot.due, in: rule.zone)
                    : clock.moment(slot.slot, in: rule.zone)
                add(moment, of: action, in: part.id.part)
            }
        case .immediate:
            // It waits until quiet hours end.
            guard case .schedule(_, let due) = action.step, due.instant < end else { return }
            add(clock.moment(due), of: action, in: part.id.part)
        }
    }

    private mutating func add(
        _ moment: ScheduledMoment,
        in part: PartTimes,
        of action: CampaignAction
    ) {
        guard let occurrence = part.campaign.onlyOccurrence else { return }
        let due = part.times.due(at: moment.instant, for: occurrence, now: clock.now)
        guard due > clock.now, due < end else { return }
        let scheduled = clock.moment(part.times.scheduled(due, insteadOf: moment))
        add(scheduled, of: action, in: part.id.part)
    }

    private mutating func add(
        _ moment: MomentDescription,
        of action: CampaignAction,
        in part: String?
    ) {
        let sending = PlanTimeline.Sending(
            campaign: action.campaign.rawValue,
            moment: moment,
            isPlanned: action.step != .unchanged,
            receivers: action.source.map { SendReceivers($0.target, audience: action.audience) },
            part: part
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
