import CampaignMessages
import CampaignModel
package import Planning
import RegistrationLists
import State
package import Time

extension PlanDescription {
    /// Describes a plan as of the time when it was made.
    ///
    /// `places`: the places of inherited values; without them, the description does not name them.
    /// `knowsState`: whether the plan was made from the environment's state; otherwise it has no
    /// digest.
    package init(
        _ plan: Plan,
        zones: TimeZoneDatabase,
        places: InheritedPlaces? = nil,
        knowsState: Bool = true
    ) {
        let maker = DescriptionBuilder(plan, zones: zones)
        head = Head(
            project: plan.project.rawValue,
            environment: plan.environment.rawValue,
            destination: DestinationWording(plan.destination),
            now: maker.clock.moment(plan.now),
            isApplicable: knowsState && plan.isApplicable
        )
        let groups = maker.groups.map { group in places.map(group.placed) ?? group }
        self.groups = groups
        notices = maker.otherNotices + maker.inheritedChanges(groups, from: places)
        guards = plan.guards.map { GuardDescription($0, in: plan.environment) }
            .sorted { $0.outcome == .refused && $1.outcome != .refused }
        unchanged = plan.campaigns.count { $0.step == .unchanged }
        summary =
            SummaryWording(
                plan,
                mood: maker.mood,
                counts: maker.counts,
                seconds: maker.seconds
            ).text
        schedulingRemark = maker.schedulingRemark
        keepingRemark =
            groups.contains { $0.entries.contains { $0.message != nil } }
            ? "“Kept” is how long FCM stores the message for a device that is offline." : nil
        leftOut = plan.leftOut
        selectors = plan.selectors
        stateRemark = knowsState ? nil : WithoutStateWording.remark
        digest = knowsState ? plan.digest.description : nil
    }
}

/// Builds the entries of a plan's description.
struct DescriptionBuilder {
    let plan: Plan
    let clock: StoryClock
    let hint: CommandHint
    let reach: ReachWording
    let effort: EffortWording
    let objectives: [CampaignID: PlannedObjective]
    let notices: StoryNotices
    let mood: PlanMood
    /// The guards that refuse the plan, by their subjects.
    let refused: [GuardSubject: [String]]
    /// All actions of each campaign that changes.
    private let changed: [[CampaignAction]]

    init(_ plan: Plan, zones: TimeZoneDatabase) {
        self.plan = plan
        let named = plan.campaigns.lazy.filter { $0.step != .unchanged }
            .flatMap { [$0.source?.schedule.zone, $0.recordedRule?.zone].compactMap(\.self) }
        clock = StoryClock(
            now: plan.now,
            timeZone: plan.timeZone,
            others: Set(named).union(plan.notices.compactMap { $0.moment?.zone }),
            zones: zones
        )
        hint = CommandHint(for: plan.environment)
        reach = ReachWording(topics: plan.topics)
        effort = EffortWording(traffic: plan.traffic)
        objectives = Dictionary(uniqueKeysWithValues: plan.objectives.map { ($0.campaign, $0) })
        notices = StoryNotices(plan, hint: hint, clock: clock)
        changed = plan.campaigns.changedByCampaign
        var refused: [GuardSubject: [String]] = [:]
        for outcome in plan.refusals {
            guard let subject = outcome.subject else { continue }
            refused[subject, default: []].append(outcome.guard.rawValue)
        }
        self.refused = refused
        mood = plan.refusals.isEmpty ? .indicative : .conditional
    }

    var groups: [PlanDescription.Group] {
        var entries: [PlanGroup: [PlanEntry]] = [:]
        entries[.memberships] = plan.memberships.map(entry)
        for (actions, entry) in zip(changed, mapInParallel(changed, grain: 8) { entry($0) }) {
            entries[group(of: actions), default: []].append(entry)
        }
        return PlanGroup.allCases.compactMap { kind in
            guard let entries = entries[kind], !entries.isEmpty else { return nil }
            return PlanDescription.Group(
                kind: kind,
                entries: entries,
                changes: kind == .memberships ? MembershipCounts(plan.memberships).heading : nil
            )
        }
    }

    /// The number of campaigns that each group of the plan counts.
    var counts: [CampaignCategory: Int] {
        changed.reduce(into: [:]) { counts, actions in
            guard let category = category(of: actions) else { return }
            counts[category, default: 0] += 1
        }
    }

    private func category(of actions: [CampaignAction]) -> CampaignCategory? {
        actions.mainStep.map { step in
            CampaignCategory(
                step,
                move: move(of: actions),
                isPostponed: group(of: actions) == .postponed
            )
        }
    }

    private func move(of actions: [CampaignAction]) -> CampaignCategory.Move? {
        guard case .reschedule(_, let from, let to)? = actions.movedSlot else { return nil }
        let after = clock.moment(to)
        let zone = actions.lazy.compactMap { $0.source?.schedule.zone }.first
        let before = clock.moment(from, in: zone ?? after.zone)
        let drops = RuleChangeWording(actions, clock: clock)?.drops(before, movedTo: after)
        return drops == true ? .drops : .keeps
    }

