import CampaignModel
package import Planning
import State
import RegistrationLists
package import Time

extension PlanStory {
    /// Describes a plan as of the time when it was made.
    package init(_ plan: Plan, zones: TimeZoneDatabase) {
        let maker = StoryMaker(plan, zones: zones)
        head = Head(
            project: plan.project.rawValue,
            environment: plan.environment.rawValue,
            now: maker.clock.moment(plan.now),
            hasChanges: plan.hasChanges
        )
        groups = maker.groups
        notices = maker.otherNotices
        guards = plan.guards.map { GuardStory($0, in: plan.environment) }
            .sorted { $0.outcome == .refused && $1.outcome != .refused }
        unchanged = plan.campaigns.count { $0.step == .unchanged }
        summary = SummaryWords(plan, seconds: maker.seconds).text
        leftOut = plan.leftOut
        selectors = plan.selectors
        digest = plan.digest.description
    }
}

/// Builds the entries of a plan's description.
struct StoryMaker {
    let plan: Plan
    let clock: StoryClock
    let hint: CommandHint
    let reach: ReachWords
    let effort: EffortWords
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
        reach = ReachWords(topics: plan.topics)
        effort = EffortWords(pace: plan.pace)
        notices = StoryNotices(plan, hint: hint, clock: clock)
    }

    var groups: [PlanStory.Group] {
        var entries: [PlanGroup: [PlanEntry]] = [:]
        entries[.memberships] = plan.memberships.map(entry)
        let changed = plan.campaigns.changedByCampaign
        for (actions, entry) in zip(changed, mapInParallel(changed, grain: 8) { entry($0) }) {
            let group = actions.map(\.step.group).min { $0.rank < $1.rank } ?? .changed
            entries[group, default: []].append(entry)
        }
        return PlanGroup.allCases.compactMap { kind in
            entries[kind].flatMap { $0.isEmpty ? nil : PlanStory.Group(kind: kind, entries: $0) }
        }
    }

    var otherNotices: [NoticeStory] { notices.others }

    /// The estimated duration of an apply in seconds, without fan-outs of unknown reach.
    var seconds: Int64 { Forecast(plan).length.wholeSeconds }

    private func audience(of action: CampaignAction) -> AudienceWords? {
        action.audience.map { AudienceWords($0, of: action.source, reach: reach) }
    }
}

// MARK: - Campaigns

extension StoryMaker {
    /// `actions`: all actions of one campaign.
    private func entry(_ actions: [CampaignAction]) -> PlanEntry {
        let first = actions[0]
        let sending = actions.first { $0.step.sendsSometime }
        let audience = sending.flatMap(audience)
        let headlines = actions.map { action in
            HeadlineWords(
                clock: clock,
                hint: hint,
                zone: action.source?.schedule.zone,
                whom: self.audience(of: action)?.short
            ).headline(action.step)
        }
        let about = notices.of(first.campaign)
        return PlanEntry(
            name: first.campaign.rawValue,
            about: actions.lazy.compactMap { $0.source?.about }.first,
            headlines: headlines.map { $0.noted(about.clocks) },
            who: audience?.sentences ?? [],
            message: message(actions),
            changes: actions.lazy.map { ChangeWords(action: $0).stories }.first { !$0.isEmpty }
                ?? [],
            rule: sending.flatMap(rule),
            how: how(actions),
            requests: actions.reduce(0) { $0 + ($1.step.began?.remaining ?? 0) },
            notices: about.words(besides: headlines)
        )
    }

    /// The message, if one is sent now or stays scheduled.
    private func message(_ actions: [CampaignAction]) -> MessageStory? {
        for action in actions where action.step.sendsSometime {
            guard let template = action.step.began?.template ?? action.template else { continue }
            let isToSubscribers =
                switch action.audience {
                case .topic?, .condition?: true
                default: false
                }
            return MessageStory(
                template,
                key: action.step.deduplicationKey,
                isToSubscribers: isToSubscribers
            )
        }
        return nil
    }

    private func rule(_ action: CampaignAction) -> RuleStory? {
        guard case .repeating(let schedule)? = action.source?.schedule else { return nil }
        return RuleStory(schedule, clock: clock)
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
        let words: [String] =
            switch action.audience {
            case .list(_, let count?)?: effort.single(count)
            case .group?: effort.group()
            case .topic?, .condition?: effort.fanOut(to: audience(of: action)?.fanOut)
            case .list(_, nil)?, nil: []
            }
        return words.map { "At its moment: \($0)" }
    }
}

// MARK: - Memberships

extension StoryMaker {
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
            requests: EffortWords.batches(of: change.leaves.count)
                + EffortWords.batches(of: change.joins.count),
            notices: notices.of(change.scope)
        )
    }

    private func headlines(_ change: MembershipChange) -> [PlanEntry.Headline] {
        let topic = change.scope.topic
        let lines: [(Int, PlanSymbol, String)] = [
            (
                change.leaves.count, .remove,
                "leaves topic \(topic) with \(change.leaves.count.counting("registration"))"
            ),
            (
                change.joins.count, .add,
                "joins topic \(topic) with \(change.joins.count.counting("registration"))"
            ),
            (
                change.forgotten.count, .remove,
                "no longer keeps \(change.forgotten.count.counting("registration")) in topic "
                    + "\(topic); no request is made for that"
            ),
            (
                change.noted.count, .add,
                "notes \(change.noted.count.counting("registration")) of topic \(topic), in it before "
                    + "us or gone from it by themselves, as another audience knows"
            ),
        ]
        return lines.filter { $0.0 > 0 }.map { _, symbol, words in
            PlanEntry.Headline(symbol: symbol, words: words, moment: nil, former: nil)
        }
    }
}

// MARK: - Kinds of steps

extension [CampaignAction] {
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

    /// The occurrence that an apply starts or resumes.
    fileprivate var began: SendStep? {
        switch self {
        case .send(let send), .resume(let send): send
        default: nil
        }
    }

    fileprivate var isScheduling: Bool {
        switch self {
        case .schedule, .reschedule, .redefine: true
        default: false
        }
    }

    /// Whether it sends now, at a later time, or after a pause is lifted.
    fileprivate var sendsSometime: Bool { began != nil || isPaused || isScheduling }
}
