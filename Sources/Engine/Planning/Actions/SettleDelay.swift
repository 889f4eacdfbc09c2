package import CampaignModel
import State
package import Time

/// How long sends wait after a join to a topic that they address.
///
/// FCM documents no bound for the time until a join takes effect.
package struct SettleDelay: Hashable, Sendable {
    /// In seconds.
    package let length: Int64
    /// The recorded time of the last join to each topic.
    private let lastJoins: [Topic: Instant]
    /// Topics with joins in this plan.
    private let joined: Set<Topic>

    package init(
        length: Int64,
        lastJoins: [Topic: Instant] = [:],
        memberships: [MembershipChange] = []
    ) {
        self.length = length
        self.lastJoins = lastJoins
        joined = Set(memberships.filter { !$0.joins.isEmpty }.map(\.scope.topic))
    }

    package static let none = SettleDelay(length: 0)

    /// Returns the longest wait in seconds of a send to these topics, starting at `now`.
    ///
    /// Join times are whole seconds, so a join from `n` seconds ago may be one second younger. A
    /// join in the future, caused by a clock that was set back, counts as a join now.
    package func wait(for topics: [Topic], at now: Instant) -> Int64 {
        guard length > 0 else { return 0 }
        if topics.contains(where: joined.contains) { return length }
        let waits = topics.compactMap { lastJoins[$0] }.map {
            min(length, max(0, length + 1 - now.seconds(since: $0)))
        }
        return waits.max() ?? 0
    }
}

extension SendStepTarget {
    /// The topics that decide its recipients; none for registrations.
    package var topics: [Topic] {
        switch self {
        case .topic(let topic): [topic]
        case .condition(let text): (try? Condition(parsing: text))?.topics ?? []
        case .group, .list, .part, .listAtSend, .stored: []
        }
    }
}

extension PlannedActions {
    /// Returns the longest wait in seconds for joins to settle.
    package func settlingTime(of send: SendStep) -> Int64 {
        settling.wait(for: send.target.topics, at: now)
    }

    /// Puts sends that need not wait first, which reduces idle time.
    func inOrder(_ sends: [SendStep]) -> [SendStep] {
        sends.filter { settlingTime(of: $0) == 0 } + sends.filter { settlingTime(of: $0) > 0 }
    }

    /// Returns notices about sends that wait for joins.
    func settlingNotices() -> [PlanNotice] {
        sends.compactMap { send in
            let seconds = settlingTime(of: send)
            guard seconds > 0 else { return nil }
            return .settles(send.occurrence, seconds: seconds)
        }
    }
}
