import CampaignModel
import JSON
import RegistrationLists
import State

extension GuardReview {
    /// Below this count, a share is meaningless.
    static let smallest = 10

    /// Checks membership changes; a change to the same list that an earlier apply started may
    /// continue.
    ///
    /// Leaves that messages of devices cause are always checked: the list does not tell how many there
    /// are.
    func changeOutcomes() -> [GuardOutcome] {
        guard let maximum = limits.maximumChange else { return [] }
        return actions.memberships.compactMap { change in
            guard isNew(change) || change.leftUpstream > 0 else { return nil }
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
                verdict: basis.verdict(
                    on: .maxChange,
                    refusal: refusal,
                    of: moved,
                    accepted: acknowledgement(of: change)
                )
            )
        }
    }

    /// The acknowledgement of the document that causes a change, if it has one: only a removal has
    /// no list.
    private func acknowledgement(of change: MembershipChange) -> [ChangeAcknowledgement] {
        let audience = change.scope.audience
        let acknowledgement =
            change.list == nil
            ? project.removals.first { $0.audience == audience }?.acknowledgement
            : project.acknowledgement(of: audience)
        return acknowledgement.map { [$0] } ?? []
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
            case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .schedule, .reschedule,
                .expire, .skip, .miss, .outlive, .redefine, .alreadySent, .lowered, .ended,
                .stopped, .retire, .correct, .uncorrectable, .answer, .unchanged:
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
    ///
    /// A list that is read when its send begins is compared then.
    func shrunkListOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard limits.maximumChange != nil else { return [] }
        let records = Dictionary(grouping: applied.occurrences.values, by: \.id.campaign)
        return campaigns.compactMap { guarded in
            let campaign = guarded.campaign
            guard guarded.sends, case .registrations(let list) = campaign.target,
                !list.isReadAtSend, let count = (try? planner.survey(of: list))?.count
            else { return nil }
            let last = campaign.lastListCount(
                recorded: applied.definitions[campaign.id],
                in: records[campaign.id] ?? []
            )
            let limit = ShrinkingLimit(for: campaign, after: last, in: project, basis: basis)
            return limit?.verdict(on: count).map {
                GuardOutcome(.shrunkList, subject: guarded.subject, verdict: $0)
            }
        }
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
                verdict: basis.verdict(
                    on: .shrunkList,
                    refusal: .shrunkList(from: members, to: members - gone, maximum: maximum),
                    of: gone,
                    accepted: acknowledgement(of: change)
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

extension Campaign {
    /// Returns the size of the list in the recorded definition, or of the last send to the same
    /// list; nil if it is not known.
    func lastListCount(
        recorded: CampaignDefinition?,
        in records: [OccurrenceRecord]
    ) -> Int? {
        guard let known = recorded?.content["audience"], isTo(sameListAs: known) else {
            return nil
        }
        if let count = recorded?.listCount { return count }
        let sent = records.filter { $0.unit.map { !$0.target.isFanOut } ?? false }
        return sent.max { ($0.due, $0.id) < ($1.due, $1.id) }?.unit?.count
    }

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
        case .send, .handOver, .resume, .paused, .schedule, .reschedule, .redefine: true
        case .lapse, .held, .rename, .expire, .skip, .miss, .unschedule, .outlive, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire, .correct, .uncorrectable, .answer,
            .unchanged:
            false
        }
    }
}
