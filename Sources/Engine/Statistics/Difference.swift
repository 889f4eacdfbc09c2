/// The difference between an arm and the control: share minus share, or mean minus mean.
package struct Difference: Hashable, Sendable {
    /// The arm's estimate minus that of the control; above 0 if the arm has more.
    package let estimate: Double
    /// The squared standard error, regularized (`Arm.regularizedVariance`).
    package let variance: Double
    /// n₀n₁ / (n₀ + n₁), the factor that makes the estimate a sum with independent increments.
    package let harmonicSize: Double
    /// The number of subjects that counts for the normal approximation; see `minimumEffectiveSize`.
    package let effectiveSize: Double
    /// The number of subjects of both arms.
    package let subjects: Int
    private let welch: Welch

    /// The smallest effective size at which an interval is shown.
    ///
    /// The skewness of a difference distorts the tails of its distribution. An arm has n / (1 +
    /// skewness²) effective subjects, which for a rare event are its successes. Both arms are combined
    /// as Satterthwaite combines degrees of freedom, so the arm that contributes more variance
    /// counts more. `make statistics` shows for rates from 0.1 % to 50 %, arms of 200 subjects,
    /// allocations of 1 : 99 and skewed amounts that the intervals hold with this limit, and that they
    /// do not hold without it.
    package static let minimumEffectiveSize = 50.0

    /// Nil if an arm has fewer than two subjects.
    ///
    /// `plannedVariance`: of one subject's outcome; positive.
    package init?(of arm: Arm, control: Arm, plannedVariance: Double, adjustment: CUPED? = nil) {
        guard arm.subjects > 1, control.subjects > 1 else { return nil }
        let parts = [control, arm].map {
            Part($0, plannedVariance: plannedVariance, adjustment: adjustment)
        }
        let shift = adjustment.map { $0.shift(of: arm) - $0.shift(of: control) } ?? 0
        let sizes = (Double(control.subjects), Double(arm.subjects))
        estimate = arm.estimate - control.estimate - shift
        variance = parts[0].variance + parts[1].variance
        harmonicSize = sizes.0 * sizes.1 / (sizes.0 + sizes.1)
        subjects = control.subjects + arm.subjects
        effectiveSize = combined(parts.map { ($0.variance, $0.effectiveSize) })
        welch = Welch(parts)
    }

    /// The sum whose boundary `NormalMixture` is, and its variance.
    ///
    /// The sum is `harmonicSize` times the estimate. Its variance grows with the subjects, and also
    /// with the events of the same subjects, so an experiment may get both day by day.
    package var sum: (value: Double, variance: Double) {
        (harmonicSize * estimate, harmonicSize * harmonicSize * variance)
    }

    /// The interval that contains the true difference at all looks with probability 1 − `alpha`.
    package func interval(_ mixture: NormalMixture, alpha: Double) -> Interval {
        let bound = mixture.bound(at: sum.variance, alpha: alpha)
        return Interval(around: estimate, halfWidth: bound / harmonicSize)
    }

    /// The smallest alpha whose `interval` excludes 0.
    package func pValue(_ mixture: NormalMixture) -> Double {
        mixture.pValue(sum: sum.value, variance: sum.variance)
    }

    /// The interval for one look that was planned in advance: Wald's for proportions, Welch's for
    /// means and after an adjustment.
    ///
    /// Repeated looks make it wrong; it is only for comparison.
    package func fixedHorizonInterval(alpha: Double) -> Interval {
        Interval(around: estimate, halfWidth: welch.halfWidth(alpha: alpha))
    }

    /// The contribution of one arm.
    private struct Part {
        let variance: Double
        let effectiveSize: Double
        let fixedVariance: Double
        /// Degrees of freedom of the variance; nil if it follows from the estimate.
        let freedom: Double?

        init(_ arm: Arm, plannedVariance: Double, adjustment: CUPED?) {
            let n = Double(arm.subjects)
            let raw = arm.regularizedVariance(planned: plannedVariance)
            let explained = adjustment?.explainedSquares(of: arm) ?? 0
            variance = max(raw - explained / n, raw / n) / n
            effectiveSize = arm.effectiveSize
            let squares = max(0, arm.squares - explained)
            if case .proportion = arm.outcome, adjustment == nil {
                fixedVariance = squares / n / n
                freedom = nil
            } else {
                fixedVariance = squares / (n - 1) / n
                freedom = n - 1
            }
        }
    }

    private struct Welch: Hashable {
        let standardError: Double
        /// Nil for the normal distribution.
        let freedom: Double?

        init(_ parts: [Part]) {
            let variance = parts.reduce(0) { $0 + $1.fixedVariance }
            let sizes = parts.compactMap { part in
                part.freedom.map { (part.fixedVariance, $0) }
            }
            standardError = variance.squareRoot()
            freedom = sizes.count == parts.count && variance > 0 ? combined(sizes) : nil
        }

        func halfWidth(alpha: Double) -> Double {
            let quantile =
                freedom.map { StudentDistribution.twoSidedQuantile(alpha, freedom: $0) }
                ?? -NormalDistribution.quantile(alpha / 2)
            return quantile * standardError
        }
    }
}

/// Combines the sizes of independent variances (Satterthwaite 1946).
func combined(_ parts: [(variance: Double, size: Double)]) -> Double {
    let total = parts.reduce(0) { $0 + $1.variance }
    return total * total / parts.reduce(0) { $0 + $1.variance * $1.variance / $1.size }
}
