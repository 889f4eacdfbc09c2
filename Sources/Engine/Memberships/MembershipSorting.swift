import CampaignModel
import Planning
import State

/// Joining members, divided by the owner of their subscription.
struct SortedMembers: Hashable, Sendable {
    /// Members that Herald subscribes, including those that were `joining` when a run was
    /// interrupted.
    var ours: [Member] = []
    /// Members that are in the topic without Herald.
    var external: [Member] = []
    /// Members that opted out, according to another audience's record.
    var optedOut: [Member] = []
}

/// Joining members with their recorded state.
struct SortingMembers: Sendable {
    let members: [Member]
    /// Members that must be queried, because the record does not show the owner of a subscription.
    let doubtful: [Member]
    private let standings: [Fingerprint: Set<MembershipStatus>]
    private let rejoins: Bool

    init(
        _ members: [Member],
        standings: [Fingerprint: Set<MembershipStatus>],
        for change: MembershipChange
    ) {
        self.members = members
        self.standings = standings
        rejoins = change.rejoins
        let noted = Set(change.noted)
        doubtful = members.filter { member in
            !noted.contains(member.fingerprint)
                && !(standings[member.fingerprint] ?? []).saysWhose(rejoins: change.rejoins)
        }
    }

    /// `answers`: FCM's answers about `doubtful`.
    func sorted(_ answers: [MembershipReader.Answer], in topic: Topic) -> SortedMembers {
        let found = zip(doubtful, answers).filter { _, answer in
            if case .topics(let topics) = answer { topics.contains(topic.name) } else { false }
        }
        return sorted(there: Set(found.map(\.0.fingerprint)))
    }

    func sorted(there: Set<Fingerprint>) -> SortedMembers {
        var sorted = SortedMembers()
        for member in members {
            let known = standings[member.fingerprint] ?? []
            if there.contains(member.fingerprint) {
                sorted.external.append(member)
            } else if known.contains(where: \.isManaged) {
                sorted.ours.append(member)
            } else if known.contains(.external) {
                sorted.external.append(member)
            } else if known.contains(.optedOut), !rejoins {
                sorted.optedOut.append(member)
            } else {
                sorted.ours.append(member)
            }
        }
        return sorted
    }
}

extension Set<MembershipStatus> {
    /// Whether the record shows the owner of the subscription, so that no query is needed.
    fileprivate func saysWhose(rejoins: Bool) -> Bool {
        contains { $0.isManaged || $0 == .external || $0 == .optedOut && !rejoins }
    }
}
