/// What an experiment shows about an arm so far.
package enum Verdict: Hashable, Sendable {
    /// The sizes of the arms contradict the weights (`RatioCheck`), so nothing else can be believed.
    case ratioMismatch(pValue: Double)
    /// The normal approximation does not hold yet (`Difference.minimumEffectiveSize`).
    case tooEarly(needed: Shortfall)
    /// The arm is better than the control, by a difference in the interval.
    case better(by: Interval)
    /// The arm is worse than the control, by a difference in the interval.
    case worse(by: Interval)
    /// The difference is at most this, in the outcome's unit, and a smaller one does not matter.
    case noDifferenceLargerThan(Double)
    /// With about this many subjects in both arms, those so far included, there is a verdict if the
    /// estimate stays the same; nil if there is none with 1,000,000 times as many subjects.
    case undecided(needsAbout: Int?)

    /// What is missing before an interval can be shown.
    package struct Shortfall: Hashable, Sendable {
        /// The number of subjects that counts for the normal approximation; for a rare event about
        /// the number of successes in both arms.
        package let effectiveSize: Double
        /// The smallest sufficient effective size.
        package let minimum: Double
        /// About how many subjects both arms need at the present rate; nil if there is no event yet.
        package let subjects: Int?
    }
}

extension Difference {
    /// Whether intervals hold.
    var isNormal: Bool { effectiveSize >= Self.minimumEffectiveSize }

    /// What is missing until they hold.
    ///
    /// `hasEvents`: whether an outcome differs from the others, so that a rate can be projected.
    func shortfall(hasEvents: Bool) -> Verdict.Shortfall {
        let factor = Self.minimumEffectiveSize / effectiveSize
        return Verdict.Shortfall(
            effectiveSize: effectiveSize,
            minimum: Self.minimumEffectiveSize,
            subjects: hasEvents && factor < Self.longestProjection
                ? Int((factor * Double(subjects)).rounded(.up)) : nil
        )
    }

    /// Returns about how many subjects both arms need until the interval excludes 0 or contains only
    /// differences below `smallestDifference`.
    func subjectsUntilVerdict(
        _ mixture: NormalMixture,
        alpha: Double,
        smallestDifference: Double
    ) -> Int? {
        let size = abs(estimate)
        func decides(_ factor: Double) -> Bool {
            let bound = mixture.bound(at: factor * sum.variance, alpha: alpha)
            let halfWidth = bound / (factor * harmonicSize)
            return size > halfWidth || size + halfWidth < smallestDifference
        }
        guard decides(Self.longestProjection) else { return nil }
        let factor = bisect(1, Self.longestProjection, decides)
        return Int((factor * Double(subjects)).rounded(.up))
    }

    /// The largest factor by which a number of subjects is projected.
    private static let longestProjection = 1e6
}
