/// A confidence interval of a difference, in the outcome's unit.
package struct Interval: Hashable, Sendable {
    package let lower: Double
    package let upper: Double

    package init(lower: Double, upper: Double) {
        self.lower = lower
        self.upper = upper
    }

    init(around center: Double, halfWidth: Double) {
        self.init(lower: center - halfWidth, upper: center + halfWidth)
    }

    package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

    /// The largest absolute difference in the interval.
    package var largestDifference: Double { max(abs(lower), abs(upper)) }

    /// The part on the side of 0 on which `estimate` is.
    func clipped(toSideOf estimate: Double) -> Interval {
        estimate > 0
            ? Interval(lower: max(0, lower), upper: upper)
            : Interval(lower: lower, upper: min(0, upper))
    }
}
