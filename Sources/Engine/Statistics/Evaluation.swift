/// The results of an experiment at one look.
///
/// Verdicts and intervals of several arms:
///
/// - An arm is declared better or worse if Holm's adjusted p value is at most alpha. The probability
///   that this ever happens to any arm without a difference is at most alpha.
/// - The interval of each arm has the level alpha / number of arms, so with probability 1 − alpha all
///   intervals contain their true differences at all looks.
/// - A declared arm never has an interval with both signs: Holm rejects whatever the intervals
///   reject, and if it rejects more, the interval is cut at 0 on the side of the other sign.
/// - Other arms always have an interval with 0, because Holm's levels are never stricter than that of
///   the intervals.
///
/// A p value is that of this look. The smallest one of all looks holds, too, so the caller may keep
/// declarations.
package struct Evaluation: Hashable, Sendable {
    package let ratio: RatioCheck
    /// The arms apart from the control, in their order.
    package let comparisons: [Comparison]
    /// The adjustment by a covariate; nil if not all arms have one.
    package let adjustment: CUPED?

    /// One arm versus the control.
    package struct Comparison: Hashable, Sendable {
        /// Nil if an arm has fewer than two subjects.
        package let difference: Difference?
        /// The p value of no difference that holds at every look; 1 while it is too early.
        package let pValue: Double
        /// The p value after Holm's adjustment for several arms.
        package let adjustedPValue: Double
        /// The interval that holds at every look; nil while it is too early.
        package let interval: Interval?
        package let verdict: Verdict
    }

    /// `arms`: one for each weight of the design, the control first.
    package init(_ arms: [Arm], design: Design) {
        precondition(arms.count == design.split.weights.count)
        let check = RatioCheck(counts: arms.map(\.subjects), weights: design.split.weights)
        let cuped = CUPED(arms: arms)
        let candidates = arms.indices.dropFirst().map {
            Candidate(arms, index: $0, design: design, adjustment: cuped)
        }
        let adjusted = Holm.adjusted(candidates.map(\.pValue))
        ratio = check
        adjustment = cuped
        comparisons = zip(candidates, adjusted).map { candidate, pValue in
            candidate.comparison(adjustedPValue: pValue, ratio: check)
        }
    }

    /// An arm before the other arms are considered.
    private struct Candidate {
        let design: Design
        let difference: Difference?
        /// Nil while it is too early.
        let mixture: NormalMixture?
        let hasEvents: Bool

        init(_ arms: [Arm], index: Int, design: Design, adjustment: CUPED?) {
            self.design = design
            difference = Difference(
                of: arms[index],
                control: arms[0],
                plannedVariance: design.variance,
                adjustment: adjustment
            )
            mixture = difference?.isNormal == true ? design.mixture(ofArm: index) : nil
            hasEvents = arms[index].squares + arms[0].squares > 0
        }

        var pValue: Double {
            guard let difference, let mixture else { return 1 }
            return difference.pValue(mixture)
        }

        func comparison(adjustedPValue: Double, ratio: RatioCheck) -> Comparison {
            let interval = interval(isDeclared: adjustedPValue <= design.alpha)
            return Comparison(
                difference: difference,
                pValue: pValue,
                adjustedPValue: adjustedPValue,
                interval: interval,
                verdict: ratio.isMismatch
                    ? .ratioMismatch(pValue: ratio.pValue)
                    : verdict(interval, isDeclared: adjustedPValue <= design.alpha)
            )
        }

        private func interval(isDeclared: Bool) -> Interval? {
            guard let difference, let mixture else { return nil }
            let interval = difference.interval(mixture, alpha: design.intervalAlpha)
            return isDeclared ? interval.clipped(toSideOf: difference.estimate) : interval
        }

        private func verdict(_ interval: Interval?, isDeclared: Bool) -> Verdict {
            guard let difference, let mixture, let interval else { return tooEarly }
            if isDeclared {
                let isMore = difference.estimate > 0
                return isMore == (design.question.goal == .more)
                    ? .better(by: interval) : .worse(by: interval)
            }
            let smallest = design.question.smallestDifference
            if interval.largestDifference < smallest {
                return .noDifferenceLargerThan(interval.largestDifference)
            }
            let needed = difference.subjectsUntilVerdict(
                mixture,
                alpha: design.intervalAlpha,
                smallestDifference: smallest
            )
            return .undecided(needsAbout: needed)
        }

        private var tooEarly: Verdict {
            let none = Verdict.Shortfall(
                effectiveSize: 0,
                minimum: Difference.minimumEffectiveSize,
                subjects: nil
            )
            return .tooEarly(needed: difference?.shortfall(hasEvents: hasEvents) ?? none)
        }
    }
}
