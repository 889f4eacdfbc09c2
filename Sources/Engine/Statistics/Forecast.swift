/// What an experiment can detect, calculated before it starts.
package struct Forecast: Sendable {
    package let baseline: Baseline
    package let sizes: Sizes
    package let level: Level
    private let crossing: BoundaryCrossing
    /// The true difference, in standard errors at the end, that is declared with the wanted power.
    package let drift: Double

    /// What is expected of one subject of the control.
    package enum Baseline: Hashable, Sendable {
        /// The share of successes, above 0 and below 1.
        case rate(Double)
        /// The standard deviation of an amount; positive.
        case standardDeviation(Double)
    }

    /// The planned subjects; at least 2 in each arm.
    package struct Sizes: Hashable, Sendable {
        package let control: Int
        package let treatment: Int
        /// The number of days in which they arrive evenly, with one look a day; at least 1.
        package let days: Int

        package init(control: Int, treatment: Int, days: Int) {
            precondition(control > 1 && treatment > 1 && days > 0)
            self.control = control
            self.treatment = treatment
            self.days = days
        }

        /// `perDay`: subjects of both arms that arrive on a day; at least 1.
        package init(control: Int, treatment: Int, perDay: Int) {
            let total = control + treatment
            self.init(
                control: control,
                treatment: treatment,
                days: max(1, (total + perDay - 1) / perDay)
            )
        }
    }

    /// How sure the answer must be.
    package struct Level: Hashable, Sendable {
        package let alpha: Double
        /// The probability of finding a difference that exists.
        package let power: Double
        /// The number of arms apart from the control, between which alpha is divided.
        package let comparisons: Int

        package init(alpha: Double = 0.05, power: Double = 0.8, comparisons: Int = 1) {
            precondition(alpha > 0 && alpha < power && power < 1 && comparisons > 0)
            self.alpha = alpha
            self.power = power
            self.comparisons = comparisons
        }

        fileprivate var each: Double { alpha / Double(comparisons) }
    }

    package init(_ baseline: Baseline, sizes: Sizes, level: Level = Level()) {
        self.baseline = baseline
        self.sizes = sizes
        self.level = level
        crossing = BoundaryCrossing(looks: min(sizes.days, Self.mostLooks), alpha: level.each)
        drift = crossing.drift(power: level.power)
    }

    /// More looks change the power by less than 0.01.
    private static let mostLooks = 60

    /// How many times as many subjects are needed as for a test that is looked at once.
    ///
    /// At the power 0.8 and alpha 0.05: 1.91 for one look, 1.82 for 5, 1.72 for 30 and 1.69 for 60.
    package var ratioToFixedHorizon: Double {
        let fixed =
            NormalDistribution.quantile(level.power)
            - NormalDistribution.quantile(level.each / 2)
        return drift * drift / (fixed * fixed)
    }

    /// The smallest increase that is declared with the wanted power by the last day, in the outcome's
    /// unit; nil if not even the largest possible increase of a rate is.
    package var detectableDifference: Double? {
        switch baseline {
        case .standardDeviation: return drift * standardError(of: 0)
        case .rate(let rate):
            func isDetected(_ difference: Double) -> Bool {
                difference >= drift * standardError(of: difference)
                    && effectiveSize(of: difference) >= Difference.minimumEffectiveSize
            }
            let largest = 1 - rate
            return isDetected(largest) ? bisect(0, largest, isDetected) : nil
        }
    }

    /// The first day by which a difference is declared with the wanted power; nil if never.
    ///
    /// `difference`: an increase if positive; for a rate, the sum with the rate must be from 0 to 1.
    package func days(toDetect difference: Double) -> Int? {
        let drift = abs(difference) / standardError(of: difference)
        let effectiveSize = effectiveSize(of: difference)
        let look = (1...crossing.looks).first { look in
            let share = Double(look) / Double(crossing.looks)
            return effectiveSize * share >= Difference.minimumEffectiveSize
                && crossing.probability(by: look, drift: drift) >= level.power
        }
        return look.map { ($0 * sizes.days + crossing.looks - 1) / crossing.looks }
    }

    /// The standard error on the last day if there is this difference.
    private func standardError(of difference: Double) -> Double {
        let variances = variances(of: difference)
        return (variances.control + variances.treatment).squareRoot()
    }

    private func variances(of difference: Double) -> (control: Double, treatment: Double) {
        let (control, treatment) = (Double(sizes.control), Double(sizes.treatment))
        switch baseline {
        case .standardDeviation(let deviation):
            return (deviation * deviation / control, deviation * deviation / treatment)
        case .rate(let rate):
            let other = rate + difference
            return (rate * (1 - rate) / control, other * (1 - other) / treatment)
        }
    }

    /// The expected effective size on the last day; infinite for amounts, whose skewness is unknown.
    private func effectiveSize(of difference: Double) -> Double {
        guard case .rate(let rate) = baseline else { return .infinity }
        let variances = variances(of: difference)
        let arms = [
            expectedArm(rate: rate, subjects: sizes.control),
            expectedArm(rate: rate + difference, subjects: sizes.treatment),
        ]
        return combined([
            (variances.control, arms[0].effectiveSize),
            (variances.treatment, arms[1].effectiveSize),
        ])
    }

    private func expectedArm(rate: Double, subjects: Int) -> Arm {
        let successes = min(subjects, max(0, Int((rate * Double(subjects)).rounded())))
        return Arm(.proportion(successes: successes, subjects: subjects))
    }
}
