import CampaignModel
import Experiments
import State
import Statistics
import Time

/// Describes a result to readers without statistics.
struct ResultWording {
    let result: ExperimentResult
    let moments: MomentWording
    let hint: CommandHint
    let numbers: ResultNumbers

    init(_ result: ExperimentResult, moments: MomentWording, hint: CommandHint) {
        self.result = result
        self.moments = moments
        self.hint = hint
        numbers = ResultNumbers(result.plan.measure)
    }

    var sent: String {
        let count = result.occurrences.count
        let sends = count == 1 ? "Sent" : "\(count.grouped) sends, the first"
        return "\(sends) \(moments.ago(of: result.begins)). Experiment "
            + "\(result.name.experiment), counted by \(subjectName)."
    }

    /// Explains the terms of the answers, once.
    var terms: String {
        let groups = "An arm is a group of \(subject) that get the same message, or no message."
        guard let control = result.compared.first?.control else { return groups }
        return "\(groups) The control is \(safe(control.label)): every other arm is measured "
            + "against it."
    }

    private var subjectName: String { result.isByPerson ? "person" : "registration" }
    private var subject: String { result.isByPerson ? "people" : "registrations" }

    // MARK: Answers

    var answers: [ResultDescription.Answer] {
        ConclusionWording(result: result, moments: moments, hint: hint).answers + data
    }

    private var data: [ResultDescription.Answer] {
        guard let outcome = result.outcome else { return [] }
        return [
            ResultDescription.Answer(
                question: "Data",
                text:
                    "\(outcome.events.counting("event")) with the name \(safe(outcome.name)), the "
                    + "last \(moments.ago(of: outcome.last))."
            )
        ]
    }

    /// One per comparison if there are several; the answers describe a single one.
    var details: [ResultDescription.Detail] {
        let compared = result.compared
        guard result.outcome != nil, compared.count > 1 else { return [] }
        return zip(compared, result.findings).map { one, finding in
            let pair = ArmPair(
                arm: one.arm,
                control: one.control,
                outcome: result.name.outcome,
                isByPerson: result.isByPerson
            )
            let verdict = VerdictWording(
                comparison: one.one,
                finding: finding,
                pair: pair,
                result: result,
                moments: moments
            )
            return ResultDescription.Detail(
                title: "\(pair.armName) compared with \(pair.controlName)",
                answers: [
                    ResultDescription.Answer(question: "Result", text: verdict.winner),
                    ResultDescription.Answer(question: "How sure", text: verdict.certainty),
                    ResultDescription.Answer(question: "Since when", text: verdict.since),
                    ResultDescription.Answer(question: "What next", text: verdict.next),
                ]
            )
        }
    }

    // MARK: Notes

    var notes: [String] {
        var notes: [String] = []
        if result.comparison?.omitsHoldOut == true {
            notes.append(
                "\(result.isByPerson ? "People" : "Registrations") without a message are not "
                    + "compared: they cannot receive or open it."
            )
        }
        if let adjustment { notes.append(adjustment) }
        if !result.android.isEmpty { notes.append(AndroidWording(result: result).note) }
        if result.isPlannedByDefault, result.outcome != nil {
            notes.append(
                "No expectation was given, so this look assumes: \(plan). Later looks assume the "
                    + "same. The ranges are right with any assumption, and narrowest with a good "
                    + "one."
            )
        } else if result.outcome != nil {
            notes.append("Assumed since the first look: \(plan).")
        }
        if result.isUnrecorded {
            notes.append(
                "This look was not recorded, because you may not write to the state. The ranges "
                    + "hold nevertheless."
            )
        }
        if result.conflicts > 0 {
            notes.append(
                "\(result.conflicts.counting(subjectName, plural: subject)) found in two arms, for "
                    + "example because `global_holdout` was raised between two sends. They count for none."
            )
        }
        if result.erased > 0 {
            let verb = result.erased == 1 ? "is" : "are"
            notes.append("\(result.erased.counting("erased registration")) \(verb) left out.")
        }
        if result.otherOccurrences > 0 {
            notes.append(
                "\(result.otherOccurrences.counting("earlier send")) with other arms not included."
            )
        }
        if result.arms.contains(where: { $0.requests == nil }) {
            notes.append(
                "The outcomes of single requests were dropped; what FCM accepted per arm is "
                    + "not known any longer."
            )
        }
        let others = result.outcomes.map(\.name).filter { $0 != result.name.outcome }
        if !others.isEmpty {
            notes.append(
                "Other outcomes: \(others.map(safe).joined(separator: ", ")); show one with "
                    + "`--outcome NAME`."
            )
        }
        return notes
    }

    /// What the numbers from before the experiment change; nil if there are none.
    private var adjustment: String? {
        guard let comparison = result.comparison, comparison.evaluation.adjustment != nil else {
            return nil
        }
        let narrowings = comparison.narrowings.compactMap(\.self)
        let effect =
            narrowings.isEmpty
            ? "."
            : ": "
                + zip(result.compared, comparison.narrowings).compactMap { one, share in
                    share.map {
                        let change = abs($0) < 0.005 ? "as wide" : $0 > 0 ? "narrower" : "wider"
                        let size = abs($0) < 0.005 ? "" : "about \(Self.whole(abs($0))) % "
                        return "for \(safe(one.arm.label)), the range is \(size)\(change)"
                    }
                }.joined(separator: "; ") + "."
        return "The ranges use the list's `covariate`, the number from before the experiment, so "
            + "differences between arms that existed before do not count (CUPED)\(effect)"
    }

    private static func whole(_ share: Double) -> String {
        ResultNumbers.decimal(share * 100, digits: 0)
    }

    private var plan: String {
        let goal = result.plan.wantsLess ? "less is better" : "more is better"
        let difference = numbers.difference(result.plan.smallestDifference)
        switch result.plan.measure {
        case .share(let rate):
            return "\(numbers.value(rate)) of the control have the outcome, a difference of "
                + "\(difference) matters, \(goal)"
        case .mean(let deviation):
            return "amounts have a standard deviation of \(numbers.value(deviation)), a difference "
                + "of \(difference) matters, \(goal)"
        }
    }

    // MARK: Table

    /// Says which columns count requests.
    var caption: String {
        let each = result.isByPerson ? ", one per registration" : ""
        return "\(result.isByPerson ? "People" : "Registrations") of each arm, and their requests "
            + "(accepted to held out\(each))"
    }

    var columns: [String] {
        ["arm", subject, "accepted", "rejected", "unknown", "left out", "held out"]
            + ["\(subject) with outcome"] + (isAmount ? ["sum"] : [])
    }

    private var isAmount: Bool {
        if case .mean = result.plan.measure { true } else { false }
    }

    var rows: [[String]] {
        result.arms.map { arm in
            let requests = arm.requests
            let counts = [
                requests?.tally[.accepted], requests?.tally[.rejected], requests?.tally[.unknown],
                requests.map { $0.tally[.suppressed] - $0.heldOut }, requests?.heldOut,
            ].map { $0.map(\.grouped) ?? "not known" }
            return [safe(arm.label), arm.subjects.grouped] + counts + [outcome(of: arm)]
                + (isAmount ? [numbers.value(arm.sum)] : [])
        }
    }

    private func outcome(of arm: ArmResult) -> String {
        guard result.outcome != nil else { return "not known" }
        let share =
            arm.subjects == 0
            ? "" : " (\(ResultNumbers.percent(Double(arm.successes) / Double(arm.subjects))))"
        return "\(arm.successes.grouped) of \(arm.subjects.grouped)\(share)"
    }

    private func safe(_ text: String) -> String { TextStyle.safe(text) }
}
