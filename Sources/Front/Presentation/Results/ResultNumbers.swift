import Experiments
import State
import Statistics

/// Writes shares and amounts.
struct ResultNumbers {
    private let isShare: Bool

    init(_ measure: ResultPlan.Measure) {
        if case .share = measure { isShare = true } else { isShare = false }
    }

    /// `4.1 %`, or an amount.
    func value(_ value: Double) -> String {
        isShare ? Self.percent(value) : Self.decimal(value, digits: 2)
    }

    /// `0.4 percentage points`, or an amount.
    func difference(_ value: Double) -> String {
        guard isShare else { return Self.decimal(value, digits: 2) }
        let points = Self.points(value)
        return points == "1" ? "1 percentage point" : "\(points) percentage points"
    }

    /// Two bounds with one unit.
    func range(_ lower: Double, _ upper: Double) -> String {
        let unit = isShare ? " percentage points" : ""
        let texts = [lower, upper].map { isShare ? Self.points($0) : Self.decimal($0, digits: 2) }
        return "\(texts[0]) and \(texts[1])\(unit)"
    }

    /// Explains an interval of the difference between two arms without statistics.
    ///
    /// Counts are rounded outwards, so that the sentence is true if the interval is.
    func meaning(of interval: Interval, for pair: ArmPair) -> String {
        let than = "with \(pair.armName) than with \(pair.controlName)"
        guard isShare else {
            return "On average, the amount per \(pair.subject) is "
                + "\(spans(interval, "higher", "lower", { Self.decimal($0, digits: 2) })) \(than)."
        }
        let base = Self.base(for: interval.largestDifference)
        let counts = Interval(
            lower: (interval.lower * Double(base)).rounded(.down),
            upper: (interval.upper * Double(base)).rounded(.up)
        )
        return "Of every \(base.grouped) \(pair.subjects), "
            + "\(spans(counts, "more", "fewer", { Int($0).grouped })) have the outcome "
            + "\(TextStyle.safe(pair.outcome)) \(than)."
    }

    private func spans(
        _ interval: Interval,
        _ more: String,
        _ less: String,
        _ text: (Double) -> String
    ) -> String {
        if interval.lower >= 0 {
            return "between \(text(interval.lower)) and \(text(interval.upper)) \(more)"
        }
        if interval.upper <= 0 {
            return "between \(text(-interval.upper)) and \(text(-interval.lower)) \(less)"
        }
        return "anything from \(text(-interval.lower)) \(less) to \(text(interval.upper)) \(more)"
    }

    /// The smallest round number of subjects with which the difference is at least ten.
    private static func base(for difference: Double) -> Int {
        [100, 1_000, 10_000, 100_000].first { Double($0) * difference >= 10 } ?? 1_000_000
    }

    static func percent(_ share: Double) -> String { points(share) + " %" }

    private static func points(_ share: Double) -> String {
        let value = share * 100
        return decimal(value, digits: abs(value) < 1 ? 3 : abs(value) < 10 ? 2 : 1)
    }

    /// A decimal number without trailing zeros.
    static func decimal(_ value: Double, digits: Int) -> String {
        var factor = 1.0
        for _ in 0..<digits { factor *= 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let whole = Int(scaled) / Int(factor)
        var rest = String(Int(scaled) % Int(factor))
        while rest.count < digits { rest = "0" + rest }
        while rest.hasSuffix("0") { rest.removeLast() }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + whole.grouped + (rest.isEmpty ? "" : "." + rest)
    }
}
