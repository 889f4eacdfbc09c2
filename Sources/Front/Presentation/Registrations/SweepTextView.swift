import CampaignModel
package import Sending
import State

/// Renders what `herald registrations check` found.
package struct SweepTextView {
    private let style: TextStyle
    private let hint: CommandHint

    package init(style: TextStyle, hint: CommandHint = .local) {
        self.style = style
        self.hint = hint
    }

    /// `list`: The list as the command line names it.
    package func render(_ report: SweepReport, of list: String) -> String {
        let tally = report.tally
        let checked = report.count - report.skipped - report.unanswered
        var lines = [
            "Checked \(checked.counting("registration")): \(tally.valid.grouped) valid"
                + problems(tally).map { ", " + $0 }.joined() + "."
        ]
        if report.skipped > 0 {
            lines.append("\(report.skipped.grouped) were dead before and not checked.")
        }
        if report.unanswered > 0 {
            lines.append(
                "\(report.unanswered.grouped) without a conclusive answer: run the command again."
            )
        }
        if report.recorded > 0 {
            lines.append(
                "Recorded \(report.recorded.counting("dead registration")): Herald sends nothing "
                    + "to them. `\(hint("registrations prune \(TextStyle.safe(list))"))` removes "
                    + "them from the list."
            )
        }
        if tally.mismatched > 0 {
            lines.append("Registrations of another Firebase project are not recorded as dead.")
        }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func problems(_ tally: SweepReport.Tally) -> [String] {
        let problems = [
            (tally.unregistered, "unregistered"), (tally.invalid, "invalid"),
            (tally.mismatched, "of another Firebase project"), (tally.refused, "refused"),
        ]
        return problems.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    }
}

extension ErrorText {
    /// The answers of a sweep indicate a wrong list or project.
    package static func suspiciousSweep(
        _ evidence: WrongListDetector.WrongListEvidence
    ) -> ErrorText {
        let problems = (evidence.dead + evidence.mismatched).grouped
        return switch evidence.hold {
        case .mostlyDead:
            ErrorText(
                "\(problems) of the first \(evidence.answers.counting("registration")) are "
                    + "unregistered or belong to another Firebase project",
                help: "check that the list belongs to this environment; none of them was recorded "
                    + "as dead"
            )
        case .refusedPayload:
            ErrorText(
                "FCM refuses \(evidence.answers.counting("registration")) in a row",
                help: "check that the list contains registrations; none of them was recorded as "
                    + "dead"
            )
        }
    }
}
