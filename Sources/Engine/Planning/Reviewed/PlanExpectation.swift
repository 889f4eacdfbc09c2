import CampaignModel
package import State

/// The plan that somebody reviewed, beside which a plan of now is held.
package struct PlanExpectation: Sendable {
    package let digest: PlanDigest
    /// Its content, from its file or as the state kept it; nil where neither is there.
    package let reviewed: ReviewedPlan?
    /// The serial from which on its runs count.
    private let serial: StateSerial

    /// - Parameters:
    ///   - digest: As it was given.
    ///   - reviewed: The content of a file, where one was given.
    ///   - kept: What the state kept of it.
    package init(_ digest: PlanDigest, reviewed: ReviewedPlan? = nil, kept: KeptPlan?) {
        self.digest = digest
        self.reviewed = reviewed ?? kept.flatMap { ReviewedPlan(content: $0.content) }
        serial = digest.serial ?? kept?.serial ?? StateSerial(number: 0)
    }

    /// How many of the newest runs have to be looked at.
    package func runCount(at now: StateSerial) -> Int {
        Int(clamping: now.number - serial.number)
    }

    /// What is to be done about a plan of now.
    ///
    /// A part that somebody chose is never what is left of another plan: the rest would be left out
    /// for good.
    ///
    /// `runs`: those since the expected plan at least, the newest first. `changesNothing`: whether a
    /// digest is that of a plan without definitions and memberships.
    package func verdict<Failure>(
        on plan: Plan,
        after runs: [RunRecord],
        changesNothing: (String) throws(Failure) -> Bool
    ) throws(Failure) -> PlanVerdict {
        guard plan.reviewed.hash != digest.hash else { return .same }
        let later = runs.filter { $0.serial.map { $0 > serial } ?? false }
        let own = later.filter { $0.worker.digest == digest.hash }
        guard let newest = own.first, let first = own.last?.serial else { return stale(plan) }
        var others: [RunRecord] = []
        for run in later where run.serial.map({ $0 > first }) ?? false {
            guard let other = run.worker.digest, other != digest.hash else { continue }
            if !(try changesNothing(other)) { others.append(run) }
        }
        let isComplete = newest.status == .complete
        if plan.isWhole, others.isEmpty, let reviewed,
            plan.reviewed.isRest(of: reviewed, wanted: plan.wantedMemberships)
        {
            let isOpen = isComplete ? plan.hasOpenPart(of: reviewed) : plan.hasChanges
            return isOpen ? .goesOn : .alreadyApplied(newest)
        }
        return isComplete ? .alreadyApplied(newest) : stale(plan, others)
    }

    private func stale(_ plan: Plan, _ others: [RunRecord] = []) -> PlanVerdict {
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
    /// It is the plan that was reviewed.
    case same
    /// It is what is left of it.
    case goesOn
    /// It was carried out; the newest run that did it, or a part of it.
    case alreadyApplied(RunRecord)
    case stale(StalePlan)
}

/// Why a plan is not the one that was reviewed.
package struct StalePlan: Hashable, Sendable {
    package let digest: PlanDigest
    /// Of the plan as it is now.
    package let now: PlanDigest
    /// Nil where nobody knows what was reviewed.
    package let differences: [PlanDifference]?
    /// Runs of other plans since it was begun.
    package let runs: [RunRecord]
}

extension Plan {
    /// Whether something of a plan that was carried out once is open still: what was paused or
    /// held, and who could not leave.
    ///
    /// Nobody is joined again under it: who is left to join is not known to be among the reviewed.
    fileprivate func hasOpenPart(of reviewed: ReviewedPlan) -> Bool {
        if self.reviewed.hasJoins { return false }
        let goesOn = campaigns.contains { action in
            guard reviewed.campaigns[action.campaign] != nil else { return false }
            return switch action.step {
            case .resume, .lapse: true
            default: false
            }
        }
        return goesOn || !self.reviewed.isEmpty && hasChanges
    }
}
