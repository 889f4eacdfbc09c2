import Glibc

/// The logarithm of Γ(`x`); `x`: positive.
///
/// Glibc's `lgamma` writes to a variable that threads share; this one does not.
func logGamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
}

/// The chi-square distribution.
package enum ChiSquareDistribution {
    /// Returns P(X ≥ `x`); `x`: at least 0; `freedom`: degrees of freedom, at least 1.
    package static func upperTail(_ x: Double, freedom: Int) -> Double {
        upperGamma(shape: Double(freedom) / 2, x: x / 2)
    }

    /// The regularized upper incomplete gamma function Q(a, x).
    ///
    /// The series below a + 1, Lentz's continued fraction above (Press et al., Numerical Recipes, 3rd
    /// edition, section 6.2).
    static func upperGamma(shape a: Double, x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x.isFinite else { return 0 }
        let scale = exp(a * log(x) - x - logGamma(a))
        return x < a + 1 ? 1 - scale * series(a, x) : scale * continuedFraction(a, x)
    }

    private static func series(_ a: Double, _ x: Double) -> Double {
        var term = 1 / a
        var sum = term
        var divisor = a
        while abs(term) > abs(sum) * .ulpOfOne {
            divisor += 1
            term *= x / divisor
            sum += term
        }
        return sum
    }

    private static func continuedFraction(_ a: Double, _ x: Double) -> Double {
        var fraction = LentzFraction(first: x + 1 - a)
        var step = 0.0
        repeat {
            step += 1
            fraction.extend(numerator: step * (a - step), denominator: x + 1 - a + 2 * step)
        } while !fraction.hasConverged
        return 1 / fraction.value
    }
}

/// Student's t distribution.
package enum StudentDistribution {
    /// Returns P(|T| ≥ `t`); `t`: at least 0; `freedom`: degrees of freedom, positive.
    package static func twoSidedTail(_ t: Double, freedom: Double) -> Double {
        let x = t * t / (freedom + t * t)
        return x < 3 / (freedom + 5)
            ? 1 - lowerBeta(0.5, freedom / 2, x, complement: freedom / (freedom + t * t))
            : lowerBeta(freedom / 2, 0.5, freedom / (freedom + t * t), complement: x)
    }

    /// Returns the t with P(|T| ≥ t) = `tail`; `tail`: above 0 and below 1; `freedom`: at least 1.
    ///
    /// From 1,000 degrees of freedom on, the expansion of Cornish and Fisher (Abramowitz and
    /// Stegun, 26.7.5), whose error is below 1e-11 there.
    package static func twoSidedQuantile(_ tail: Double, freedom: Double) -> Double {
        let z = -NormalDistribution.quantile(tail / 2)
        guard freedom < 1_000 else { return expansion(z, freedom) }
        var low = z
        var high = 2 * z + 1
        while twoSidedTail(high, freedom: freedom) > tail {
            low = high
            high *= 2
        }
        return bisect(low, high) { twoSidedTail($0, freedom: freedom) <= tail }
    }

    private static func expansion(_ z: Double, _ freedom: Double) -> Double {
        let s = z * z
        let terms = [
            z,
            z * (s + 1) / 4,
            z * ((5 * s + 16) * s + 3) / 96,
            z * (((3 * s + 19) * s + 17) * s - 15) / 384,
            z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92_160,
        ]
        return terms.reversed().reduce(0) { $0 / freedom + $1 }
    }

    /// The regularized lower incomplete beta function I_x(a, b), for x below (a + 1) / (a + b + 2).
    private static func lowerBeta(
        _ a: Double,
        _ b: Double,
        _ x: Double,
        complement: Double
    ) -> Double {
        guard x > 0 else { return 0 }
        let logScale =
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(complement)
        var fraction = LentzFraction(first: 1)
        var step = 0.0
        repeat {
            let odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
            fraction.extend(numerator: odd, denominator: 1)
            step += 1
            let even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
            fraction.extend(numerator: even, denominator: 1)
        } while !fraction.hasConverged
        return exp(logScale) / (a * fraction.value)
    }
}

/// A continued fraction that is evaluated from the front (Lentz's method; Press et al., Numerical
/// Recipes, 3rd edition, section 5.2).
private struct LentzFraction {
    private(set) var value: Double
    private(set) var hasConverged = false
    private var c: Double
    private var d = 0.0

    private static let tiny = 1e-300

    init(first: Double) {
        value = first == 0 ? Self.tiny : first
        c = value
    }

    /// Adds the next level, `numerator` / (`denominator` + …).
    mutating func extend(numerator: Double, denominator: Double) {
        d = denominator + numerator * d
        if d == 0 { d = Self.tiny }
        c = denominator + numerator / c
        if c == 0 { c = Self.tiny }
        d = 1 / d
        let factor = c * d
        value *= factor
        hasConverged = abs(factor - 1) <= 2 * .ulpOfOne
    }
}

/// Returns the smallest x between `low` and `high`, to the precision of a Double, from which on
/// `holds` is true; `high` if it is false below.
func bisect(_ low: Double, _ high: Double, _ holds: (Double) -> Bool) -> Double {
    var (low, high) = (low, high)
    while true {
        let middle = low + (high - low) / 2
        guard middle > low, middle < high else { return high }
        if holds(middle) {
            high = middle
        } else {
            low = middle
        }
    }
}
