import CampaignModel
import JSON
import RegistrationLists
import State

extension GuardReview {
    /// Below this count, a share is meaningless.
    static let smallest = 10

    /// Checks membership changes; a change to the same list that an earlier apply started may
    /// continue.
    func changeOutcomes() -> [GuardOutcome] {
        guard let maximum = limits.maximumChange else { return [] }
        return actions.memberships.compactMap { change in
            guard isNew(change) else { return nil }
            let members = summary(of: change.scope)?.oursCount ?? 0
            let moved = change.joins.count + change.leaves.count
            guard members >= Self.smallest, maximum.isExceeded(by: moved, of: members) else {
                return nil
            }
            let refusal = GuardRefusal.tooMuchChange(
                joins: change.joins.count,
                leaves: change.leaves.count,
                members: members,
                maximum: maximum
            )
            return GuardOutcome(
                .maxChange,
                subject: .audience(change.scope.audience, change.scope.topic),
                verdict: verdict(
                    on: .maxChange,
                    refusal: refusal,
                    of: moved,
                    accepted: [acknowledgement(of: change)]
                )
            )
        }
    }

    /// Decides about a change of `count` registrations, which any of the acknowledgements may
    /// accept.
    private func verdict(
        on guard: Guard,
        refusal: GuardRefusal,
        of count: Int,
        accepted: [ChangeAcknowledgement?]
    ) -> GuardVerdict {
        let acknowledgement = accepted.compactMap(\.self).first { $0.change >= count }
        if let acknowledgement {
            return .acknowledged(refusal, reason: acknowledgement.reason)
        }
        return basis.verdict(on: `guard`, refusal: refusal)
    }

    /// The acknowledgement of the document that causes a change: only a removal has no list.
    private func acknowledgement(of change: MembershipChange) -> ChangeAcknowledgement? {
        guard change.list == nil else { return acknowledgement(of: change.scope.audience) }
        return project.removals.first { $0.audience == change.scope.audience }?.acknowledgement
    }

    private func acknowledgement(of audience: AudienceID) -> ChangeAcknowledgement? {
        project.audiences.first { $0.id == audience }?.acknowledgement
    }

    private func isNew(_ change: MembershipChange) -> Bool {
        applied.guards.aims[change.scope] != change.aim
    }

    private func summary(of scope: MembershipScope) -> MembershipSummary? {
        applied.memberships.first { $0.scope == scope }
    }

    /// Checks cancellations; a campaign that is scheduled again does not count as cancelled.
    ///
    /// The default share is 30 % if an environment does not set `max_change`.
    func cancellationOutcomes() -> [GuardOutcome] {
        let maximum = limits.maximumChange ?? .thirtyPercent
        let cancelled = actions.campaigns.compactMap { action -> OccurrenceID? in
            switch action.step {
            case .cancel(let cancelled): cancelled.occurrence
            case .unschedule(let id, _): id
            case .send, .resume, .lapse, .paused, .held, .rename, .schedule, .reschedule, .expire,
                .skip, .miss, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped,
                .retire, .unchanged:
                nil
            }
        }
        guard !cancelled.isEmpty else { return [] }
        let scheduled = applied.occurrences.values.filter { $0.status == .scheduled }
        let scheduledIDs = Set(scheduled.map(\.id))
        let renewed = Set(actions.campaigns.filter(\.step.isToBeSent).map(\.campaign))
        let lost = cancelled.count {
            scheduledIDs.contains($0) && !renewed.contains($0.campaign)
        }
        guard Set(scheduled.map(\.id.campaign)).count >= Self.smallest,
            maximum.isExceeded(by: lost, of: scheduled.count)
        else { return [] }
        return [
            outcome(
                of: .maxCancellations,
                subject: nil,
                refusal: .tooManyCancelled(lost, scheduled: scheduled.count, maximum: maximum)
            )
        ]
    }
}

// MARK: - Lists that have become shorter

