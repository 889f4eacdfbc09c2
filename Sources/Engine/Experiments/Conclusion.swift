import State
package import Statistics
package import Time

/// The comparison of one arm with the control.
package struct ArmFinding: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        case better
        case worse
        /// No difference that matters by the plan.
        case equal
        case undecided
        case tooEarly
    }

    /// The arm's number in the result.
    package let arm: Int
    package let standing: Standing
    /// The look that found it first; nil if nothing is found.
    package let since: Instant?
    /// Whether an earlier look found it, and the numbers of this look alone would not.
    ///
    /// The guarantee is about all looks together, so the finding stays.
    package let isEarlier: Bool
    package let interval: Interval?
}

/// What an experiment shows about all arms together.
package enum Conclusion: Hashable, Sendable {
    case noOutcome
    /// Fewer than two arms can have the outcome.
    case notComparable
    /// The sizes of the arms contradict the weights.
    case ratioMismatch(pValue: Double)
    /// The only arm that is better than the control, or the best one of several.
    ///
    /// `beats`: the numbers of the other arms that it is better than, the control excluded.
    case winner(ArmFinding, beats: [Int])
    /// Several arms are better than the control, and none of them is known to be the best.
    case severalWinners([ArmFinding])
    /// All other arms are worse than the control.
    case control([ArmFinding])
    /// No arm differs from the control by as much as matters.
    case noDifference([ArmFinding])
    case tooEarly([ArmFinding])
    case undecided([ArmFinding])
}

extension ExperimentResult {
    /// The arms apart from the control, in the order of the comparisons.
    package var findings: [ArmFinding] {
        guard let comparison else { return [] }
        return zip(comparison.arms.dropFirst(), comparison.evaluation.comparisons).map {
            finding(on: $1, arm: $0)
        }
    }

    package var conclusion: Conclusion {
        guard outcome != nil else { return .noOutcome }
        guard let comparison else { return .notComparable }
        let ratio = comparison.evaluation.ratio
        guard !ratio.isMismatch else { return .ratioMismatch(pValue: ratio.pValue) }
        let findings = findings
        let winners = findings.filter { $0.standing == .better }
        if !winners.isEmpty { return conclusion(winners: winners, among: findings) }
        let standings = Set(findings.map(\.standing))
        if standings == [.worse] { return .control(findings) }
        if standings == [.equal] { return .noDifference(findings) }
        if standings == [.tooEarly] { return .tooEarly(findings) }
        return .undecided(findings)
    }

    private func conclusion(winners: [ArmFinding], among findings: [ArmFinding]) -> Conclusion {
        let best = winners.first { winner in
            winners.allSatisfy { $0.arm == winner.arm || isBetter(winner, than: $0) }
        }
        guard let best else { return .severalWinners(winners) }
        return .winner(
            best,
            beats: findings.filter { $0.arm != best.arm && isBetter(best, than: $0) }.map(\.arm)
        )
    }

    /// Whether two arms are known to differ, because all intervals hold together.
    private func isBetter(_ one: ArmFinding, than other: ArmFinding) -> Bool {
        guard let own = one.interval, let others = other.interval else { return false }
        return plan.wantsLess ? own.upper < others.lower : own.lower > others.upper
    }

    private func finding(on one: Evaluation.Comparison, arm: Int) -> ArmFinding {
        let kind = arms[arm].kind
        func finding(
            _ standing: ArmFinding.Standing,
            since: Instant? = nil,
            isEarlier: Bool = false
        )
            -> ArmFinding
        {
            ArmFinding(
                arm: arm,
                standing: standing,
                since: since,
                isEarlier: isEarlier,
                interval: one.interval
            )
        }
        switch one.verdict {
        case .better: return finding(.better, since: declared(kind, isBetter: true) ?? time)
        case .worse: return finding(.worse, since: declared(kind, isBetter: false) ?? time)
        case .ratioMismatch: return finding(.undecided)
        case .noDifferenceLargerThan, .undecided, .tooEarly: break
        }
        for isBetter in [true, false] {
            if let since = declared(kind, isBetter: isBetter) {
                return finding(isBetter ? .better : .worse, since: since, isEarlier: true)
            }
        }
        switch one.verdict {
        case .noDifferenceLargerThan: return finding(.equal, since: foundEqual(kind) ?? time)
        case .tooEarly: return finding(.tooEarly)
        default: return finding(.undecided)
        }
    }

    /// When an interval first contained only differences that do not matter.
    private func foundEqual(_ arm: ExperimentRecord.Kind) -> Instant? {
        looks.first { look in
            look.comparisons.contains {
                $0.arm == arm.column && $0.isBetter == nil
                    && $0.interval.map { $0.largestDifference < plan.smallestDifference } ?? false
            }
        }?.time
    }
}
