import CampaignModel
import Experiments
import State
import Statistics
import Time

/// Answers the four questions for all arms together.
struct ConclusionWording {
    let result: ExperimentResult
    let moments: MomentWording
    let hint: CommandHint

    private var subjects: String { result.isByPerson ? "people" : "registrations" }
    private var findings: [ArmFinding] { result.findings }

    var answers: [ResultDescription.Answer] {
        [
            ResultDescription.Answer(question: "Who won", text: winner),
            ResultDescription.Answer(question: "How sure", text: certainty),
            ResultDescription.Answer(question: "Since when", text: since),
            ResultDescription.Answer(question: "What next", text: next),
        ].filter { !$0.text.isEmpty }
    }

    // MARK: Who won

    var winner: String {
        switch result.conclusion {
        case .noOutcome:
            return
                "Not known: no outcome is stored. FCM does not tell who opened a message or bought "
                + "something."
        case .notComparable:
            return
                "Not known: fewer than two arms can have this outcome, so nothing can be compared."
        case .ratioMismatch:
            return "No answer. The sizes of the arms do not fit their weights, so no difference "
                + "can be believed. \(sizes)"
        case .winner(let finding, let beats):
            let others = [control] + beats.map(name)
            return
                "\(name(finding.arm)). It is better than \(others.joined(by: "and")). \(estimates)"
        case .severalWinners(let winners):
            return
                "\(names(winners).joined(by: "and")) are better than \(control). Which of them is "
                + "the best is not decided. \(estimates)"
        case .control(let losers):
            return "\(control). It is better than \(names(losers).joined(by: "and")). \(estimates)"
        case .noDifference(let arms):
            return
                "No arm. \(([control] + names(arms)).joined(by: "and")) do not differ by as much "
                + "as matters. \(estimates)"
        case .tooEarly: return "Too early to say: there are too few outcomes. \(estimates)"
        case .undecided:
            return "Not decided yet: no arm is better than \(control) so far. \(estimates)"
        }
    }

    private var control: String {
        guard let comparison = result.comparison else { return "" }
        return name(comparison.arms[0])
    }

    private var compared: [Int] { result.comparison?.arms ?? [] }

    private var estimates: String {
        let order = compared.dropFirst() + compared.prefix(1)
        return order.map { VerdictWording.estimate(result.arms[$0], in: result) }
            .joined(separator: "; ") + "."
    }

    /// The sizes of the arms, and what the weights let expect.
    private var sizes: String {
        let total = compared.reduce(0) { $0 + result.arms[$1].subjects }
        let shares = compared.reduce(0) { $0 + result.arms[$1].share }
        return compared.map { number in
            let arm = result.arms[number]
            let expected = Int((Double(total) * arm.share / shares).rounded())
            return "\(name(number)): \(arm.subjects.grouped) \(subjects), about "
                + "\(expected.grouped) expected"
        }.joined(separator: "; ") + "."
    }

    // MARK: How sure

    /// What a reader may rely on.
    private static let guarantee =
        "A page like this names a wrong winner in at most 5 of 100 experiments, however often you look."

    var certainty: String {
        switch result.conclusion {
        case .noOutcome, .notComparable: return ""
        case .ratioMismatch(let pValue):
            let chance =
                pValue < 0.000_1 ? "less than 1 in 10,000" : ResultNumbers.percent(pValue)
            return "Such sizes occur by accident with a probability of \(chance)."
        case .winner(let finding, _):
            return "Sure. \(meanings([finding])) \(Self.guarantee)"
        case .severalWinners(let arms), .control(let arms), .noDifference(let arms):
            return "Sure. \(meanings(arms)) \(Self.guarantee)"
        case .tooEarly: return "Not sure at all: no range holds with so few outcomes."
        case .undecided(let arms):
            return "Not sure. \(meanings(arms))"
        }
    }

    private func meanings(_ arms: [ArmFinding]) -> String {
        arms.compactMap { finding in
            guard let interval = finding.interval, let first = compared.first else { return nil }
            let pair = ArmPair(
                arm: result.arms[finding.arm],
                control: result.arms[first],
                outcome: result.name.outcome,
                isByPerson: result.isByPerson
            )
            return ResultNumbers(result.plan.measure).meaning(of: interval, for: pair)
        }.joined(separator: " ")
    }