extension GuardReview {
    /// Compares each list with that of the campaign's recorded definition, or with the last send to
    /// the same list.
    func shrunkListOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard let maximum = limits.maximumChange else { return [] }
        let records = Dictionary(grouping: applied.occurrences.values, by: \.id.campaign)
        return campaigns.compactMap { guarded in
            let campaign = guarded.campaign
            guard guarded.sends, case .registrations(let list) = campaign.target,
                let count = (try? planner.survey(of: list))?.count,
                let last = lastCount(of: campaign, in: records[campaign.id] ?? []),
                last >= Self.smallest, maximum.isExceeded(by: last - count, of: last)
            else { return nil }
            return GuardOutcome(
                .shrunkList,
                subject: guarded.subject,
                verdict: verdict(
                    on: .shrunkList,
                    refusal: .shrunkList(from: last, to: count, maximum: maximum),
                    of: last - count,
                    accepted: [
                        campaign.policy.acknowledgement?.ofChange,
                        campaign.audience.flatMap { acknowledgement(of: $0) },
                    ]
                )
            )
        }
    }

    private func lastCount(of campaign: Campaign, in records: [OccurrenceRecord]) -> Int? {
        let recorded = applied.definitions[campaign.id]?.content
        guard let known = recorded?["audience"], campaign.isTo(sameListAs: known) else {
            return nil
        }
        if let count = recorded?["list"]?["count"]?.integerValue { return Int(count) }
        let sent = records.filter { $0.unit.map { !$0.target.isFanOut } ?? false }
        return sent.max { ($0.due, $0.id) < ($1.due, $1.id) }?.unit?.count
    }

    /// Checks memberships whose list has become shorter.
    ///
    /// A member that another audience keeps in the topic causes no request, but a list that lost
    /// most of its members is a mistake anyway.
    func shrunkMembershipOutcomes(besides found: [GuardOutcome]) -> [GuardOutcome] {
        guard let maximum = limits.maximumChange else { return [] }
        let judged = Set(found.compactMap(\.subject))
        return actions.memberships.compactMap { change in
            let subject = GuardSubject.audience(change.scope.audience, change.scope.topic)
            guard isNew(change), !judged.contains(subject), case .list = change.aim else {
                return nil
            }
            let members = summary(of: change.scope)?.count ?? 0
            let gone = change.leaves.count + change.forgotten.count
            guard members >= Self.smallest, maximum.isExceeded(by: gone, of: members) else {
                return nil
            }
            return GuardOutcome(
                .shrunkList,
                subject: subject,
                verdict: verdict(
                    on: .shrunkList,
                    refusal: .shrunkList(from: members, to: members - gone, maximum: maximum),
                    of: gone,
                    accepted: [acknowledgement(of: change)]
                )
            )
        }
    }
}

extension MembershipSummary {
    /// Number of members that are, or may be, in the topic because of Herald.
    fileprivate var oursCount: Int {
        counts.reduce(0) { $0 + ($1.key.isManaged ? $1.value : 0) }
    }
}

extension Percentage {
    /// Whether a part exceeds this share of a whole, calculated exactly.
    fileprivate func isExceeded(by part: Int, of whole: Int) -> Bool {
        part * 10_000 > basisPoints * whole
    }
}

extension Campaign {
    /// Whether a recorded definition names the same audience or list.
    fileprivate func isTo(sameListAs recorded: JSONValue) -> Bool {
        guard case .registrations(let list) = target else { return false }
        if let audience { return recorded["audience"] == .string(audience.rawValue) }
        return list.withoutExclusions.path.map { recorded["registrations"] == .string($0) } ?? false
    }
}

extension CampaignStep {
    fileprivate var isToBeSent: Bool {
        switch self {
        case .send, .resume, .paused, .schedule, .reschedule, .redefine: true
        case .lapse, .held, .rename, .expire, .skip, .miss, .unschedule, .outlive, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire, .unchanged:
            false
        }
    }
}
