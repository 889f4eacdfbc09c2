import CampaignModel
import CampaignState
import Registrations

extension Planner {
    func planMemberships(
        _ applied: AppliedState,
        _ notices: inout [PlanNotice]
    ) throws(PlanningError) -> [MembershipChange] {
        try refuseAbandoned(applied)
        let desired = try DesiredMemberships(of: project.audiences, planner: self)
        var changes: [MembershipChange] = []
        for audience in project.audiences {
            let recorded = applied.memberships.filter { $0.audience == audience.id }.map(\.topic)
            let wanted = audience.subscribe ?? []
            let dropped = recorded.filter { !wanted.contains($0) }.sorted()
            for topic in wanted + dropped {
                let scope = MembershipScope(audience: audience.id, topic: topic)
                let change = try change(audience, scope, desired, &notices)
                if !change.isEmpty { changes.append(change) }
            }
        }
        return changes.withoutRepeatedLeaves()
    }

    /// Taking an audience or its `subscribe` away changes no membership by itself.
    private func refuseAbandoned(_ applied: AppliedState) throws(PlanningError) {
        let subscribing = project.audiences.filter { $0.subscribe != nil }.map(\.id)
        let abandoned = applied.memberships.filter { !subscribing.contains($0.audience) }
        if !abandoned.isEmpty { throw .abandonedMemberships(abandoned) }
    }

    private func change(
        _ audience: Audience,
        _ scope: MembershipScope,
        _ desired: DesiredMemberships,
        _ notices: inout [PlanNotice]
    ) throws(PlanningError) -> MembershipChange {
        let members = try reading { () throws(StateStoreError) in
            try store.memberships(in: scope)
        }
        let wanted = desired.sorted(scope)
        let settled = members.filter { $0.status == .joined || $0.status == .refused }
        let joins = Set(wanted.subtracting(settled.map(\.fingerprint)))
        let gone = members.filter { !wanted.containsSorted($0.fingerprint) }
        let leaves = gone.filter {
            $0.status != .refused && !desired.isWantedElsewhere($0.fingerprint, scope)
        }
        let forgotten = gone.map(\.fingerprint).subtracting(leaves.map(\.fingerprint))
        let refused = members.filter {
            $0.status == .refused && wanted.containsSorted($0.fingerprint)
        }
        if !refused.isEmpty { notices.append(.refusedMembers(scope, count: refused.count)) }
        return MembershipChange(
            scope: scope,
            list: audience.list,
            joins: joins.isEmpty
                ? [] : try survey(of: audience.list).fingerprints.filter(joins.contains),
            leaves: leaves.map(\.fingerprint),
            forgotten: forgotten
        )
    }
}

/// Who is wanted in each topic, by audience; sorted, so that a look-up halves.
private struct DesiredMemberships {
    private var lists: [MembershipScope: [Fingerprint]] = [:]

    init(of audiences: [Audience], planner: Planner) throws(PlanningError) {
        for audience in audiences {
            guard let topics = audience.subscribe, !topics.isEmpty else { continue }
            let fingerprints = try planner.survey(of: audience.list).fingerprints.sorted()
            for topic in topics {
                lists[MembershipScope(audience: audience.id, topic: topic)] = fingerprints
            }
        }
    }

    func sorted(_ scope: MembershipScope) -> [Fingerprint] { lists[scope] ?? [] }

    func isWantedElsewhere(_ fingerprint: Fingerprint, _ scope: MembershipScope) -> Bool {
        lists.contains { other, fingerprints in
            other.topic == scope.topic && other.audience != scope.audience
                && fingerprints.containsSorted(fingerprint)
        }
    }
}

extension [Fingerprint] {
    /// For a sorted array.
    fileprivate func containsSorted(_ fingerprint: Fingerprint) -> Bool {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if self[middle] == fingerprint { return true }
            range =
                self[middle] < fingerprint
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// The elements of this sorted array that a second sorted sequence does not have.
    fileprivate func subtracting(_ others: [Fingerprint]) -> [Fingerprint] {
        var rest: [Fingerprint] = []
        var position = 0
        for element in self {
            while position < others.count, others[position] < element { position += 1 }
            if position == others.count || others[position] != element { rest.append(element) }
        }
        return rest
    }
}

extension [MembershipChange] {
    /// Where two audiences let the same member go, one request is enough.
    fileprivate func withoutRepeatedLeaves() -> [MembershipChange] {
        var seen: [Topic: Set<Fingerprint>] = [:]
        return map { change in
            let leaves = change.leaves.filter {
                seen[change.scope.topic, default: []].insert($0).inserted
            }
            guard leaves.count < change.leaves.count else { return change }
            let repeated = Set(change.leaves).subtracting(leaves)
            return MembershipChange(
                scope: change.scope,
                list: change.list,
                joins: change.joins,
                leaves: leaves,
                forgotten: (change.forgotten + repeated).sorted()
            )
        }
    }
}
