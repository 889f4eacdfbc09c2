package import CampaignModel
package import State
package import SystemIO

/// What a look is about, as the user describes it.
package struct ResultRequest: Hashable, Sendable {
    package let campaign: CampaignID
    /// Nil for `conversion`, or the only outcome.
    package let outcome: String?
    package let expectation: ResultExpectation
    /// Whether the look is recorded.
    package let isRecorded: Bool

    package init(
        campaign: CampaignID,
        outcome: String? = nil,
        expectation: ResultExpectation = ResultExpectation(),
        isRecorded: Bool = true
    ) {
        self.campaign = campaign
        self.outcome = outcome
        self.expectation = expectation
        self.isRecorded = isRecorded
    }
}

/// What is expected before the first look; nil for what the user does not specify.
package struct ResultExpectation: Hashable, Sendable {
    package let measure: ResultPlan.Measure?
    package let smallestDifference: Double?
    package let wantsLess: Bool?

    package init(
        measure: ResultPlan.Measure? = nil,
        smallestDifference: Double? = nil,
        wantsLess: Bool? = nil
    ) {
        self.measure = measure
        self.smallestDifference = smallestDifference
        self.wantsLess = wantsLess
    }

    /// The share that is expected if nothing is specified.
    package static let usualRate = 0.05

    package var isEmpty: Bool { measure == nil && smallestDifference == nil && wantsLess == nil }

    /// The plan of a first look.
    package func plan(audience: Int) -> ResultPlan {
        let measure = measure ?? .share(rate: Self.usualRate)
        let usual =
            switch measure {
            case .share(let rate): rate / 10
            case .mean(let deviation): deviation / 20
            }
        return ResultPlan(
            measure: measure,
            smallestDifference: smallestDifference ?? usual,
            wantsLess: wantsLess ?? false,
            audience: max(1, audience)
        )
    }

    /// Whether a plan that is fixed has another value than specified.
    package func contradicts(_ plan: ResultPlan) -> Bool {
        measure.map { $0 != plan.measure } ?? false
            || smallestDifference.map { $0 != plan.smallestDifference } ?? false
            || wantsLess.map { $0 != plan.wantsLess } ?? false
    }
}

/// Why there is no result.
package enum ExperimentError: Error, Hashable, Sendable {
    case state(StateStoreError)
    /// The subjects could not be sorted.
    case temporaryFile(SystemError)
    /// The campaign has sent nothing to arms of an experiment.
    case noExperiment(CampaignID)
    /// No outcome has this name.
    case noOutcome(String, among: [String])
    /// The first look fixed another plan.
    case fixedPlan(ResultPlan)
}
