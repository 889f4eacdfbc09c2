import CampaignModel
import RegistrationLists
import State

extension Planner {
    func planMemberships(
        _ applied: AppliedState,
        noting notices: inout [PlanNotice]
    ) async throws(PlanningError) -> [MembershipChange] {
        try refuseAbandoned(applied)
        let desired = try DesiredMemberships(of: project.audiences, planner: self)
        let recorded = RecordedMemberships(applied.memberships, planner: self)
        var changes: [MembershipChange] = []
        for audience in project.audiences where selection.includes(audience.id) {
            guard let wanted = audience.subscribe else { continue }
            let dropped = recorded.topics(of: audience.id).filter { !wanted.contains($0) }
            for topic in wanted + dropped {
                let scope = MembershipScope(audience: audience.id, topic: topic)
                let change = try await change(
                    for: audience,
                    in: scope,
                    from: MembershipBasis(desired: desired, recorded: recorded),
                    noting: &notices
                )
                if !change.isEmpty { changes.append(change) }
            }
        }
        changes += try await planGoneAudiences(
            desired: desired,
            recorded: recorded,
            noting: &notices
        )
        changes = changes.withoutRepeatedLeaves()
        notices += changes.notices(used: Set(applied.memberships.map(\.topic)))
        return changes
    }

    /// Refuses an audience without a decision about its members.
    ///
    /// Removing an audience or its `subscribe` changes no membership by itself.
    private func refuseAbandoned(_ applied: AppliedState) throws(PlanningError) {
        let subscribing = project.audiences.filter { $0.subscribe != nil }.map(\.id)
        let accounted = Set(subscribing + project.removals.map(\.audience))
        let abandoned = applied.memberships.filter {
            !accounted.contains($0.audience) && selection.includes($0.audience)
        }
        if !abandoned.isEmpty { throw .abandonedMemberships(abandoned) }
    }

    private func change(
        for audience: Audience,
        in scope: MembershipScope,
        from basis: MembershipBasis,
        noting notices: inout [PlanNotice]
    ) async throws(PlanningError) -> MembershipChange {
        let (desired, recorded) = (basis.desired, basis.recorded)
        let members = try await recorded.members(in: scope)
        let wanted = desired.sorted(scope)
        let staying = members.filter { wanted.containsSorted($0.fingerprint) }
        let gone = members.filter { !wanted.containsSorted($0.fingerprint) }
        let settled = members.filter { $0.isSettled(rejoins: audience.rejoins) }
        let missing = wanted.subtracting(settled.map(\.fingerprint))
        let kept = try await recorded.keptElsewhere(than: scope, rejoins: audience.rejoins)
        let noted = missing.filter { kept.contains($0) }
        let unknown = missing.subtracting(noted)
        let joins = Set(unknown.filter { !known.dead.contains($0) })
        if joins.count < unknown.count {
            notices.append(.deadMembers(scope, count: unknown.count - joins.count))
        }
        let leaves = gone.filter {
            $0.status.isManaged && !desired.isWantedElsewhere($0.fingerprint, than: scope)
        }.map(\.fingerprint)
        notices += statusNotices(in: scope, staying: staying, rejoins: audience.rejoins)
        let open = gone.count { $0.status == .leaving && leaves.containsSorted($0.fingerprint) }
        if open > 0 { notices.append(.openLeaves(scope, count: open)) }
        return MembershipChange(
            scope: scope,
            list: audience.list,
            joins: joins.isEmpty
                ? [] : try survey(of: audience.list).fingerprints.filter(joins.contains),
            rejoins: audience.rejoins,
            leaves: leaves,
            forgotten: gone.map(\.fingerprint).subtracting(leaves),
            noted: noted,
            aim: audience.subscribe?.contains(scope.topic) ?? false
                ? .list(try survey(of: audience.list).id) : .nobody,
            transport: audience.membershipTransport
        )
    }

    /// Returns notices about the members that stay unchanged, with the reason.
    private func statusNotices(
        in scope: MembershipScope,
        staying: [Membership],
        rejoins: Bool
    ) -> [PlanNotice] {
        func count(_ status: MembershipStatus) -> Int { staying.count { $0.status == status } }
        let notices: [(count: Int, notice: PlanNotice)] = [
            (count(.refused), .refusedMembers(scope, count: count(.refused))),
            (count(.external), .externalMembers(scope, count: count(.external))),
            (
                rejoins ? 0 : count(.optedOut),
                .optedOutMembers(scope, count: count(.optedOut))
            ),
        ]
        return notices.filter { $0.count > 0 }.map(\.notice)
    }
}

/// The desired and the recorded memberships of all audiences.
private struct MembershipBasis {
    let desired: DesiredMemberships
    let recorded: RecordedMemberships
}

// MARK: - Removed audiences