    // MARK: Since when

    var since: String {
        switch result.conclusion {
        case .noOutcome, .notComparable, .ratioMismatch: return ""
        case .winner(let finding, _): return since([finding])
        case .severalWinners(let arms), .control(let arms), .noDifference(let arms):
            return since(arms)
        case .tooEarly, .undecided: return VerdictWording.noWinner(in: result, moments: moments)
        }
    }

    /// All findings hold since the last one.
    private func since(_ arms: [ArmFinding]) -> String {
        let last = arms.compactMap(\.since).max() ?? result.time
        return VerdictWording.since(last, in: result, moments: moments)
    }

    // MARK: What next

    var next: String {
        switch result.conclusion {
        case .noOutcome: return "Import outcomes with `\(hint("results import FILE"))`."
        case .notComparable: return "Show another outcome with `--outcome NAME`."
        case .ratioMismatch: return Self.missing(subjects)
        case .winner(let finding, let beats):
            return "Send \(name(finding.arm)) to everyone.\(rest(after: finding, beats: beats))"
        case .severalWinners(let arms):
            let names = names(arms)
            return "Send \(names.joined(by: "or")) to everyone, not several of them; each is "
                + "better than \(control). To find the best one, compare \(names.joined(by: "and")) "
                + "in a new experiment."
        case .control(let arms):
            return isHeldOut
                ? "Do not send this message again: people without it do better."
                : "Send \(control) to everyone, and do not send \(names(arms).joined(by: "or")) again."
        case .noDifference:
            return isHeldOut
                ? "Sending the message or not makes no difference that matters. Try another message."
                : "Choose any arm. A difference that matters would have been seen."
        case .tooEarly, .undecided: return waiting
        }
    }

    private var isHeldOut: Bool {
        compared.first.map { result.arms[$0].kind == .heldOut } ?? false
    }

    /// What is not known about other arms.
    private func rest(after winner: ArmFinding, beats: [Int]) -> String {
        let open = findings.filter {
            $0.arm != winner.arm && !beats.contains($0.arm) && $0.standing != .worse
        }
        guard !open.isEmpty else { return "" }
        return " Whether it is also better than \(names(open).joined(by: "or")) is not decided; a "
            + "new experiment between them can show it."
    }

    /// What would decide it: the comparison that needs the fewest subjects comes first.
    private var waiting: String {
        let losers = findings.filter { $0.standing == .worse }
        let stop = losers.isEmpty ? "" : "Do not send \(names(losers).joined(by: "or")) again. "
        let open = result.compared.filter { $0.needed != nil }
        guard let first = open.min(by: { ($0.needed ?? 0) < ($1.needed ?? 0) }),
            let needed = first.needed
        else {
            return stop + (isEmpty ? "Wait for outcomes, and import them." : hopeless)
        }
        let size = first.arm.subjects + first.control.subjects
        return stop + "Wait, and do not choose yet. At the present rates, about \(needed.grouped) "
            + "\(subjects) in \(TextStyle.safe(first.arm.label)) and "
            + "\(TextStyle.safe(first.control.label)) "
            + "are needed; \(size.grouped) are in them now. Later outcomes of the same "
            + "\(subjects) help, too."
    }

    private var isEmpty: Bool { compared.allSatisfy { result.arms[$0].successes == 0 } }

    private var hopeless: String {
        "More \(subjects) would hardly decide it. Compare a larger change."
    }

    static func missing(_ subjects: String) -> String {
        "Find out why \(subjects) are missing in an arm: check whether the list, its identities or the "
            + "weights were changed after the first send. Then repeat the test with a new "
            + "`experiment:` name."
    }

    private func name(_ arm: Int) -> String { TextStyle.safe(result.arms[arm].label) }

    private func names(_ arms: [ArmFinding]) -> [String] { arms.map { name($0.arm) } }
}

extension ComparedArm {
    /// About how many subjects both arms need; nil if that is not known.
    fileprivate var needed: Int? {
        switch one.verdict {
        case .undecided(let needed): needed
        case .tooEarly(let shortfall): shortfall.subjects
        case .ratioMismatch, .better, .worse, .noDifferenceLargerThan: nil
        }
    }
}
