package import CampaignModel
import RateControl
import State
import Time

/// Whether pace and fan-out allow a campaign's objective.
package struct PlannedObjective: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        case reachable
        case unreachable
        /// The number of recipients is not known.
        case unknown
    }

    /// What an objective needs that is not reachable.
    package enum Need: Hashable, Sendable {
        /// A higher pace or a larger `max_unknown`, each rounded up to two digits; nil if the current
        /// one is enough.
        ///
        /// Both are nil if no allowed value is enough.
        case settings(sendsPerMinute: Int?, maximumUnknown: Int?)
        /// A fan-out of this many app instances per second.
        case fanOutRate(Int)
        /// An earlier beginning: only requests that leave sooner are answered in time.
        case earlierStart
        /// More time: an answer takes at least that of the objective.
        case moreTime(roundTrip: Duration)
    }

    package let campaign: CampaignID
    package let objective: Objective
    /// Nil if unknown.
    package let recipients: Int?
    /// Whether FCM forwards one request to them.
    package let isFanOut: Bool
    /// The time from the due time to the first request.
    package let delay: Duration
    /// The time from the due time until the share is reached; nil if the recipients are unknown.
    package let predicted: Duration?
    /// The time from the first request until the share is reached by single sends.
    package let asList: Duration?
    /// The same by a fan-out.
    package let asTopic: Duration?
    /// Nil unless it is unreachable.
    package let need: Need?

    package var verdict: Verdict {
        guard let predicted else { return .unknown }
        return predicted <= .seconds(objective.seconds) ? .reachable : .unreachable
    }
}

extension Plan {
    /// The verdicts on the objectives of campaigns that the plan sends, schedules or changes, in the
    /// order of the files.
    ///
    /// If several occurrences of a campaign are planned, the worst verdict counts: one that is not
    /// reachable, otherwise an unknown one, otherwise that of the slowest.
    package var objectives: [PlannedObjective] { actions.objectives }
}

extension PlannedActions {
    var objectives: [PlannedObjective] {
        let affected = campaigns.filter { $0.source?.policy.objective != nil }
        guard !affected.isEmpty else { return [] }
        let beginnings = Forecast(self).beginnings
        var found: [PlannedObjective] = []
        var places: [CampaignID: Int] = [:]
        for action in affected {
            guard let next = objective(of: action, beginnings: beginnings) else { continue }
            guard let place = places[next.campaign] else {
                places[next.campaign] = found.count
                found.append(next)
                continue
            }
            if next.isWorse(than: found[place]) { found[place] = next }
        }
        return found
    }

    /// Nil if the action sends nothing, or if the share is already reached.
    private func objective(
        of action: CampaignAction,
        beginnings: [OccurrenceID: Forecast.Beginning]
    ) -> PlannedObjective? {
        guard let objective = action.source?.policy.objective else { return nil }
        if let send = action.step.began ?? action.step.handedOver {
            let beginning = beginnings[send.occurrence]
            let isDueOnOpening = send.unit == nil && send.due == now
            let passed = Duration.seconds(max(0, now.seconds(since: send.due)))
            return ObjectiveEstimate(
                objective: objective,
                recipients: recipients(of: send),
                accepted: send.unit?.tally[.accepted] ?? 0,
                isFanOut: send.isFanOut,
                delay: isDueOnOpening ? .zero : passed + (beginning?.time ?? .zero),
                sent: beginning?.sent ?? 0
            ).planned(action.campaign, traffic)
        }
        guard action.step.isScheduling, let audience = action.audience else { return nil }
        return ObjectiveEstimate(
            objective: objective,
            recipients: action.zone.map(\.count) ?? recipients(of: audience),
            isFanOut: audience.isFanOut
        ).planned(action.campaign, traffic)
    }

    /// The recipients that an objective is a share of.
    private func recipients(of send: SendStep) -> Int? {
        if send.isFanOut { return reach(of: send) }
        if case .listAtSend = send.target { return nil }
        return send.unit.map { $0.count - $0.tally[.suppressed] - send.skipped.count }
            ?? send.remaining
    }

    private func recipients(of audience: PlannedAudience) -> Int? {
        switch audience {
        case .topic(let topic, _): topics[topic]?.size
        case .condition(let text): reach(ofCondition: text)
        case .group: DeviceGroupName.largestGroup
        case .list(_, let count, _): count
        case .listAtSend: nil
        }
    }
}

extension PlannedObjective {
    /// Whether it counts if both are of the same campaign.
    func isWorse(than other: PlannedObjective) -> Bool {
        guard verdict == other.verdict else { return verdict.badness > other.verdict.badness }
        return predicted ?? .zero > other.predicted ?? .zero
    }
}

extension PlannedObjective.Verdict {
    /// Higher numbers are worse.
    fileprivate var badness: Int {
        switch self {
        case .reachable: 0
        case .unknown: 1
        case .unreachable: 2
        }
    }
}

extension PlannedAudience {
    fileprivate var isFanOut: Bool {
        switch self {
        case .topic, .condition, .group: true
        case .list, .listAtSend: false
        }
    }
}
