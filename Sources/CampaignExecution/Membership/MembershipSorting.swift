import CampaignModel
import CampaignPlanning
import CampaignState

extension MembershipExecutor {
    /// Who is to join, divided by whose subscription it is.
    struct Sorted: Sendable {
        /// We subscribe them; who was `joining` when a run was cut off is among them.
        var ours: [Member] = []
        /// They are in the topic without us.
        var foreign: [Member] = []
        /// They left by themselves, as another audience's account says.
        var optedOut: [Member] = []
    }

    func sort(_ members: [Member], _ change: MembershipChange) async throws(ApplyError) -> Sorted {
        let standings = try recording { () throws(StateStoreError) in
            try store.standings(of: members.map(\.fingerprint), in: change.scope.topic)
        }
        let noted = Set(change.noted)
        let doubtful = members.filter { member in
            !noted.contains(member.fingerprint)
                && !(standings[member.fingerprint] ?? []).saysWhose(rejoins: change.rejoins)
        }
        let there = try await foundThere(doubtful, in: change.scope.topic)
        var sorted = Sorted()
        for member in members {
            let known = standings[member.fingerprint] ?? []
            if there.contains(member.fingerprint) {
                sorted.foreign.append(member)
            } else if known.contains(where: \.isOurs) {
                sorted.ours.append(member)
            } else if known.contains(.foreign) {
                sorted.foreign.append(member)
            } else if known.contains(.optedOut), !change.rejoins {
                sorted.optedOut.append(member)
            } else {
                sorted.ours.append(member)
            }
        }
        return sorted
    }

    private func foundThere(
        _ members: [Member],
        in topic: Topic
    ) async throws(ApplyError) -> Set<Fingerprint> {
        guard !members.isEmpty else { return [] }
        let reader = MembershipReader(
            transport: transport,
            endpoint: endpoint,
            stop: stop,
            parallelism: parallelism,
            backoff: backoff
        )
        let answers = try await reader.read(members)
        var found: Set<Fingerprint> = []
        for (member, answer) in zip(members, answers) {
            if case .topics(let topics) = answer, topics.contains(topic.name) {
                found.insert(member.fingerprint)
            }
        }
        return found
    }
}

extension Set<MembershipStatus> {
    /// Whether what is recorded tells whose a subscription is, so that FCM need not be asked.
    fileprivate func saysWhose(rejoins: Bool) -> Bool {
        contains { $0.isOurs || $0 == .foreign || $0 == .optedOut && !rejoins }
    }
}
