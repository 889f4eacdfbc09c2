import CampaignModel
package import State

extension GuardReview {
    /// Where real people are, a message meant for testers is a mistake, and a condition that names a
    /// testers' topic beside others brings it to them.
    func testOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard basis.isProtected, !limits.allowsTest else { return [] }
        let audiences = Set(project.audiences.filter(\.isTest).map(\.id))
        return campaigns.compactMap { guarded in
            guard guarded.sends else { return nil }
            let campaign = guarded.campaign
            let names = campaign.audience.map { audiences.contains($0) ? [$0.rawValue] : [] } ?? []
            let topics = campaign.target.topics.filter { project.topics[$0]?.isTest ?? false }
            let found = names + topics.map(\.name)
            guard !found.isEmpty else { return nil }
            return outcome(.testAudience, guarded.subject, .testAudience(found))
        }
    }

    /// What is about the run as a whole.
    func runOutcomes() -> [GuardOutcome] {
        var outcomes: [GuardOutcome] = []
        func add(_ guard: Guard, _ refusal: GuardRefusal?) {
            if let refusal { outcomes.append(outcome(`guard`, nil, refusal)) }
        }
        add(.maxSendsPerRun, sendRefusal)
        add(.projectID, projectRefusal)
        if plan.hasChanges { add(.endpoint, basis.foreignServer.map(GuardRefusal.foreignServer)) }
        if basis.isProtected, basis.hasFixedClock { add(.clock, .fixedClock) }
        guard let application = basis.application, plan.hasChanges else { return outcomes }
        if limits.requiresReviewedPlan, !application.isReviewed { add(.reviewedPlan, .notReviewed) }
        if basis.isProtected, !application.isConfirmable { add(.protected, .nobodyConfirms) }
        return outcomes
    }

    private var sendRefusal: GuardRefusal? {
        guard let maximum = limits.maximumSends else { return nil }
        let count = plan.sends.reduce(0) { $0 + $1.remaining }
        return count > maximum ? .tooManySends(count, maximum: maximum) : nil
    }

    private var projectRefusal: GuardRefusal? {
        applied.guards.refusal(of: basis.projectID)
    }
}

extension AppliedGuards {
    /// Why nothing may be asked for a project with this id; nil where it is the state's own, or
    /// nobody knows.
    package func refusal(of projectID: String?) -> GuardRefusal? {
        guard let recorded = self.projectID, let projectID, recorded != projectID else {
            return nil
        }
        return .otherProject(recorded: recorded, found: projectID)
    }
}
