import CampaignModel
import RegistrationLists
import State

extension Planner {
    func planMemberships(
        _ applied: AppliedState,
        noting notices: inout [PlanNotice]
    ) async throws(PlanningError) -> [MembershipChange] {
        try refuseAbandoned(applied)
        let basis = MembershipBasis(
            desired: try DesiredMemberships(of: project.audiences, planner: self),
            recorded: RecordedMemberships(applied.memberships, planner: self)
        )
        var changes: [MembershipChange] = []
        for audience in project.audiences where includes(audience) {
            guard let wanted = audience.subscribe else { continue }
            let dropped = basis.recorded.topics(of: audience.id).filter { !wanted.contains($0) }
            for topic in wanted + dropped {
                let scope = MembershipScope(audience: audience.id, topic: topic)
                let change = try await change(
                    for: audience,
                    in: scope,
                    from: basis,
                    noting: &notices
                )
                if !change.isEmpty { changes.append(change) }
            }
        }
        changes += try await planGoneAudiences(from: basis, noting: &notices)
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
        let difference = try await difference(
            in: scope,
            from: basis,
            rejoins: audience.rejoins,
            leaves: true
        )
        if difference.dead > 0 { notices.append(.deadMembers(scope, count: difference.dead)) }
        notices += statusNotices(in: scope, of: difference, rejoins: audience.rejoins)
        if difference.leftUpstream > 0 {
            notices.append(.leftUpstream(scope, count: difference.leftUpstream))
        }
        if difference.openLeaves > 0 {
            notices.append(.openLeaves(scope, count: difference.openLeaves))
        }
        return MembershipChange(
            scope: scope,
            list: audience.list,
            joins: try order(difference.joins, as: audience.list),
            rejoins: audience.rejoins,
            leaves: difference.leaves,
            leftUpstream: difference.leftUpstream,
            forgotten: difference.forgotten,
            noted: difference.noted,
            staying: difference.stayingCount(.joined),
            aim: audience.subscribe?.contains(scope.topic) ?? false
                ? .list(try survey(of: audience.list).id) : .nobody,
            transport: audience.membershipTransport,
            composition: (try? surveys[audience.list]?.get())?.composition
        )
    }

    /// Returns members of a list in its order.
    private func order(
        _ joins: [Fingerprint],
        as list: RegistrationList
    ) throws(PlanningError) -> [Fingerprint] {
        joins.isEmpty ? [] : try survey(of: list).fingerprints.inOrder(among: joins)
    }

    /// Compares the recorded members with the wanted ones, part by part on all cores.
    private func difference(
        in scope: MembershipScope,
        from basis: MembershipBasis,
        rejoins: Bool,
        leaves: Bool
    ) async throws(PlanningError) -> MembershipDifference {
        let (desired, recorded) = (basis.desired, basis.recorded)
        let wanted = desired.members(of: scope)
        let parts = parts(of: max(wanted.count, recorded.count(in: scope)))
        let excluded = known.upstream.excluded(from: scope.topic)
        let differences = try await inParts(parts) {
            [known, excluded] part async throws(PlanningError) in
            let rules = MembershipDifference.Rules(
                rejoins: rejoins,
                leaves: leaves,
                dead: known.dead,
                kept: try await recorded.keptElsewhere(than: scope, in: part, rejoins: rejoins),
                wantedElsewhere: desired.elsewhere(than: scope, in: part),
                excluded: excluded,
                optedOut: known.upstream.optedOut
            )
            return MembershipDifference(
                from: try await recorded.members(in: scope, part: part),
                to: wanted.sorted(in: part),
                rules: rules
            )
        }
        return differences.reduce(into: MembershipDifference()) { $0.append($1) }
    }

    /// Returns notices about the members that stay unchanged, with the reason.
    private func statusNotices(
        in scope: MembershipScope,
        of difference: MembershipDifference,
        rejoins: Bool
    ) -> [PlanNotice] {
        let (refused, external) = (
            difference.stayingCount(.refused), difference.stayingCount(.external)
        )
        let optedOut = rejoins ? 0 : difference.stayingCount(.optedOut)
        let notices: [(count: Int, notice: PlanNotice)] = [
            (refused, .refusedMembers(scope, count: refused)),
            (external, .externalMembers(scope, count: external)),
            (optedOut, .optedOutMembers(scope, count: optedOut)),
        ]
        return notices.filter { $0.count > 0 }.map(\.notice)
    }
}

