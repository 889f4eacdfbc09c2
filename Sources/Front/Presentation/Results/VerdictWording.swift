import CampaignModel
import Experiments
import State
import Statistics
import Time

struct ArmPair {
    let arm: ArmResult
    let control: ArmResult
}

/// Answers four questions about one arm and the control.
struct VerdictWording {
    let comparison: Evaluation.Comparison
    let pair: ArmPair
    let result: ExperimentResult
    let moments: MomentWording

    private var arm: String { TextStyle.safe(pair.arm.label) }
    private var control: String { TextStyle.safe(pair.control.label) }
    private var subjects: String { result.isByPerson ? "people" : "registrations" }
    private var numbers: ResultNumbers { ResultNumbers(result.plan.measure) }

    /// The estimate of an arm with its denominator.
    private func estimate(_ arm: ArmResult) -> String {
        let name = TextStyle.safe(arm.label)
        switch result.plan.measure {
        case .share:
            guard arm.subjects > 0 else { return "\(name): no \(subjects)" }
            let share = Double(arm.successes) / Double(arm.subjects)
            return "\(name): \(numbers.value(share)) of \(arm.subjects.grouped)"
        case .mean:
            return "\(name): \(numbers.value(arm.moments.mean)) for each of \(arm.subjects.grouped)"
        }
    }

    private var estimates: String { "\(estimate(pair.arm)); \(estimate(pair.control))" }

    var winner: String {
        switch comparison.verdict {
        case .better(let interval):
            "\(arm) is better than \(control), by between "
                + "\(range(interval)). (\(estimates).)"
        case .worse(let interval):
            "\(arm) is worse than \(control), by between \(range(interval)). (\(estimates).)"
        case .noDifferenceLargerThan(let bound):
            "Neither: \(arm) and \(control) differ by at most \(numbers.difference(bound)), which "
                + "does not matter by the plan. (\(estimates).)"
        case .undecided:
            "Not decided: \(arm) may be better or worse than \(control). (\(estimates).)"
        case .tooEarly:
            "Too early to say: \(arm) and \(control) have too few outcomes. (\(estimates).)"
        case .ratioMismatch:
            "No answer: the numbers of \(subjects) do not fit the weights of the arms, so no "
                + "difference can be believed. (\(arm): \(pair.arm.subjects.grouped), \(control): "
                + "\(pair.control.subjects.grouped).)"
        }
    }

    /// The bounds in the direction of the verdict.
    private func range(_ interval: Interval) -> String {
        let bounds = [abs(interval.lower), abs(interval.upper)].sorted()
        return numbers.range(bounds[0], bounds[1])
    }

    var certainty: String {
        switch comparison.verdict {
        case .better, .worse, .noDifferenceLargerThan:
            return "At most 5 in 100 experiments without a difference ever lead to a wrong answer, "
                + "however often you look at this page."
        case .undecided:
            guard let interval = comparison.interval else { return "Not known yet." }
            return "The true difference is between "
                + "\(numbers.range(interval.lower, interval.upper)) (95 % of such statements are "
                + "right at all looks). No difference at all is still possible."
        case .tooEarly: return "Not known: no interval holds with so few outcomes."
        case .ratioMismatch(let pValue):
            let chance = pValue < 0.000_1 ? "less than 1 in 10,000" : ResultNumbers.percent(pValue)
            return "Such numbers occur by accident with a probability of \(chance)."
        }
    }

    var since: String {
        let isBetter = comparison.verdict.isBetter
        if let isBetter {
            guard let since = result.declared(pair.arm.kind, isBetter: isBetter) else {
                return "Since this look, \(result.time.utcText)."
            }
            return "Since the look of \(moments.distance(of: since))."
        }
        for direction in [true, false] {
            if let earlier = result.declared(pair.arm.kind, isBetter: direction) {
                return "The look of \(moments.distance(of: earlier)) found \(arm) "
                    + "\(direction ? "better" : "worse"), which remains valid."
            }
        }
        let count = result.looks.count
        return count == 0
            ? "This is the first look." : "No winner in \(count.counting("earlier look"))."
    }

    var next: String {
        switch comparison.verdict {
        case .better: "Send \(arm) to everyone. More outcomes only narrow the range."
        case .worse: "Keep \(control), and do not send \(arm) again."
        case .noDifferenceLargerThan:
            "Choose either one: a difference that matters would have been seen."
        case .undecided(let needed):
            needed.map {
                "About \($0.grouped) \(subjects) in both arms decide it if the difference stays the "
                    + "same; \((pair.arm.subjects + pair.control.subjects).grouped) are in them now. "
                    + "Later outcomes of the same \(subjects) help, too."
            } ?? "More \(subjects) would hardly decide it. Compare a larger change."
        case .tooEarly(let shortfall):
            shortfall.subjects.map {
                "Wait for more outcomes: about \($0.grouped) \(subjects) in both arms are needed at "
                    + "the present rate."
            } ?? "Wait for outcomes, and import them."
        case .ratioMismatch:
            "Find out why \(subjects) are missing in one arm: check whether the list, its identities "
                + "or the weights were changed after the first send."
        }
    }
}
