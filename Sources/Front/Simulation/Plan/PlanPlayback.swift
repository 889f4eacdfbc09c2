import CampaignMessages
package import CampaignModel
package import DeliveryModel
import FCMWire
import JSON
package import Planning
package import Time

/// The sends of a plan and of its unchanged campaigns in the simulated period.
package struct PlanPlayback: Sendable {
    package private(set) var sends: [SimulatedSend] = []
    /// The assumptions about facts that neither the plan nor the population declares.
    package private(set) var assumptions: [Assumption] = []

    package enum Assumption: Hashable, Sendable {
        /// The reach of a topic is not declared, so this percentage of the population is assumed.
        case unknownReach(TopicName, percent: Int)
        /// The list is read when the send begins, so this percentage of the population is assumed.
        case unknownList(audience: String, percent: Int)
        /// Number of registrations of people who are over the frequency cap at the plan's time; the
        /// rest of the list is simulated.
        case capped(CampaignID, count: Int)
        /// The population is smaller than the audience, so the whole population is assumed.
        case tooSmall(audience: String, count: Int)
        /// The rule has too many occurrences, so only the first ones are simulated.
        case tooManyOccurrences(CampaignID, limit: Int)
        /// The size of a device group is unknown, so the maximum is assumed.
        case groupSize(DeviceGroupName, count: Int)
    }

    /// A campaign whose message FCM would refuse.
    package struct Refusal: Error, Hashable, Sendable {
        package let campaign: CampaignID
        package let reason: String
    }

    private let now: Instant
    private let end: Instant
    private var seen: Set<Assumption> = []

    package static let maximumOccurrences = 1_000
    /// The assumed reach, in percent, of a topic without a declared reach, and of a list that is
    /// read when the send begins.
    package static let unknownReachPercent = 10

    /// Adds to `population` the share of each addressed topic that has none yet.
    package init(
        _ plan: Plan,
        over population: inout Population,
        until end: Instant
    ) throws(Refusal) {
        now = plan.now
        self.end = end
        var walked: Set<SendPart> = []
        for action in plan.campaigns {
            for part in action.timedParts {
                guard
                    let moments = moments(
                        of: part,
                        in: action,
                        isFirst: walked.insert(part.id).inserted
                    )
                else { continue }
                try play(moments, of: part, in: action, from: plan, over: &population)
            }
        }
    }

    private mutating func play(
        _ moments: [Moment],
        of part: PartTimes,
        in action: CampaignAction,
        from plan: Plan,
        over population: inout Population
    ) throws(Refusal) {
        guard let template = action.template else { return }
        let campaign = part.campaign
        for topic in campaign.target.topics {
            name(topic, known: plan.topics[topic], in: &population)
        }
        guard let audience = audience(of: part, in: action, population: population) else { return }
        for (occurrence, due) in moments {
            let over = plan.caps.decisions[occurrence]?.capped.count ?? 0
            if over > 0 { assume(.capped(campaign.id, count: over)) }
            let capped = population.devices(for: over)
            let message = try message(template, of: occurrence, at: due)
            let recipients = audience.without(capped)
            let experiment = try experiment(
                among: recipients,
                in: action,
                messages: { key throws(Refusal) in
                    try self.message(template.text(key) ?? template, of: occurrence, at: due)
                }
            )
            sends.append(
                SimulatedSend(
                    campaign: campaign.id.rawValue,
                    due: DeliveryMoment(milliseconds: due.secondsSince1970 * 1_000),
                    message: message,
                    audience: recipients.without(experiment?.heldOut ?? 0),
                    experiment: experiment
                )
            )
        }
    }

    private mutating func assume(_ assumption: Assumption) {
        if seen.insert(assumption).inserted { assumptions.append(assumption) }
    }
}

// MARK: - Due times

extension PlanPlayback {
    private typealias Moment = (OccurrenceID, Instant)

    /// Returns nil if the campaign has no sends in the simulated period.
    private mutating func moments(
        of part: PartTimes,
        in action: CampaignAction,
        isFirst: Bool
    ) -> [Moment]? {
        var moments: [Moment] = []
        switch action.step {
        case .send(let send), .handOver(let send), .resume(let send):
            moments.append((send.occurrence, max(now, send.due)))
        case .schedule, .reschedule, .redefine, .unchanged, .miss, .skip: break
        case .lapse, .paused, .held, .rename, .expire, .unschedule, .outlive, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire, .correct, .uncorrectable, .answer:
            return nil
        }
        guard isFirst else { return moments }
        let campaign = part.campaign
        switch campaign.schedule {
        case .at(let moment):
            guard let occurrence = campaign.onlyOccurrence else { break }
            let due = part.times.due(at: moment.instant, for: occurrence, now: now)
            if due > now, due < end { moments.append((occurrence, due)) }
        case .repeating(let rule):
            moments += self.moments(of: rule, in: campaign, times: part.times)
        case .immediate:
            // It waits until quiet hours end.
            if case .schedule(let occurrence, let due) = action.step, due.instant < end {
                moments.append((occurrence, due.instant))
            }
        }
        return moments
    }

