import CampaignModel
package import Planning
import RegistrationLists
import State
package import Time

extension PlanDescription {
    /// Describes a plan as of the time when it was made.
    package init(_ plan: Plan, zones: TimeZoneDatabase) {
        let maker = DescriptionBuilder(plan, zones: zones)
        head = Head(
            project: plan.project.rawValue,
            environment: plan.environment.rawValue,
            destination: DestinationWording(plan.destination),
            now: maker.clock.moment(plan.now),
            hasChanges: plan.hasChanges
        )
        groups = maker.groups
        notices = maker.otherNotices
        guards = plan.guards.map { GuardDescription($0, in: plan.environment) }
            .sorted { $0.outcome == .refused && $1.outcome != .refused }
        unchanged = plan.campaigns.count { $0.step == .unchanged }
        summary = SummaryWording(plan, seconds: maker.seconds).text
        leftOut = plan.leftOut
        selectors = plan.selectors
        digest = plan.digest.description
    }
}

/// Builds the entries of a plan's description.
struct DescriptionBuilder {
    let plan: Plan
    let clock: StoryClock
    let hint: CommandHint
    let reach: ReachWording
    let effort: EffortWording
    private let notices: StoryNotices

    init(_ plan: Plan, zones: TimeZoneDatabase) {
        self.plan = plan
        let named = plan.campaigns.lazy.filter { $0.step != .unchanged }
            .compactMap { $0.source?.schedule.zone }
        clock = StoryClock(
            now: plan.now,
            timeZone: plan.timeZone,
            others: Set(named).union(plan.notices.compactMap { $0.moment?.zone }),
            zones: zones
        )
        hint = CommandHint(for: plan.environment)
        reach = ReachWording(topics: plan.topics)
        effort = EffortWording(traffic: plan.traffic)
        notices = StoryNotices(plan, hint: hint, clock: clock)
    }

    var groups: [PlanDescription.Group] {
        var entries: [PlanGroup: [PlanEntry]] = [:]
        entries[.memberships] = plan.memberships.map(entry)
        let changed = plan.campaigns.changedByCampaign
        for (actions, entry) in zip(changed, mapInParallel(changed, grain: 8) { entry($0) }) {
            let group = actions.map(\.step.group).min { $0.rank < $1.rank } ?? .changed
            entries[group, default: []].append(entry)
        }
        return PlanGroup.allCases.compactMap { kind in
            entries[kind].flatMap {
                $0.isEmpty ? nil : PlanDescription.Group(kind: kind, entries: $0)
            }
        }
    }

    var otherNotices: [NoticeDescription] { notices.others }

    /// The estimated duration of an apply in seconds, without fan-outs of unknown reach.
    var seconds: Int64 { Forecast(plan.actions).length.wholeSeconds }

    private func audience(of action: CampaignAction) -> AudienceWording? {
        action.audience.map { AudienceWording($0, of: action.source, reach: reach) }
    }
}

// MARK: - Campaigns

extension DescriptionBuilder {
    /// `actions`: all actions of one campaign.
    private func entry(_ actions: [CampaignAction]) -> PlanEntry {
        let first = actions[0]
        let sending = actions.first { $0.step.sendsSometime }
        let audience = sending.flatMap(audience)
        let isElsewhere = plan.elsewhere.contains(first.campaign)
        let headlines = headlines(actions, isElsewhere: isElsewhere)
        let about = notices.of(first.campaign)
        return PlanEntry(
            name: first.campaign.rawValue,
            about: actions.lazy.compactMap { $0.source?.about }.first,
            headlines: headlines.map { $0.noted(about.clocks) },
            who: audience?.sentences ?? [],
            message: message(actions),
            changes: actions.lazy.map { ChangeWording(action: $0).stories }.first { !$0.isEmpty }
                ?? [],
            rule: sending.flatMap(rule),
            how: how(actions),
            requests: actions.reduce(0) { $0 + ($1.step.began?.remaining ?? 0) },
            notices: about.wording(besides: headlines),
            reach: audience?.brief
        )
    }

    /// One headline per action, the most important first.
    ///
    /// A due time that replaces another one is a single headline.
    private func headlines(
        _ actions: [CampaignAction],
        isElsewhere: Bool
    ) -> [PlanEntry.Headline] {
        let moved = actions.movedSlot
        let ordered = PlanGroup.allCases.flatMap { group in
            actions.filter { $0.step.group == group }
        }
        return ordered.compactMap { action -> PlanEntry.Headline? in
            var wording = HeadlineWording(
                clock: clock,
                hint: hint,
                zone: action.source?.schedule.zone,
                audience: self.audience(of: action)?.short
            )
            wording.isElsewhere = isElsewhere
            wording.timeliness = action.source?.timeliness
            wording.sentRevision = action.sentRevision
            switch action.step {
            case .unschedule where moved != nil: return nil
            case .schedule: return wording.headline(moved ?? action.step)
            case .send, .resume, .lapse, .paused, .held, .rename, .reschedule, .expire, .skip,
                .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped,
                .cancel, .retire, .unchanged:
                return wording.headline(action.step)
            }
        }
    }

