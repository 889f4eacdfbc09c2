import CampaignModel
import Planning
import State

/// Who is to join, divided by whose subscription it is.
struct SortedMembers: Sendable {
    /// We subscribe them; who was `joining` when a run was cut off is among them.
    var ours: [Member] = []
    /// They are in the topic without us.
    var foreign: [Member] = []
    /// They left by themselves, as another audience's account says.
    var optedOut: [Member] = []
}

/// Who is to join and what is recorded of them.
struct SortingMembers: Sendable {
    let members: [Member]
    /// Whom FCM is to be asked about: what is recorded doesn't tell whose a subscription would be.
    let doubtful: [Member]
    private let standings: [Fingerprint: Set<MembershipStatus>]
    private let rejoins: Bool

    fileprivate init(
        _ members: [Member],
        _ standings: [Fingerprint: Set<MembershipStatus>],
        _ change: MembershipChange
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

    /// `answers`: what FCM says of the doubtful.
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
                sorted.foreign.append(member)
            } else if known.contains(where: \.isOurs) {
                sorted.ours.append(member)
            } else if known.contains(.foreign) {
                sorted.foreign.append(member)
            } else if known.contains(.optedOut), !rejoins {
                sorted.optedOut.append(member)
            } else {
                sorted.ours.append(member)
            }
        }
        return sorted
    }
}

extension MembershipExecutor {
    func sorting(
        _ members: [Member],
        _ change: MembershipChange
    ) throws(ApplyError) -> SortingMembers {
        let standings = try recording { () throws(StateStoreError) in
            try store.standings(of: members.map(\.fingerprint), in: change.scope.topic)
        }
        return SortingMembers(members, standings, change)
    }
}

extension Set<MembershipStatus> {
    /// Whether what is recorded tells whose a subscription is, so that FCM need not be asked.
    fileprivate func saysWhose(rejoins: Bool) -> Bool {
        contains { $0.isOurs || $0 == .foreign || $0 == .optedOut && !rejoins }
    }
}
