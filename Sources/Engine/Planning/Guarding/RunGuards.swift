import CampaignModel
package import State

extension GuardReview {
    /// Checks for test audiences in a protected environment.
    ///
    /// A message for testers is a mistake there. A condition that combines a test topic with other
    /// topics also sends it to real users, and so does a set that contains a test audience.
    func testOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard basis.isProtected, !limits.allowsTest else { return [] }
        let audiences = Set(project.audiences.filter(\.isTest).map(\.id))
        return campaigns.compactMap { guarded in
            guard guarded.sends else { return nil }
            let campaign = guarded.campaign
            let names = campaign.addressedAudiences.filter(audiences.contains).map(\.rawValue)
            let topics = campaign.target.topics.filter { project.topics[$0]?.isTest ?? false }
            let found = names + topics.map(\.name)
            guard !found.isEmpty else { return nil }
            return outcome(
                of: .testAudience,
                subject: guarded.subject,
                refusal: .testAudience(found)
            )
        }
    }

    /// Checks the run as a whole.
    func runOutcomes() -> [GuardOutcome] {
        var outcomes: [GuardOutcome] = []
        func add(_ guard: Guard, _ refusal: GuardRefusal?) {
            if let refusal { outcomes.append(outcome(of: `guard`, subject: nil, refusal: refusal)) }
        }
        // A service sends what is handed over, and has the same limit.
        let sends =
            (actions.sends + actions.handedOver).reduce(0) { $0 + $1.remaining }
            + actions.campaigns.reduce(0) { $0 + ($1.step.correction?.count ?? 0) }
        if let verdict = basis.verdict(onSends: sends) {
            outcomes.append(GuardOutcome(.maxSendsPerRun, subject: nil, verdict: verdict))
        }
        add(.projectID, projectRefusal)
        if actions.hasChanges {
            add(.endpoint, basis.foreignServer.map(GuardRefusal.foreignServer))
        }
        if basis.isProtected, basis.hasFixedClock { add(.clock, .fixedClock) }
        let hasChanges = actions.hasChanges || approvals(reviewing: []).changesRules
        guard let application = basis.application, hasChanges else { return outcomes }
        if limits.requiresReviewedPlan, !application.isReviewed { add(.reviewedPlan, .notReviewed) }
        if basis.isProtected, !application.isConfirmable { add(.protected, .nobodyConfirms) }
        return outcomes
    }

    private var projectRefusal: GuardRefusal? {
        applied.guards.refusal(of: basis.projectID)
    }
}

extension AppliedGuards {
    /// Returns why a run for this project ID is refused; nil if it is the state's own or unknown.
    package func refusal(of projectID: String?) -> GuardRefusal? {
        guard let recorded = self.projectID, let projectID, recorded != projectID else {
            return nil
        }
        return .otherProject(recorded: recorded, found: projectID)
    }
}