    /// The message, if one is sent now or stays scheduled.
    private func message(_ actions: [CampaignAction]) -> MessageDescription? {
        for action in actions where action.step.sendsSometime {
            guard let template = action.step.began?.template ?? action.template else { continue }
            let isToSubscribers =
                switch action.audience {
                case .topic?, .condition?: true
                case .list?, .group?, nil: false
                }
            return MessageDescription(
                template,
                key: action.step.deduplicationKey,
                isToSubscribers: isToSubscribers
            )
        }
        return nil
    }

    private func rule(_ action: CampaignAction) -> RuleDescription? {
        guard case .repeating(let schedule)? = action.source?.schedule else { return nil }
        return RuleDescription(schedule, clock: clock)
    }

    /// Describes what is sent now or, if nothing is, what is sent at the due time.
    private func how(_ actions: [CampaignAction]) -> [String] {
        let telling = actions.filter { $0.step.began != nil }
        let scheduling = actions.filter { $0.step.isScheduling }.suffix(1)
        return (telling.isEmpty ? Array(scheduling) : telling).compactMap(how).flatMap(\.self)
    }

    private func how(_ action: CampaignAction) -> [String]? {
        if let send = action.step.began {
            if send.target.count != nil { return effort.single(send.remaining) }
            if case .group = send.target { return effort.group() }
            return effort.fanOut(to: audience(of: action)?.fanOut)
        }
        guard action.step.isScheduling else { return nil }
        let wording: [String] =
            switch action.audience {
            case .list(_, let count?)?: effort.single(count)
            case .group?: effort.group()
            case .topic?, .condition?: effort.fanOut(to: audience(of: action)?.fanOut)
            case .list(_, nil)?, nil: []
            }
        return wording.map { "When due: \($0)" }
    }
}

// MARK: - Memberships

extension DescriptionBuilder {
    private func entry(_ change: MembershipChange) -> PlanEntry {
        PlanEntry(
            name: change.scope.audience.rawValue,
            about: nil,
            headlines: headlines(change),
            who: change.list?.path.map { ["The list is \($0)."] } ?? [],
            message: nil,
            changes: [],
            rule: nil,
            how: effort.changes([change.leaves.count, change.joins.count]),
            requests: EffortWording.batches(of: change.leaves.count)
                + EffortWording.batches(of: change.joins.count),
            notices: notices.of(change.scope)
        )
    }

    private func headlines(_ change: MembershipChange) -> [PlanEntry.Headline] {
        let topic = change.scope.topic
        let lines: [(Int, PlanSymbol, String)] = [
            (
                change.leaves.count, .remove,
                "unsubscribes \(change.leaves.count.counting("registration")) from topic \(topic)"
            ),
            (
                change.joins.count, .add,
                "subscribes \(change.joins.count.counting("registration")) to topic \(topic)"
            ),
            (
                change.forgotten.count, .remove,
                "no longer manages \(change.forgotten.count.counting("registration")) in topic "
                    + "\(topic) (no request)"
            ),
            (
                change.noted.count, .add,
                "records \(change.noted.count.counting("registration")) of topic \(topic) as "
                    + "external or opted out, as another audience does (no request)"
            ),
        ]
        return lines.filter { $0.0 > 0 }.map { _, symbol, wording in
            PlanEntry.Headline(symbol: symbol, wording: wording, moment: nil, former: nil)
        }
    }
}

// MARK: - Kinds of steps

extension [CampaignAction] {
    /// The step that moves the only cancelled slot to the only new one, if a rule changed.
    ///
    /// Nil if the revision changed too, because another message is sent then.
    fileprivate var movedSlot: CampaignStep? {
        var cancelled: [(id: OccurrenceID, due: Instant)] = []
        var added: [(id: OccurrenceID, moment: ScheduledMoment)] = []
        for action in self {
            if case .unschedule(let id, let due) = action.step { cancelled.append((id, due)) }
            if case .schedule(let id, let moment) = action.step { added.append((id, moment)) }
        }
        guard cancelled.count == 1, added.count == 1, let old = cancelled.first,
            let new = added.first, old.id.revision == new.id.revision
        else { return nil }
        return .reschedule(new.id, from: old.due, to: new.moment)
    }

    /// The changing actions, grouped by campaign, in the order of the plan.
    fileprivate var changedByCampaign: [[CampaignAction]] {
        var groups: [[CampaignAction]] = []
        for action in self where action.step != .unchanged {
            if groups.last?.first?.campaign == action.campaign {
                groups[groups.count - 1].append(action)
            } else {
                groups.append([action])
            }
        }
        return groups
    }
}

extension PlanGroup {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension CampaignStep {
    fileprivate var group: PlanGroup {
        switch self {
        case .send, .resume: .sends
        case .lapse, .paused, .held, .stopped, .expire, .skip, .miss, .outlive: .attention
        case .schedule, .reschedule, .redefine: .scheduled
        case .alreadySent, .lowered, .ended, .rename, .unchanged: .changed
        case .unschedule, .cancel, .retire: .removed
        }
    }

    fileprivate var isScheduling: Bool {
        switch self {
        case .schedule, .reschedule, .redefine: true
        case .send, .resume, .lapse, .paused, .held, .rename, .expire, .skip, .miss, .unschedule,
            .outlive, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .unchanged:
            false
        }
    }

    /// Whether it sends now, at a later time, or after a pause is lifted.
    fileprivate var sendsSometime: Bool { began != nil || isPaused || isScheduling }
}
