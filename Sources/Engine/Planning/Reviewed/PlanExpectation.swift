import CampaignModel
package import State

/// The reviewed plan that a current plan is compared with.
package struct PlanExpectation: Sendable {
    package let digest: PlanDigest
    /// Its content, from its file or from the state; nil if neither exists.
    package let reviewed: ReviewedPlan?
    /// Runs with this serial or a later one count.
    private let serial: StateSerial

    /// - Parameters:
    ///   - digest: The digest that the user gave.
    ///   - reviewed: The content of a file, if one was given.
    ///   - kept: The copy in the state.
    package init(_ digest: PlanDigest, reviewed: ReviewedPlan? = nil, kept: ArchivedPlan?) {
        self.digest = digest
        self.reviewed = reviewed ?? kept.flatMap { ReviewedPlan(content: $0.content) }
        serial = digest.serial ?? kept?.serial ?? StateSerial(number: 0)
    }

    /// Returns how many of the newest runs must be examined.
    package func runCount(at now: StateSerial) -> Int {
        Int(clamping: now.number - serial.number)
    }

    /// Decides how to treat a current plan.
    ///
    /// A plan with a selection never counts as the rest of another plan, because the remaining
    /// parts would be lost.
    ///
    /// `runs`: at least the runs since the expected plan, newest first. `changesNothing`: whether a
    /// digest belongs to a plan without definitions and memberships.
    package func verdict<Failure>(
        on plan: Plan,
        after runs: [RunRecord],
        changesNothing: (String) async throws(Failure) -> Bool
    ) async throws(Failure) -> PlanVerdict {
        guard plan.reviewed.hash != digest.hash else { return .same }
        let later = runs.filter { $0.serial.map { $0 > serial } ?? false }
        let own = later.filter { $0.worker.digest == digest.hash }
        guard let newest = own.first, let first = own.last?.serial else {
            return isDrift(plan) ? .same : stale(plan)
        }
        var others: [RunRecord] = []
        for run in later where run.serial.map({ $0 > first }) ?? false {
            guard let other = run.worker.digest, other != digest.hash else { continue }
            if !(try await changesNothing(other)) { others.append(run) }
        }
        let isComplete = newest.status == .complete
        if plan.isWhole, others.isEmpty, let reviewed, isRest(plan, of: reviewed) {
            let isOpen = isComplete ? plan.hasOpenPart(of: reviewed) : plan.hasChanges
            return isOpen ? .goesOn : .alreadyApplied(newest)
        }
        return isComplete ? .alreadyApplied(newest) : stale(plan, others: others)
    }

    /// Whether the plan differs from the reviewed one only by an allowed drift of sources.
    private func isDrift(_ plan: Plan) -> Bool {
        guard let reviewed else { return false }
        return plan.reviewed.undrifted(from: reviewed, isRest: false).hash == digest.hash
    }

    private func isRest(_ plan: Plan, of reviewed: ReviewedPlan) -> Bool {
        var wanted = plan.wantedMemberships
        for (scope, membership) in wanted {
            wanted[scope] = membership.undrifted(from: reviewed.memberships[scope])
        }
        return plan.reviewed.undrifted(from: reviewed, isRest: true)
            .isRest(of: reviewed, wanted: wanted)
    }

    private func stale(_ plan: Plan, others: [RunRecord] = []) -> PlanVerdict {
        .stale(
            StalePlan(
                digest: digest,
                now: plan.digest,
                differences: reviewed?.differences(to: plan.reviewed),
                runs: others
            )
        )
    }
}

package enum PlanVerdict: Hashable, Sendable {
    /// The plan is the reviewed one.
    case same
    /// The plan is the rest of the reviewed one.
    case goesOn
    /// The plan was already applied; contains the newest run that applied it or a part of it.
    case alreadyApplied(RunRecord)
    case stale(StalePlan)
}

/// Why a plan is not the reviewed one.
package struct StalePlan: Hashable, Sendable {
    package let digest: PlanDigest
    /// The digest of the current plan.
    package let now: PlanDigest
    /// Nil if the reviewed content is unknown.
    package let differences: [PlanDifference]?
    /// Runs of other plans since its start.
    package let runs: [RunRecord]
}

extension Plan {
    /// Whether a plan that was applied once still has an open part: paused or held occurrences, or
    /// failed leaves.
    ///
    /// Joins are not continued under it, because the remaining joins may not be among the reviewed
    /// ones.
    fileprivate func hasOpenPart(of reviewed: ReviewedPlan) -> Bool {
        if self.reviewed.hasJoins { return false }
        let goesOn = campaigns.contains { action in
            guard reviewed.campaigns[action.campaign] != nil else { return false }
            return switch action.step {
            case .resume, .lapse: true
            case .send, .handOver, .paused, .held, .rename, .schedule, .reschedule, .expire, .skip,
                .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped,
                .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
                false
            }
        }
        return goesOn || !self.reviewed.isEmpty && hasChanges
    }
}