extension Planner {
    private func planGoneAudiences(
        desired: DesiredMemberships,
        recorded: RecordedMemberships,
        noting notices: inout [PlanNotice]
    ) async throws(PlanningError) -> [MembershipChange] {
        var changes: [MembershipChange] = []
        for removal in project.removals where selection.includes(removal.audience) {
            let topics = recorded.topics(of: removal.audience)
            if topics.isEmpty { notices.append(.removalIsDone(removal.audience)) }
            for topic in topics {
                let scope = MembershipScope(audience: removal.audience, topic: topic)
                let members = try await recorded.members(in: scope)
                let leaves = members.filter {
                    removal.members == .unsubscribe && $0.status.isManaged
                        && !desired.isWantedElsewhere($0.fingerprint, than: scope)
                }.map(\.fingerprint)
                let open = members.count { $0.status == .leaving }
                if open > 0, !leaves.isEmpty { notices.append(.openLeaves(scope, count: open)) }
                changes.append(
                    MembershipChange(
                        scope: scope,
                        list: nil,
                        joins: [],
                        leaves: leaves,
                        forgotten: members.map(\.fingerprint).subtracting(leaves)
                    )
                )
            }
        }
        return changes
    }
}

extension Membership {
    /// Whether a wanted member needs no request to FCM.
    fileprivate func isSettled(rejoins: Bool) -> Bool {
        switch status {
        case .joined, .refused, .external: true
        case .optedOut: !rejoins
        case .joining, .leaving: false
        }
    }
}

/// The recorded members, updated with the findings of a refresh.
private struct RecordedMemberships {
    private let summaries: [MembershipSummary]
    private let planner: Planner

    init(_ summaries: [MembershipSummary], planner: Planner) {
        self.summaries = summaries
        self.planner = planner
    }

    /// Sorted by name.
    func topics(of audience: AudienceID) -> [Topic] {
        summaries.filter { $0.audience == audience }.map(\.topic).sorted()
    }

    func members(in scope: MembershipScope) async throws(PlanningError) -> [Membership] {
        let members = try await planner.reading { () async throws(StateStoreError) in
            try await planner.store.memberships(in: scope)
        }
        return planner.findings.applied(to: members, in: scope)
    }

    /// Returns members that other audiences record as external or opted out in the topic.
    func keptElsewhere(
        than scope: MembershipScope,
        rejoins: Bool
    ) async throws(PlanningError) -> Set<Fingerprint> {
        var kept: Set<Fingerprint> = []
        for summary in summaries
        where summary.topic == scope.topic && summary.audience != scope.audience {
            let counted = summary[.external] + (rejoins ? 0 : summary[.optedOut])
            guard counted > 0 || planner.findings.changes(summary.scope) else { continue }
            for member in try await members(in: summary.scope) {
                let isKept = member.status == .external || member.status == .optedOut && !rejoins
                if isKept { kept.insert(member.fingerprint) }
            }
        }
        return kept
    }
}

/// The wanted members of each topic, by audience; sorted for binary search.
private struct DesiredMemberships {
    private var lists: [Topic: [(audience: AudienceID, fingerprints: [Fingerprint])]] = [:]

    init(of audiences: [Audience], planner: Planner) throws(PlanningError) {
        for audience in audiences {
            guard let topics = audience.subscribe, !topics.isEmpty else { continue }
            let fingerprints = try planner.survey(of: audience.list).fingerprints.sorted()
            for topic in topics { lists[topic, default: []].append((audience.id, fingerprints)) }
        }
    }

    func sorted(_ scope: MembershipScope) -> [Fingerprint] {
        lists[scope.topic]?.first { $0.audience == scope.audience }?.fingerprints ?? []
    }

    func isWantedElsewhere(_ fingerprint: Fingerprint, than scope: MembershipScope) -> Bool {
        (lists[scope.topic] ?? []).contains {
            $0.audience != scope.audience && $0.fingerprints.containsSorted(fingerprint)
        }
    }
}

extension [Fingerprint] {
    /// Returns the elements of this sorted array that are not in a second sorted sequence.
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
    /// Returns the notices about the changes' effects at FCM and in apps; `used` are the topics
    /// that have recorded memberships.
    ///
    /// FCM creates a topic with its first subscription, and ensures at each start of an app that
    /// the topics that it requests are subscribed (Firebase documentation, Topic messaging on Apple
    /// platforms).
    fileprivate func notices(used: Set<Topic>) -> [PlanNotice] {
        var used = used
        return flatMap { change -> [PlanNotice] in
            var notices: [PlanNotice] = []
            if !change.joins.isEmpty, used.insert(change.scope.topic).inserted {
                notices.append(.createsTopic(change.scope))
            }
            if !change.leaves.isEmpty {
                notices.append(.mayReturn(change.scope, count: change.leaves.count))
            }
            return notices
        }
    }

    /// Removes repeated leaves: if two audiences remove the same member, one request is enough.
    fileprivate func withoutRepeatedLeaves() -> [MembershipChange] {
        var seen: [Topic: Set<Fingerprint>] = [:]
        return map { change in
            guard filter({ $0.scope.topic == change.scope.topic }).count > 1 else { return change }
            let leaves = change.leaves.filter {
                seen[change.scope.topic, default: []].insert($0).inserted
            }
            guard leaves.count < change.leaves.count else { return change }
            let repeated = Set(change.leaves).subtracting(leaves)
            return MembershipChange(
                scope: change.scope,
                list: change.list,
                joins: change.joins,
                rejoins: change.rejoins,
                leaves: leaves,
                forgotten: (change.forgotten + repeated).sorted(),
                noted: change.noted,
                aim: change.aim,
                transport: change.transport
            )
        }
    }
}
