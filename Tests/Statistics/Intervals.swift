import Statistics

/// Evaluates the experiments of standard input, one look per line, and prints one line for each.
///
/// A look:     look ALPHA VARIANCE SMALLEST AUDIENCE ARMS WEIGHT… ARM…
/// An arm:     p SUCCESSES SUBJECTS
///             m SUBJECTS SUM SQUARES CUBES
///             c SUM-X SUM-XX SUM-XY, then p or m with their numbers
/// A forecast: forecast ALPHA COMPARISONS rate|deviation VALUE CONTROL TREATMENT DAYS DIFFERENCE
@main struct Intervals {
    static func main() {
        while let line = readLine() {
            var fields = Fields(line)
            switch fields.word() {
            case "look": print(evaluated(&fields))
            case "forecast": print(forecast(&fields))
            case let other: fatalError("neither a look nor a forecast: \(other)")
            }
        }
    }

    private static func evaluated(_ fields: inout Fields) -> String {
        let alpha: Double = fields.number()
        let variance: Double = fields.number()
        let smallest: Double = fields.number()
        let audience: Int = fields.number()
        let count: Int = fields.number()
        let weights: [Double] = (0..<count).map { _ in fields.number() }
        let design = Design(
            split: Design.Split(weights: weights, audience: audience),
            variance: variance,
            question: Design.Question(smallestDifference: smallest),
            alpha: alpha
        )
        let arms = (0..<count).map { _ in fields.arm() }
        let evaluation = Evaluation(arms, design: design)
        let head = [
            evaluation.ratio.pValue, evaluation.ratio.fixedHorizonPValue,
            evaluation.adjustment?.theta ?? .nan,
        ]
        let rows = evaluation.comparisons.enumerated().map { index, comparison in
            row(comparison, design.mixture(ofArm: index + 1), design)
        }
        return (head.map { "\($0)" } + rows).joined(separator: " ")
    }

    /// The numbers of one arm, also those that a page does not show because it is too early.
    private static func row(
        _ comparison: Evaluation.Comparison,
        _ mixture: NormalMixture?,
        _ design: Design
    ) -> String {
        guard let difference = comparison.difference, let mixture else {
            return Array(repeating: "nan", count: 11).joined(separator: " ") + " tooEarly"
        }
        let sequence = difference.interval(mixture, alpha: design.intervalAlpha)
        let fixed = difference.fixedHorizonInterval(alpha: design.alpha)
        let numbers = [
            difference.estimate, difference.effectiveSize, difference.pValue(mixture),
            comparison.adjustedPValue, sequence.lower, sequence.upper, fixed.lower, fixed.upper,
            comparison.interval?.lower ?? .nan, comparison.interval?.upper ?? .nan,
        ]
        let (name, value) = described(comparison.verdict)
        return (numbers + [value]).map { "\($0)" }.joined(separator: " ") + " " + name
    }

    private static func described(_ verdict: Verdict) -> (String, Double) {
        switch verdict {
        case .ratioMismatch(let pValue): ("ratioMismatch", pValue)
        case .tooEarly(let needed): ("tooEarly", needed.subjects.map(Double.init) ?? .nan)
        case .better(let interval): ("better", interval.lower)
        case .worse(let interval): ("worse", interval.upper)
        case .noDifferenceLargerThan(let size): ("noDifference", size)
        case .undecided(let subjects): ("undecided", subjects.map(Double.init) ?? .nan)
        }
    }

    private static func forecast(_ fields: inout Fields) -> String {
        let alpha: Double = fields.number()
        let level = Forecast.Level(alpha: alpha, comparisons: fields.number())
        let isRate = fields.word() == "rate"
        let value: Double = fields.number()
        let sizes = Forecast.Sizes(
            control: fields.number(),
            treatment: fields.number(),
            days: fields.number()
        )
        let forecast = Forecast(
            isRate ? .rate(value) : .standardDeviation(value),
            sizes: sizes,
            level: level
        )
        let days = forecast.days(toDetect: fields.number()).map(Double.init) ?? .nan
        return "\(forecast.ratioToFixedHorizon) \(forecast.detectableDifference ?? .nan) \(days)"
    }
}

/// The fields of a line, in their order.
private struct Fields {
    private var rest: ArraySlice<Substring>

    init(_ line: String) {
        rest = line.split(separator: " ")[...]
    }

    mutating func word() -> Substring {
        guard let first = rest.popFirst() else { fatalError("a field is missing") }
        return first
    }

    mutating func number<Number: LosslessStringConvertible>() -> Number {
        let field = word()
        guard let number = Number(String(field)) else { fatalError("not a number: \(field)") }
        return number
    }

    mutating func arm() -> Arm {
        let kind = word()
        guard kind == "c" else { return Arm(outcome(kind).outcome) }
        let (x, xx, xy): (Int128, Int128, Int128) = (number(), number(), number())
        let (outcome, sum) = outcome(word())
        return Arm(
            outcome,
            covariate: Covariate(
                count: Arm(outcome).subjects,
                sums: Covariate.Sums(x: x, y: sum, xx: xx, xy: xy)
            )
        )
    }

    private mutating func outcome(_ kind: Substring) -> (outcome: Arm.Outcome, sum: Int128) {
        if kind == "p" {
            let successes: Int = number()
            return (.proportion(successes: successes, subjects: number()), Int128(successes))
        }
        let (count, sum): (Int, Int128) = (number(), number())
        let moments = Moments(
            count: count,
            sum: sum,
            sumOfSquares: number(),
            sumOfCubes: number()
        )
        return (.mean(moments), sum)
    }
}
