import CampaignModel
import Planning
import RegistrationLists
import State

/// The phones that a send addresses, as far as their topics decide it.
package struct SendReceivers: Hashable, Sendable {
    /// For example, `topic tides`, or `all devices in topic tides that are also in azores`.
    package let name: String
    /// The topics that decide; empty for lists and device groups.
    package let topics: [String]
    /// Whether the send reaches a phone, for each set of subscriptions to `topics`.
    ///
    /// Bit N is for the set whose members are the bits of N: at most 32 sets of at most five topics.
    package let reached: UInt32

    /// `audience`: the planned audience, which names the list.
    init(_ target: AudienceTarget, audience: PlannedAudience?) {
        switch target {
        case .topic(let topic):
            self.init(name: "topic \(topic)", topics: [topic.name], reached: 0b10)
        case .condition(let condition):
            self.init(
                name: ConditionWording(condition).text,
                topics: condition.truth.topics.map(\.name),
                reached: condition.truth.mask
            )
        case .group(let name):
            self.init(name: "device group \(name.text)", topics: [], reached: 0)
        case .registrations(let list):
            let name = audience?.listName ?? list.path ?? "registrations in the campaign"
            self.init(name: name, topics: [], reached: 0)
        }
    }

    /// The members of an audience in a topic.
    init(_ scope: MembershipScope) {
        self.init(name: "topic \(scope.topic)", topics: [scope.topic.name], reached: 0b10)
    }

    init(name: String, topics: [String], reached: UInt32) {
        self.name = name
        self.topics = topics
        self.reached = reached
    }
}

extension ConditionTruth {
    fileprivate var mask: UInt32 {
        rows.reduce(0) { mask, row in
            let set = row.subscribed.reduce(0) { set, topic in
                set | (topics.firstIndex(of: topic).map { 1 << $0 } ?? 0)
            }
            return row.isReached ? mask | 1 << UInt32(set) : mask
        }
    }
}

extension PlannedAudience {
    fileprivate var listName: String? {
        switch self {
        case .list(let name, _, _), .listAtSend(let name): name
        case .topic, .condition, .group: nil
        }
    }
}
