package import CampaignModel

/// How long a plan takes, predicted with the paces that an apply keeps to.
///
/// Registrations are joined and taken out first, then the sends go one after the other; answers
/// take no time, and FCM refuses nothing.
package struct Forecast: Sendable {
    /// Until everything is sent and every fan-out of known reach has ended.
    package let length: Duration
    /// How long a fan-out waits for those before it, where it does.
    package private(set) var waits: [OccurrenceID: Duration] = [:]
    /// Fan-outs of unknown reach that others follow: these don't wait for them.
    package private(set) var unheld: [OccurrenceID] = []

    package init(_ plan: Plan) {
        let changes = plan.memberships.reduce(0) { $0 + $1.joins.count + $1.leaves.count }
        var now = PaceMachine.duration(of: changes, .memberships(plan.pace))
        let settled = now + .seconds(plan.sends.map(plan.settlingTime).max() ?? 0)
        var slots = FanOutSlots(plan.pace)
        var ends = Duration.zero
        var sent = 0
        var unknown: [OccurrenceID] = []
        for send in plan.sends {
            if plan.settlingTime(of: send) > 0 { now = max(now, settled) }
            if send.isFanOut {
                unheld += unknown
                unknown = []
                if let free = slots.next(now: now) {
                    waits[send.occurrence] = free - now
                    now = free
                }
                let reach = plan.reach(of: send)
                if reach == nil { unknown.append(send.occurrence) }
                slots.hold(reach: reach, now: now)
                ends = max(ends, slots.end)
            }
            let budget = PaceBudget.sends(plan.pace)
            now -= PaceMachine.duration(of: sent, budget)
            sent += send.remaining
            now += PaceMachine.duration(of: sent, budget)
        }
        length = max(now, ends)
        if !plan.pace.holdsFanOuts { unheld = [] }
    }
}

extension SendStep {
    /// One request that FCM hands on to many.
    package var isFanOut: Bool { target.count == nil }
}

extension Plan {
    /// The most app instances that a fan-out reaches; nil where nobody knows, and for lists.
    package func reach(of send: SendStep) -> Int? {
        switch send.target {
        case .topic(let topic): topics[topic]?.size
        case .condition(let text):
            (try? Condition(parsing: text)).flatMap {
                ReachEstimate(sizes: topics.compactMapValues(\.size))
                    .upperBound(of: .condition($0))
            }
        case .group: DeviceGroupName.largestGroup
        case .list, .stored: nil
        }
    }

    /// What a reviewer should know of fan-outs that wait, or that others can't wait for.
    func fanOutNotices() -> [PlanNotice] {
        let forecast = Forecast(self)
        return sends.compactMap { send in
            guard let wait = forecast.waits[send.occurrence], wait >= .seconds(1) else {
                return nil
            }
            return .waitsForFanOut(send.occurrence, seconds: wait.components.seconds)
        } + forecast.unheld.map { .fanOutOfUnknownReach($0) }
    }
}