    /// Returns the most important group of a campaign's actions.
    private func group(of actions: [CampaignAction]) -> PlanGroup {
        let group = actions.mainStep?.group ?? .changed
        return group == .attention && staysScheduled(actions) ? .postponed : group
    }

    private func staysScheduled(_ actions: [CampaignAction]) -> Bool {
        actions.contains { action in
            action.step.isScheduling || rule(action)?.next.isEmpty == false
        }
    }

    /// Describes the changes that several campaigns inherit from the defaults.
    func inheritedChanges(
        _ groups: [PlanDescription.Group],
        from places: InheritedPlaces?
    ) -> [NoticeDescription] {
        guard let places else { return [] }
        let sources = changed.compactMap { $0.lazy.compactMap(\.source).first }
        let campaigns = Dictionary(sources.map { ($0.id.rawValue, $0) }) { first, _ in first }
        let entries = groups.filter { $0.kind != .memberships }.flatMap(\.entries)
        return DefaultsWording(places: places).notices(
            entries.compactMap { entry in
                campaigns[entry.name].map { (campaign: $0, changes: entry.changes) }
            }
        )
    }

    var schedulingRemark: String? {
        let isLater = plan.campaigns.contains { $0.step.isScheduling }
        guard mood == .indicative, isLater || !plan.handedOver.isEmpty else { return nil }
        if plan.handsOver {
            return
                "This environment has `sends: run`: an apply sends nothing. When a message is due, "
                + "`\(hint("run"))` (a service) or `\(hint("apply --due"))` (from a timer) sends it. "
                + "Each campaign says how late that may be."
        }
        return
            "A scheduled message is not sent by itself. When it is due, one of these must run, within "
            + "the time that its campaign allows: `\(hint("run"))` (a service), "
            + "`\(hint("apply --due"))` (from a timer), or `\(hint("apply"))`, by a person or CI."
    }

    var otherNotices: [NoticeDescription] { notices.others }

    /// The estimated duration of an apply in seconds, without fan-outs of unknown reach.
    var seconds: Int64 { Forecast(plan.actions).length.wholeSeconds }

    private func audience(of action: CampaignAction) -> AudienceWording? {
        action.audience.map { AudienceWording($0, of: action, reach: reach) }
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
        let corrections = actions.compactMap(\.step.correction).map {
            CorrectionWording($0, clock: clock)
        }
        let replies = first.step.answering.map { ReplyWording($0) }
        return PlanEntry(
            name: first.campaign.rawValue,
            about: actions.lazy.compactMap(\.about).first,
            headlines: headlines.map { $0.noted(about.clocks) },
            who: (audience?.sentences ?? []) + corrections.flatMap(\.recipients)
                + (replies?.recipients ?? [])
                + (sending.map(TextWording.sentences) ?? [])
                + (sending.map(ZoneWording.sentences) ?? []),
            message: message(actions),
            changes: actions.lazy.map { ChangeWording(action: $0).stories }.first { !$0.isEmpty }
                ?? [],
            rule: sending.flatMap(rule),
            how: how(actions) + corrections.flatMap(\.effects),
            requests: actions.reduce(0) { sum, action in
                sum + (action.step.began?.remaining ?? action.step.correction?.count ?? 0)
            },
            notices: about.wording(besides: headlines),
            reach: audience?.brief,
            personal: sending.flatMap(personal),
            lateness: actions.lazy.compactMap { LatenessWording($0)?.text }.first,
            next: outlook(actions),
            refusedBy: refused[.campaign(first.campaign)] ?? [],
            action: corrections.first?.action ?? replies?.action
                ?? category(of: actions)?.rawValue,
            tableReach: audience?.tableReach ?? corrections.first?.reach,
            receivers: actions.lazy.compactMap { action in
                action.source.map { SendReceivers($0.target, audience: action.audience) }
            }.first
        )
    }

    /// The time zones of a campaign repeat the same sentences.
    private func outlook(_ actions: [CampaignAction]) -> [String] {
        var seen: Set<String> = []
        return ActionGroup.groups(of: actions)
            .flatMap { OutlookWording($0.main, clock: clock, hint: hint).sentences }
            .filter { seen.insert($0).inserted }
    }

