/// An adjustment of the outcome by a value from before the experiment: y − θ(x − mean of x).
///
/// Deng, Xu, Kohavi and Walker, Improving the sensitivity of online controlled experiments by
/// utilizing pre-experiment data, 2013. θ is the same in all arms; it is the slope within the
/// arms, so it does not depend on a difference between them.
package struct CUPED: Hashable, Sendable {
    /// The slope of the outcome on the covariate.
    package let theta: Double

    /// Nil if an arm has no covariate, or if the covariate is the same for all subjects of each arm.
    package init?(arms: [Arm]) {
        var squares = 0.0
        var products = 0.0
        for arm in arms where arm.subjects > 0 {
            guard let covariate = arm.covariate else { return nil }
            squares += covariate.squares
            products += covariate.products
        }
        guard squares > 0 else { return nil }
        theta = products / squares
    }

    /// What must be subtracted from the mean outcome of an arm, apart from a constant of all arms.
    func shift(of arm: Arm) -> Double { theta * (arm.covariate?.mean ?? 0) }

    /// The part of the sum of (outcome − mean)² that the covariate explains; negative if the slope
    /// of this arm is another one.
    func explainedSquares(of arm: Arm) -> Double {
        guard let covariate = arm.covariate else { return 0 }
        return theta * (2 * covariate.products - theta * covariate.squares)
    }
}
