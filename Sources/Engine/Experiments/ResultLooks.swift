import JSON
import State
import Statistics
import Time

extension ExperimentResult {
    /// The look in the form that is stored; nil if nothing was compared.
    var look: ResultLook? {
        guard let comparison else { return nil }
        let numbers = comparison.arms.dropFirst()
        let compared = zip(numbers, comparison.evaluation.comparisons).map { number, one in
            var content: JSONObject = [
                "arm": .string(arms[number].kind.column),
                "estimate": .number(one.difference?.estimate ?? 0),
            ]
            if let interval = one.interval {
                content["lower"] = .number(interval.lower)
                content["upper"] = .number(interval.upper)
            }
            content["better"] = one.verdict.isBetter.map(JSONValue.bool)
            return JSONValue.object(content)
        }
        let counts = arms.map { arm -> JSONValue in
            [
                "arm": .string(arm.kind.column), "subjects": .integer(Int64(arm.subjects)),
                "successes": .integer(Int64(arm.successes)), "sum": .number(arm.sum),
            ]
        }
        return ResultLook(
            time: time,
            content: ["arms": .array(counts), "comparisons": .array(compared)]
        )
    }
}

extension PastLook {
    /// Nil if it cannot be read.
    init?(_ look: ResultLook) {
        guard let compared = look.content["comparisons"]?.arrayValue else { return nil }
        time = look.time
        comparisons = compared.compactMap { one in
            guard let arm = one["arm"]?.stringValue, let estimate = one["estimate"]?.doubleValue
            else { return nil }
            var interval: Interval?
            if let lower = one["lower"]?.doubleValue, let upper = one["upper"]?.doubleValue {
                interval = Interval(lower: lower, upper: upper)
            }
            return Comparison(
                arm: arm,
                estimate: estimate,
                interval: interval,
                isBetter: one["better"]?.boolValue
            )
        }
    }
}

extension Verdict {
    /// Whether the arm is declared better (true) or worse (false); nil for neither.
    package var isBetter: Bool? {
        switch self {
        case .better: true
        case .worse: false
        case .ratioMismatch, .tooEarly, .noDifferenceLargerThan, .undecided: nil
        }
    }
}
