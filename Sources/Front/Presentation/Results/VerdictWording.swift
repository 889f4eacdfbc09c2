import CampaignModel
import Experiments
import State
import Statistics
import Time

/// An arm and the control, with the words for their subjects.
struct ArmPair {
    let arm: ArmResult
    let control: ArmResult
    let outcome: String
    let isByPerson: Bool

    var armName: String { TextStyle.safe(arm.label) }
    var controlName: String { TextStyle.safe(control.label) }
    var subject: String { isByPerson ? "person" : "registration" }
    var subjects: String { isByPerson ? "people" : "registrations" }
}

/// Answers four questions about one arm and the control.
struct VerdictWording {
    let comparison: Evaluation.Comparison
    let finding: ArmFinding
    let pair: ArmPair
    let result: ExperimentResult
    let moments: MomentWording

    private var arm: String { pair.armName }
    private var control: String { pair.controlName }
    private var subjects: String { pair.subjects }
    private var numbers: ResultNumbers { ResultNumbers(result.plan.measure) }

    /// The estimate of an arm with its denominator.
    static func estimate(_ arm: ArmResult, in result: ExperimentResult) -> String {
        let name = TextStyle.safe(arm.label)
        let numbers = ResultNumbers(result.plan.measure)
        let subjects = result.isByPerson ? "people" : "registrations"
        guard arm.subjects > 0 else { return "\(name): no \(subjects)" }
        switch result.plan.measure {
        case .share:
            let share = Double(arm.successes) / Double(arm.subjects)
            return "\(name): \(arm.successes.grouped) of \(arm.subjects.grouped) \(subjects) "
                + "(\(numbers.value(share)))"
        case .mean:
            return "\(name): \(numbers.value(arm.moments.mean)) for each of "
                + "\(arm.subjects.grouped) \(subjects)"
        }
    }

    var estimates: String {
        "\(Self.estimate(pair.arm, in: result)); \(Self.estimate(pair.control, in: result))."
    }

    var winner: String {
        if case .ratioMismatch = comparison.verdict {
            return "No answer: the sizes of the arms do not fit their weights."
        }
        return switch finding.standing {
        case .better: "\(arm) is better than \(control). \(estimates)"
        case .worse: "\(arm) is worse than \(control). \(estimates)"
        case .equal: "\(arm) and \(control) do not differ by as much as matters. \(estimates)"
        case .undecided: "Not decided: \(arm) may be better or worse than \(control). \(estimates)"
        case .tooEarly:
            "Too early to say: \(arm) and \(control) have too few outcomes. \(estimates)"
        }
    }

    /// What the interval means; what an earlier look found stays true although this one is wider.
    var certainty: String {
        if case .ratioMismatch = comparison.verdict { return "Not at all." }
        guard let interval = finding.interval else {
            return "Not known: no range holds with so few outcomes."
        }
        let meaning = numbers.meaning(of: interval, for: pair)
        switch finding.standing {
        case .better, .worse:
            let earlier =
                finding.isEarlier
                ? " The numbers of this look alone would not show it; the earlier look remains valid."
                : ""
            return "Sure. \(meaning)\(earlier)"
        case .equal:
            return "Sure. \(meaning) A difference matters from "
                + "\(numbers.difference(result.plan.smallestDifference)) on."
        case .undecided: return "Not sure. \(meaning) No difference at all is possible, too."
        case .tooEarly: return "Not known: no range holds with so few outcomes."
        }
    }

    var since: String {
        guard let since = finding.since else { return Self.noWinner(in: result, moments: moments) }
        return Self.since(since, in: result, moments: moments)
    }

    static func since(
        _ time: Instant,
        in result: ExperimentResult,
        moments: MomentWording
    ) -> String {
        time == result.time
            ? "Since this look, \(time.utcText)." : "Since the look of \(moments.ago(of: time))."
    }

    static func noWinner(in result: ExperimentResult, moments: MomentWording) -> String {
        guard let first = result.looks.first(where: { $0.time < result.time }) else {
            return "This is the first look, \(result.time.utcText)."
        }
        let count = result.looks.count { $0.time < result.time }
        let time = moments.ago(of: first.time)
        guard count > 1 else { return "Not decided in 1 earlier look, that of \(time)." }
        return "Not decided in \(count) earlier looks, the first of \(time)."
    }

    /// What would decide it, or what to do with this arm.
    var next: String {
        // How many are needed is part of the conclusion about all arms: several numbers would contradict each other.
        switch comparison.verdict {
        case .undecided(let needed) where finding.standing == .undecided:
            return needed == nil
                ? "More \(subjects) would hardly decide it. Compare a larger change."
                : "Wait: more outcomes can decide it."
        case .tooEarly where finding.standing == .tooEarly:
            return "Wait for outcomes, and import them."
        case .ratioMismatch: return ConclusionWording.missing(subjects)
        default: break
        }
        return switch finding.standing {
        case .better: "\(arm) may replace \(control). More outcomes only narrow the range."
        case .worse: "Do not send \(arm) again."
        default: "Choose either one. A difference that matters would have been seen."
        }
    }
}
