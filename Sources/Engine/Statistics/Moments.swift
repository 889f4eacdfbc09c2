/// The number, the mean and the central moments of values, one per subject.
///
/// The sums are of deviations from the mean and are updated as by Welford and merged as by Pébay
/// (Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
/// statistical moments, Sandia 2008). For 30,000,000 subjects the relative error of the variance is
/// below 1e-10 even if the mean is 1,000,000 standard deviations.
package struct Moments: Hashable, Sendable {
    /// The number of subjects, including those whose value is 0.
    package private(set) var count: Int
    package private(set) var mean: Double
    /// The sum of (value − mean)².
    package private(set) var squares: Double
    /// The sum of (value − mean)³, from which the skewness follows.
    package private(set) var cubes: Double

    /// `count` subjects with the same value.
    package init(count: Int = 0, value: Double = 0) {
        self.count = count
        mean = count == 0 ? 0 : value
        squares = 0
        cubes = 0
    }

    /// Calculates the moments of integer values, such as amounts in cents, from their sums.
    ///
    /// The sums are exact and therefore do not depend on the order of the subjects. `count` times
    /// the third power of the largest value must be below 1e37.
    package init(count: Int, sum: Int128, sumOfSquares: Int128, sumOfCubes: Int128) {
        self.init()
        guard count > 0 else { return }
        let n = Int128(count)
        // Deviations from an integer close to the mean are exact, and their rest is at most 0.5.
        let center = nearest(sum, over: n)
        let first = sum - n * center
        let second = sumOfSquares - 2 * center * sum + n * center * center
        let third =
            sumOfCubes - 3 * center * sumOfSquares + 3 * center * center * sum
            - n * center * center * center
        let rest = Double(first) / Double(count)
        self.count = count
        mean = Double(center) + rest
        squares = max(0, Double(second) - Double(first) * rest)
        cubes = Double(third) - 3 * rest * Double(second) + 2 * Double(first) * rest * rest
    }

    /// Adds the value of one more subject.
    package mutating func add(_ value: Double) {
        merge(Moments(count: 1, value: value))
    }

    /// Adds the values of other subjects.
    package mutating func merge(_ other: Moments) {
        guard other.count > 0 else { return }
        let (n, m) = (Double(count), Double(other.count))
        let step = other.mean - mean
        let share = m / (n + m)
        cubes +=
            other.cubes + step * step * step * n * share * (n - m) / (n + m)
            + 3 * step * (n * other.squares - m * squares) / (n + m)
        squares += other.squares + step * step * n * share
        mean += step * share
        count += other.count
    }

    /// The variance with the divisor n − 1; nil below two subjects.
    package var sampleVariance: Double? { count > 1 ? squares / Double(count - 1) : nil }

    /// The square of the skewness; infinite if all values are equal, because then nothing is known
    /// about the distribution.
    package var squaredSkewness: Double {
        guard squares > 0 else { return .infinity }
        let ratio = cubes / squares
        return ratio * ratio / squares * Double(count)
    }
}

/// Returns the integer that is nearest to a quotient; `divisor`: positive.
func nearest(_ dividend: Int128, over divisor: Int128) -> Int128 {
    let half = divisor / 2
    return (dividend >= 0 ? dividend + half : dividend - half) / divisor
}
