package import CampaignModel
package import State
package import Statistics
package import Time

/// What a campaign's experiment shows at one look.
package struct ExperimentResult: Sendable {
    package let name: ResultName
    /// The time of the look.
    package let time: Instant
    /// The occurrences, in the order of their beginnings.
    package let occurrences: [OccurrenceID]
    package let begins: Instant
    package let isByPerson: Bool
    /// All arms of the comparison, in the order of the file.
    package let arms: [ArmResult]
    /// Number of subjects that were found in two arms; they belong to none.
    package let conflicts: Int
    /// Number of rows whose subject was erased.
    package let erased: Int
    /// The stored outcomes of all names.
    package let outcomes: [OutcomeSummary]
    package let plan: ResultPlan
    /// Whether this look fixed the plan from default values.
    package internal(set) var isPlannedByDefault = false
    /// Whether the look was not recorded, because the user may not write to the state.
    package internal(set) var isUnrecorded = false
    /// What Google's delivery data says; empty if none is stored.
    package internal(set) var android: [AndroidArm] = []
    /// Nil if nothing can be compared.
    package let comparison: ExperimentComparison?
    package let looks: [PastLook]
    /// Number of earlier occurrences with other arms, which are not part of this result.
    package let otherOccurrences: Int

    /// The summary of the outcome that is looked at; nil if none is stored.
    package var outcome: OutcomeSummary? { outcomes.first { $0.name == name.outcome } }
}

/// The counts of one arm.
package struct ArmResult: Sendable {
    package let kind: ExperimentRecord.Kind
    /// The arm's part of all subjects, by the weights.
    package let share: Double
    /// The denominator: all subjects of the arm, whether or not FCM accepted their messages.
    ///
    /// Only so are the arms comparable.
    package let subjects: Int
    /// The outcomes of the requests in the ledger; nil if they were dropped.
    package let requests: ArmRequests?
    /// Number of subjects with the outcome.
    package let successes: Int
    /// The sum of all values.
    package let sum: Double
    package let moments: Moments
    /// The values from before the experiment; nil if a subject has none.
    package let covariate: Covariate?
    package let isControl: Bool
}

/// The requests of one arm.
package struct ArmRequests: Hashable, Sendable {
    package fileprivate(set) var tally = OutcomeTally()
    /// The part of the suppressed ones that is held out.
    package fileprivate(set) var heldOut = 0

    package mutating func add(_ outcome: Outcome, isHeldOut: Bool) {
        tally[outcome] += 1
        if outcome == .suppressed, isHeldOut { heldOut += 1 }
    }
}

/// The comparison of the arms with the control.
package struct ExperimentComparison: Sendable {
    package let evaluation: Evaluation
    /// The numbers of the compared arms in the result, the control first.
    package let arms: [Int]
    /// Why the hold-out is not the control although there is one; true for deliveries, which it
    /// cannot have.
    package let omitsHoldOut: Bool
    /// By what share the interval of each comparison is narrower than without the numbers from before
    /// the experiment; nil without such numbers, or while it is too early.
    package let narrowings: [Double?]
}

/// An earlier look, from the state.
package struct PastLook: Hashable, Sendable {
    package struct Comparison: Hashable, Sendable {
        package let arm: String
        package let estimate: Double
        /// Nil while it was too early.
        package let interval: Interval?
        /// Whether the arm was declared better (true) or worse (false); nil for neither.
        package let isBetter: Bool?
    }

    package let time: Instant
    package let comparisons: [Comparison]
}

extension ExperimentResult {
    /// When an arm was first declared as now; nil if that is this look.
    package func declared(_ arm: ExperimentRecord.Kind, isBetter: Bool) -> Instant? {
        looks.first { look in
            look.comparisons.contains { $0.arm == arm.column && $0.isBetter == isBetter }
        }?.time
    }
}
