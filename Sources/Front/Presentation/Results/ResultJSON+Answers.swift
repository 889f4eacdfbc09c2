import Experiments
import JSON
import State
import Statistics
import Time

/// Declares the answers in the JSON of `herald results`.
extension ResultJSON {
    enum Verdict: String, CaseIterable {
        case winner
        case severalWinners = "several_winners"
        case control
        case noDifference = "no_difference"
        case undecided
        case tooEarly = "too_early"
        case ratioMismatch = "ratio_mismatch"
        case noOutcome = "no_outcome"
        case notComparable = "not_comparable"
    }

    static let answer = JSONShape<ExperimentResult>(
        "What the experiment shows about all arms together.",
        [
            .required("verdict", .choice, about: "What is shown.") { Verdict($0.conclusion) },
            .required(
                "winners",
                .list(of: .text),
                about: "Names of the best arm, or of several that none is known to be better than."
            ) { result in result.winners.map { result.arms[$0].label } },
            .optional("since", .text, about: "Time of the look that found it first, RFC 3339.") {
                $0.since?.utcText
            },
        ]
    )

    enum Answer: String, CaseIterable {
        case better
        case worse
        case noDifference = "no_difference"
        case undecided
        case tooEarly = "too_early"
        case ratioMismatch = "ratio_mismatch"
    }

    /// One comparison and what is known about it.
    struct Found {
        let compared: ComparedArm
        let finding: ArmFinding
        let narrowing: Double?

        var answer: Answer {
            if case .ratioMismatch = compared.one.verdict { return .ratioMismatch }
            return switch finding.standing {
            case .better: .better
            case .worse: .worse
            case .equal: .noDifference
            case .undecided: .undecided
            case .tooEarly: .tooEarly
            }
        }
    }

    static let android = JSONShape<(String, AndroidArm.Finding)>(
        "What Google's delivery data says about an arm.",
        [
            .required("arm", .text, about: "Name.") { $0.0 },
            .optional(
                "accepted",
                .count,
                about: "Messages to Android devices; absent if Google does not tell."
            ) { total($0.1)?.accepted },
            .optional("delivered", .count, about: "About how many of them were delivered.") {
                total($0.1)?.delivered
            },
            .optional("last_day", .text, about: "The last day with data, such as 2037-03-20.") {
                total($0.1)?.lastDay
            },
        ]
    )

    private static func total(_ finding: AndroidArm.Finding) -> AndroidArm.Total? {
        if case .known(let total) = finding { total } else { nil }
    }

    static let comparison = JSONShape<Found>(
        "An arm and the control.",
        [
            .required("arm", .text, about: "Name.") { $0.compared.arm.label },
            .required("control", .text, about: "Name.") { $0.compared.control.label },
            .required("verdict", .choice, about: "What is shown.") { $0.answer },
            .optional("since", .text, about: "Time of the look that found it first, RFC 3339.") {
                $0.finding.since?.utcText
            },
            .optional("estimate", .number, about: "The arm's value minus that of the control.") {
                $0.compared.one.difference?.estimate
            },
            .optional("lower", .number, about: "Bound that holds at every look.") {
                $0.finding.interval?.lower
            },
            .optional("upper", .number, about: "Bound that holds at every look.") {
                $0.finding.interval?.upper
            },
            .optional(
                "narrower",
                .number,
                about: "By what share the `covariate` makes the interval narrower."
            ) { $0.narrowing },
            .required("p_value", .number, about: "Adjusted for several arms and looks.") {
                $0.compared.one.adjustedPValue
            },
        ]
    )
}

extension ResultJSON.Verdict {
    fileprivate init(_ conclusion: Conclusion) {
        switch conclusion {
        case .noOutcome: self = .noOutcome
        case .notComparable: self = .notComparable
        case .ratioMismatch: self = .ratioMismatch
        case .winner: self = .winner
        case .severalWinners: self = .severalWinners
        case .control: self = .control
        case .noDifference: self = .noDifference
        case .tooEarly: self = .tooEarly
        case .undecided: self = .undecided
        }
    }
}

extension ExperimentResult {
    /// The findings on which the answer rests.
    private var decisive: [ArmFinding] {
        switch conclusion {
        case .winner(let finding, _): [finding]
        case .severalWinners(let found), .control(let found), .noDifference(let found): found
        case .noOutcome, .notComparable, .ratioMismatch, .tooEarly, .undecided: []
        }
    }

    var found: [ResultJSON.Found] {
        zip(zip(compared, findings), comparison?.narrowings ?? []).map {
            ResultJSON.Found(compared: $0.0, finding: $0.1, narrowing: $1)
        }
    }

    fileprivate var winners: [Int] {
        switch conclusion {
        case .winner, .severalWinners: decisive.map(\.arm)
        case .control: Array((comparison?.arms ?? []).prefix(1))
        default: []
        }
    }

    fileprivate var since: Instant? { decisive.compactMap(\.since).max() }
}
