import CampaignModel
package import State

/// Reads the registrations that Herald keeps in topics and device groups.
package struct ManagedMembers: Sendable {
    private let book: any MembershipBook

    package init(of book: any MembershipBook) {
        self.book = book
    }

    /// Returns the managed members that a send reaches, as the first halves of their fingerprints.
    ///
    /// Empty for a list. Subscriptions that Herald does not manage are unknown.
    package func members(
        reachedBy target: SendStepTarget
    ) async throws(StateStoreError) -> [UInt64] {
        switch target {
        case .topic(let topic): return Array(try await members(of: topic))
        case .condition(let text): return try await members(reachedBy: text)
        case .group(let name):
            let groups = try await book.deviceGroups()
            return groups.first { $0.name == name }.map { $0.members.map(\.high) } ?? []
        case .list, .part, .stored, .listAtSend: return []
        }
    }

    private func members(of topic: Topic) async throws(StateStoreError) -> Set<UInt64> {
        var members: Set<UInt64> = []
        for summary in try await book.membershipOverview().summaries where summary.topic == topic {
            for member in try await book.memberships(in: summary.scope)
            where member.status.isManaged {
                members.insert(member.fingerprint.high)
            }
        }
        return members
    }

    private func members(reachedBy text: String) async throws(StateStoreError) -> [UInt64] {
        guard let condition = try? Condition(parsing: text) else { return [] }
        var subscriptions: [UInt64: Int] = [:]
        for (place, topic) in condition.topics.enumerated() {
            for member in try await members(of: topic) {
                subscriptions[member, default: 0] |= 1 << place
            }
        }
        let reached = condition.truth.reachedRows
        return subscriptions.filter { reached.contains($0.value) }.map(\.key)
    }
}

extension ConditionTruth {
    /// The sets of subscriptions that it reaches; bit *i* of each stands for topic *i*.
    fileprivate var reachedRows: Set<Int> {
        let rows = rows.filter(\.isReached).map { row in
            row.subscribed.reduce(0) { bits, topic in
                bits | 1 << (topics.firstIndex(of: topic) ?? 0)
            }
        }
        return Set(rows)
    }
}
