import Glibc

/// The standard normal distribution.
package enum NormalDistribution {
    /// Returns P(Z ≤ `z`).
    package static func cumulative(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

    /// Returns the z with P(Z ≤ z) = `probability`; `probability`: from 0 to 1.
    ///
    /// Wichura, Algorithm AS 241: The percentage points of the normal distribution, Applied
    /// Statistics 37 (1988), PPND16; the relative error is about 1e-16.
    package static func quantile(_ probability: Double) -> Double {
        let q = probability - 0.5
        if abs(q) <= 0.425 {
            return q * center.value(at: 0.180625 - q * q)
        }
        let r = (-log(q < 0 ? probability : 1 - probability)).squareRoot()
        guard r.isFinite else { return q < 0 ? -.infinity : .infinity }
        let tail = r <= 5 ? near.value(at: r - 1.6) : far.value(at: r - 5)
        return q < 0 ? -tail : tail
    }

    /// A quotient of polynomials; coefficients from the highest power to the constant.
    private struct Rational {
        let numerator: [Double]
        let denominator: [Double]

        func value(at x: Double) -> Double {
            numerator.reduce(0) { $0 * x + $1 } / denominator.reduce(0) { $0 * x + $1 }
        }
    }

    private static let center = Rational(
        numerator: [
            2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
            45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
            133.14166789178437745, 3.387132872796366608,
        ],
        denominator: [
            5226.495278852545925, 28729.085735721942674, 39307.89580009271061,
            21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
            42.313330701600911252, 1,
        ]
    )

    private static let near = Rational(
        numerator: [
            7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
            1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
            4.6303378461565452959, 1.42343711074968357734,
        ],
        denominator: [
            1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
            0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
            2.05319162663775882187, 1,
        ]
    )

    private static let far = Rational(
        numerator: [
            2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
            0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
            5.4637849111641143699, 6.6579046435011037772,
        ],
        denominator: [
            2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
            7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
            0.59983220655588793769, 1,
        ]
    )
}
