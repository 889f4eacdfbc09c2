/// A value that was known of each subject before the experiment, together with the outcome.
///
/// The assignment to an arm cannot have changed it, so the part of the outcome that it explains is
/// noise, which CUPED removes (`CUPED`). Like `Moments`, the sums are of deviations from the means.
package struct Covariate: Hashable, Sendable {
    /// The number of subjects, equal to that of the arm.
    package private(set) var count = 0
    package private(set) var mean = 0.0
    /// The sum of (x − mean of x)².
    package private(set) var squares = 0.0
    /// The mean of the outcomes.
    package private(set) var outcomeMean = 0.0
    /// The sum of (x − mean of x)(y − mean of y).
    package private(set) var products = 0.0

    package init() {}

    /// Integer sums over all subjects of an arm; x is the covariate and y the outcome.
    package struct Sums: Hashable, Sendable {
        package var x: Int128
        package var y: Int128
        package var xx: Int128
        package var xy: Int128

        package init(x: Int128, y: Int128, xx: Int128, xy: Int128) {
            self.x = x
            self.y = y
            self.xx = xx
            self.xy = xy
        }
    }

    /// Calculates the moments from exact sums of integer values.
    package init(count: Int, sums: Sums) {
        guard count > 0 else { return }
        let n = Int128(count)
        let (centerX, centerY) = (nearest(sums.x, over: n), nearest(sums.y, over: n))
        let (x, y) = (sums.x - n * centerX, sums.y - n * centerY)
        let xx = sums.xx - 2 * centerX * sums.x + n * centerX * centerX
        let xy = sums.xy - centerX * sums.y - centerY * sums.x + n * centerX * centerY
        let (restX, restY) = (Double(x) / Double(count), Double(y) / Double(count))
        self.count = count
        mean = Double(centerX) + restX
        outcomeMean = Double(centerY) + restY
        squares = max(0, Double(xx) - Double(x) * restX)
        products = Double(xy) - Double(x) * restY
    }

    /// Adds one more subject.
    package mutating func add(_ x: Double, outcome: Double) {
        var one = Covariate()
        one.count = 1
        one.mean = x
        one.outcomeMean = outcome
        merge(one)
    }

    /// Adds other subjects.
    package mutating func merge(_ other: Covariate) {
        guard other.count > 0 else { return }
        let (n, m) = (Double(count), Double(other.count))
        let share = m / (n + m)
        let (stepX, stepY) = (other.mean - mean, other.outcomeMean - outcomeMean)
        squares += other.squares + stepX * stepX * n * share
        products += other.products + stepX * stepY * n * share
        mean += stepX * share
        outcomeMean += stepY * share
        count += other.count
    }
}