    /// One headline per action, the most important first; one for all time zones of recipients.
    ///
    /// A due time that replaces another one is a single headline.
    private func headlines(
        _ actions: [CampaignAction],
        isElsewhere: Bool
    ) -> [PlanEntry.Headline] {
        let moved = actions.movedSlot
        let ruleChange = RuleChangeWording(actions, clock: clock)
        let ordered = PlanGroup.allCases.flatMap { group in
            actions.filter { $0.step.group == group }
        }
        return ActionGroup.groups(of: ordered).compactMap { group -> PlanEntry.Headline? in
            let action = group.main
            var wording = HeadlineWording(
                clock: clock,
                hint: hint,
                zone: action.source?.schedule.zone,
                audience: group.audience.map {
                    AudienceWording($0, of: action, reach: reach).short
                },
                mood: mood
            )
            wording.isElsewhere = isElsewhere
            wording.timeliness = action.source?.timeliness
            wording.sentRevision = action.sentBefore?.revision
            wording.rule = action.source?.schedule.rule?.sentence
            wording.ruleChange = ruleChange
            wording.nextDue = rule(action)?.next.first
            wording.formerAudience = ChangeWording(action: action).formerAudience
            wording.hasOtherRecipients = ChangeWording(action: action).hasOtherRecipients
            wording.isUnsent = action.isUnsent
            wording.isRaised = action.isRaised
            wording.isPaused = action.pause != nil
            wording.zones = ZoneWording(group)?.suffix ?? ""
            switch action.step {
            case .unschedule where moved != nil: return nil
            case .schedule: return wording.headline(moved ?? action.step)
            case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .reschedule, .expire,
                .skip, .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended,
                .stopped, .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
                return wording.headline(group.step)
            }
        }
    }

    /// The message, if one is sent now, stays scheduled or waits.
    ///
    /// A started send keeps its message.
    private func message(_ actions: [CampaignAction]) -> MessageDescription? {
        if let correction = actions.lazy.compactMap(\.step.correction).first {
            return MessageDescription(
                correction.recall.template,
                key: nil,
                texts: [],
                isToSubscribers: correction.target.isFanOut,
                sentBefore: nil
            )
        }
        if actions.first?.step.answering != nil, let template = actions.first?.template {
            return MessageDescription(
                template,
                key: nil,
                texts: [],
                isToSubscribers: false,
                sentBefore: nil
            )
        }
        for action in actions where action.step.sendsSometime {
            let key = action.step.deduplicationKey ?? action.step.redefinedKey
            let current = action.step.redefinedKey.flatMap { action.template?.keyed($0) }
            guard let template = action.step.send?.template ?? current ?? action.template
            else { continue }
            let isToSubscribers =
                switch action.audience {
                case .topic?, .condition?: true
                case .list?, .listAtSend?, .group?, nil: false
                }
            return MessageDescription(
                template,
                key: key,
                texts: action.texts,
                isToSubscribers: isToSubscribers,
                sentBefore: action.sentBefore
            )
        }
        return nil
    }

    private func personal(_ action: CampaignAction) -> PersonalDescription? {
        guard let template = action.step.send?.template ?? action.template else { return nil }
        return action.personal.map { PersonalDescription($0, of: template) }
    }

    private func rule(_ action: CampaignAction) -> RuleDescription? {
        guard case .repeating(let schedule)? = action.source?.schedule else { return nil }
        return RuleDescription(schedule, clock: clock)
    }

    /// A refused plan makes none of its requests.
    func ifApplied(_ sentences: [String]) -> [String] {
        switch mood {
        case .indicative: sentences
        case .conditional: sentences.map { "If applied: \($0)" }
        }
    }

    /// Describes what is sent now or, if nothing is, what is sent at the due time.
    private func how(_ actions: [CampaignAction]) -> [String] {
        let telling = actions.filter { $0.step.began != nil || $0.step.handedOver != nil }
        let scheduling = actions.filter { $0.step.isScheduling }.suffix(1)
        let groups = ActionGroup.groups(of: telling.isEmpty ? Array(scheduling) : telling)
        return groups.compactMap { group in
            group.zones.isEmpty || !group.main.step.isSingle
                ? how(group.main) : ifApplied(effort.single(group.remaining ?? 0))
        }.flatMap(\.self) + objective(of: actions[0].campaign)
    }

    private func objective(of campaign: CampaignID) -> [String] {
        objectives[campaign].map { ObjectiveWording($0, pace: plan.pace).sentences } ?? []
    }

    private func how(_ action: CampaignAction) -> [String]? {
        if let send = action.step.began ?? action.step.handedOver {
            if send.target.count != nil { return ifApplied(effort.single(send.remaining)) }
            if send.target.listAtSend != nil { return ifApplied(effort.atSend()) }
            if case .group = send.target { return ifApplied(effort.group()) }
            return ifApplied(effort.fanOut(to: audience(of: action)?.fanOut))
        }
        guard action.step.isScheduling else { return nil }
        let wording: [String] =
            switch action.audience {
            case .list(_, let count?, _)?:
                effort.single(count - (action.texts.first { $0.key == .heldOut }?.count ?? 0))
            case .listAtSend?: effort.atSend()
            case .group?: effort.group()
            case .topic?, .condition?: effort.fanOut(to: audience(of: action)?.fanOut)
            case .list(_, nil, _)?, nil: []
            }
        return wording.map { "When due: \($0)" }
    }
}

extension CampaignStep {
    /// Whether the step sends one request per registration now.
    fileprivate var isSingle: Bool { (began ?? handedOver)?.target.count != nil }
}