/// The desired and the recorded memberships of all audiences.
private struct MembershipBasis: Sendable {
    let desired: DesiredMemberships
    let recorded: RecordedMemberships
}

// MARK: - Removed audiences

extension Planner {
    private func planGoneAudiences(
        from basis: MembershipBasis,
        noting notices: inout [PlanNotice]
    ) async throws(PlanningError) -> [MembershipChange] {
        var changes: [MembershipChange] = []
        for removal in project.removals where selection.includes(removal.audience) {
            let topics = basis.recorded.topics(of: removal.audience)
            if topics.isEmpty { notices.append(.removalIsDone(removal.audience)) }
            for topic in topics {
                let scope = MembershipScope(audience: removal.audience, topic: topic)
                let difference = try await difference(
                    in: scope,
                    from: basis,
                    rejoins: false,
                    leaves: removal.members == .unsubscribe
                )
                if difference.openLeaves > 0 {
                    notices.append(.openLeaves(scope, count: difference.openLeaves))
                }
                changes.append(
                    MembershipChange(
                        scope: scope,
                        list: nil,
                        joins: [],
                        leaves: difference.leaves,
                        forgotten: difference.forgotten
                    )
                )
            }
        }
        return changes
    }
}

/// The recorded members, updated with the findings of a refresh.
private struct RecordedMemberships: Sendable {
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

    func count(in scope: MembershipScope) -> Int {
        summaries.first { $0.scope == scope }?.count ?? 0
    }

    /// Sorted by fingerprint.
    func members(
        in scope: MembershipScope,
        part: FingerprintPart
    ) async throws(PlanningError) -> [Membership] {
        let members = try await planner.reading { () async throws(StateStoreError) in
            try await planner.store.records(in: scope, part: part).members()
        }
        return planner.findings.applied(to: members, in: scope)
    }

    /// Returns members that other audiences record as external or opted out in the topic, sorted.
    func keptElsewhere(
        than scope: MembershipScope,
        in part: FingerprintPart,
        rejoins: Bool
    ) async throws(PlanningError) -> [Fingerprint] {
        var kept: Set<Fingerprint> = []
        for summary in summaries
        where summary.topic == scope.topic && summary.audience != scope.audience {
            let counted = summary[.external] + (rejoins ? 0 : summary[.optedOut])
            guard counted > 0 || planner.findings.changes(summary.scope) else { continue }
            for member in try await members(in: summary.scope, part: part) {
                let isKept = member.status == .external || member.status == .optedOut && !rejoins
                if isKept { kept.insert(member.fingerprint) }
            }
        }
        return kept.sorted()
    }
}

/// The wanted members of each topic, by audience.
private struct DesiredMemberships: Sendable {
    private var lists: [Topic: [(audience: AudienceID, members: WantedMembers)]] = [:]

    init(of audiences: [Audience], planner: Planner) throws(PlanningError) {
        for audience in audiences {
            guard let topics = audience.subscribe, !topics.isEmpty else { continue }
            // No audience with one of its topics is planned.
            guard planner.surveys.unreadSources(of: audience.list).isEmpty else { continue }
            let members = WantedMembers(try planner.survey(of: audience.list).fingerprints)
            for topic in topics { lists[topic, default: []].append((audience.id, members)) }
        }
    }

    func members(of scope: MembershipScope) -> WantedMembers {
        lists[scope.topic]?.first { $0.audience == scope.audience }?.members ?? .none
    }

    /// Returns the wanted members of the other audiences in the topic, each sorted.
    func elsewhere(than scope: MembershipScope, in part: FingerprintPart) -> [[Fingerprint]] {
        (lists[scope.topic] ?? []).filter { $0.audience != scope.audience }
            .map { $0.members.sorted(in: part) }
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
                leftUpstream: Swift.min(change.leftUpstream, leaves.count),
                forgotten: (change.forgotten + repeated).sorted(),
                noted: change.noted,
                staying: change.staying,
                aim: change.aim,
                transport: change.transport,
                composition: change.composition
            )
        }
    }
}
