package import CampaignModel
import RateControl
import State

/// Predicts the duration of a plan at the paces that an apply uses.
///
/// Joins and leaves come first, then the sends in sequence, each of which waits for its last
/// answers. The prediction assumes no refusals.
package struct Forecast: Sendable {
    /// The time until everything is sent and every fan-out of known reach has ended.
    package let length: Duration
    /// Where each send begins.
    let beginnings: [OccurrenceID: Beginning]
    /// The wait of each fan-out that waits for earlier ones.
    package let waits: [OccurrenceID: Duration]
    /// Fan-outs of unknown reach that precede others, which do not wait for them.
    package let unheld: [OccurrenceID]

    /// Where the first request of a send is among those of the plan.
    struct Beginning {
        /// From the beginning of the apply.
        let time: Duration
        /// The sends before it.
        let sent: Int
    }

    package init(_ actions: PlannedActions) {
        var beginnings: [OccurrenceID: Beginning] = [:]
        var waits: [OccurrenceID: Duration] = [:]
        var unheld: [OccurrenceID] = []
        let changes = actions.memberships.reduce(0) { $0 + $1.joins.count + $1.leaves.count }
        let traffic = actions.traffic
        var now = changes == 0 ? .zero : traffic.changes(changes).length
        let settled = now + .seconds(actions.sends.map(actions.settlingTime).max() ?? 0)
        var slots = FanOutPermits(actions.pace)
        var ends = Duration.zero
        var sent = 0
        var unknown: [OccurrenceID] = []
        for send in actions.sends {
            if actions.settlingTime(of: send) > 0 { now = max(now, settled) }
            if send.isFanOut {
                unheld += unknown
                unknown = []
                if let free = slots.next(now: now) {
                    waits[send.occurrence] = free - now
                    now = free
                }
            }
            beginnings[send.occurrence] = Beginning(time: now, sent: sent)
            now -= traffic.sending(sent)
            sent += send.remaining
            now += traffic.sending(sent) + traffic.roundTrip(of: .sends)
            guard send.isFanOut else { continue }
            let reach = actions.reach(of: send)
            if reach == nil { unknown.append(send.occurrence) }
            slots.hold(reach: reach, now: now)
            ends = max(ends, slots.end)
        }
        // Corrections share the pace with the sends, and wait for none of them.
        let corrected = actions.campaigns.compactMap(\.step.correction)
            .filter { !$0.isHandedOver }.reduce(0) { $0 + $1.count }
        if corrected > 0 {
            now += traffic.sending(sent + corrected) - traffic.sending(sent)
            if sent == 0 { now += traffic.roundTrip(of: .sends) }
        }
        length = max(now, ends)
        self.beginnings = beginnings
        self.waits = waits
        self.unheld = actions.pace.holdsFanOuts ? unheld : []
    }
}

extension SendStep {
    /// Whether FCM forwards one request to many devices.
    package var isFanOut: Bool { target.isFanOut }
}

extension PlannedActions {
    /// Returns the most app instances that a fan-out reaches; nil if unknown, and for lists.
    package func reach(of send: SendStep) -> Int? {
        switch send.target {
        case .topic(let topic): topics[topic]?.size
        case .condition(let text): reach(ofCondition: text)
        case .group: DeviceGroupName.largestGroup
        case .list, .part, .listAtSend, .stored: nil
        }
    }

    /// Returns the most app instances that a condition reaches; nil if unknown.
    func reach(ofCondition text: String) -> Int? {
        (try? Condition(parsing: text)).flatMap {
            ReachEstimate(sizes: topics.compactMapValues(\.size)).upperBound(of: .condition($0))
        }
    }

    /// Returns notices about fan-outs that wait, or that others cannot wait for.
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

extension Plan {
    /// Returns the most app instances that a fan-out reaches; nil if unknown, and for lists.
    package func reach(of send: SendStep) -> Int? { actions.reach(of: send) }
}