    private mutating func moments(
        of rule: RepeatingSchedule,
        in campaign: Campaign,
        times: DueTimes
    ) -> [Moment] {
        guard now < end else { return [] }
        let limit = Self.maximumOccurrences
        let slots = times.upcoming(rule, of: campaign, in: now..<end, limit: limit + 1)
        if slots.count > limit { assume(.tooManyOccurrences(campaign.id, limit: limit)) }
        return slots.prefix(limit).map { ($0.occurrence, $0.due) }
    }
}

// MARK: - Audience and message

extension PlanPlayback {
    private mutating func name(
        _ topic: Topic,
        known: PlannedTopic?,
        in population: inout Population
    ) {
        guard let name = TopicName(topic.name), population.topics[name] == nil else { return }
        if let size = known?.size {
            population.topics[name] = Share(size, of: population.represented)
            if size > population.represented {
                assume(.tooSmall(audience: topic.name, count: size))
            }
        } else {
            population.topics[name] = Share(Self.unknownReachPercent, of: 100)
            assume(.unknownReach(name, percent: Self.unknownReachPercent))
        }
        if let known { population.adoptMembers(of: known, named: name) }
    }

    private mutating func audience(
        of part: PartTimes,
        in action: CampaignAction,
        population: Population
    ) -> SimulatedAudience? {
        let campaign = part.campaign
        switch campaign.target {
        case .topic(let topic): return TopicName(topic.name).map { .topic($0) }
        case .condition(let condition):
            return (try? TopicCondition(condition.onWire)).map { .condition($0) }
        case .group(let name):
            let count = population.devices(for: DeviceGroup.memberLimit)
            assume(.groupSize(name, count: count))
            return .devices(name: "group " + name.text, count: count)
        case .registrations:
            if case .listAtSend(let name)? = action.audience {
                let label = name ?? campaign.id.rawValue
                let percent = Self.unknownReachPercent
                assume(.unknownList(audience: label, percent: percent))
                return .devices(name: label, count: population.size * percent / 100)
            }
            guard case .list(let name, let count?, _)? = action.audience else { return nil }
            let label = name ?? campaign.id.rawValue
            if count > population.represented {
                assume(.tooSmall(audience: label, count: count))
            }
            guard let zone = part.zone, let own = zone.count else {
                return .devices(name: label, count: population.devices(for: count))
            }
            // Both ends are scaled, so that parts next to each other stay so.
            let first = population.devices(for: zone.before)
            let end = population.devices(for: zone.before + own)
            return .devices(name: label, count: end - first, first: first)
        }
    }

    /// Divides the devices of a list like the list's registrations; nil without an experiment.
    private func experiment(
        among audience: SimulatedAudience,
        in action: CampaignAction,
        messages: (TextKey) throws(Refusal) -> DeliveryModel.EffectiveMessage
    ) throws(Refusal) -> SimulatedExperiment? {
        guard case .devices(_, let devices, _) = audience else { return nil }
        let variants = action.texts.filter(\.key.isVariant)
        let heldOut = action.texts.first { $0.key == .heldOut }?.count ?? 0
        let all = action.texts.reduce(0) { $0 + $1.count }
        guard heldOut > 0 || !variants.isEmpty, all > 0 else { return nil }
        var before = 0
        var arms: [SimulatedExperiment.Arm] = []
        for variant in variants {
            let first = devices * before / all
            before += variant.count
            arms.append(
                SimulatedExperiment.Arm(
                    name: variant.key.stored,
                    message: try messages(variant.key),
                    count: devices * before / all - first
                )
            )
        }
        let sent = devices * (all - heldOut) / all
        return SimulatedExperiment(arms: arms, heldOut: devices - sent)
    }

    private func message(
        _ template: MessageTemplate,
        of occurrence: OccurrenceID,
        at due: Instant
    ) throws(Refusal) -> DeliveryModel.EffectiveMessage {
        let keyed = template.keyed(DeduplicationKey(of: occurrence)).bound(to: occurrence)
        do throws(UnreadableMessage) {
            return try DeliveryModel.EffectiveMessage(sent: keyed.message(sentAt: due).message)
        } catch {
            throw Refusal(campaign: occurrence.campaign, reason: error.reason)
        }
    }
}
