package import CampaignModel
import State
package import Time

/// How long sends wait after a join into a topic that they name.
///
/// FCM states no bound for the time until a join counts.
package struct Settling: Hashable, Sendable {
    /// Seconds.
    package let length: Int64
    /// When somebody joined each topic last, as far as the state knows.
    private let lastJoins: [Topic: Instant]
    /// Topics that somebody joins by this plan.
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

    package static let none = Settling(length: 0)

    /// Seconds that a send to these topics waits at most, beginning at `now`.
    ///
    /// A join whose second began `n` seconds ago may be younger by one. One that lies ahead, by a
    /// clock that was set back, counts as done now.
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
    /// The topics that decide whom it reaches; none for registrations.
    package var topics: [Topic] {
        switch self {
        case .topic(let topic): [topic]
        case .condition(let text): (try? Condition(parsing: text))?.topics ?? []
        case .group, .list, .stored: []
        }
    }
}

extension Plan {
    /// Seconds that this send waits at most for joins to settle.
    package func settlingTime(of send: SendStep) -> Int64 {
        settling.wait(for: send.target.topics, at: now)
    }

    /// Those that need not wait go first, so that waiting is seldom idle.
    func inOrder(_ sends: [SendStep]) -> [SendStep] {
        sends.filter { settlingTime(of: $0) == 0 } + sends.filter { settlingTime(of: $0) > 0 }
    }

    /// What a reviewer should know of sends that wait.
    func settlingNotices() -> [PlanNotice] {
        sends.compactMap { send in
            let seconds = settlingTime(of: send)
            guard seconds > 0 else { return nil }
            return .settles(send.occurrence, seconds: seconds)
        }
    }
}
