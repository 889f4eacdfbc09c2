package import CampaignModel
package import Planning
package import Sending
import State

/// A list whose registrations were checked, and the result.
package struct SweepView {
    /// The list as the command line names it.
    let list: String
    /// Whether the list is a file, from which `prune` removes dead registrations.
    let isFile: Bool
    let environment: EnvironmentID
    let report: SweepReport
    /// The held sends that the check has released.
    let releasedSends: [OccurrenceID]

    package init(
        list: String,
        isFile: Bool,
        environment: EnvironmentID,
        report: SweepReport,
        released: [OccurrenceID] = []
    ) {
        self.list = list
        self.isFile = isFile
        self.environment = environment
        self.report = report
        releasedSends = released
    }

    /// Number of registrations with a conclusive answer.
    var checked: Int { report.tally.answered }
}

/// Renders what `herald registrations check` costs and finds.
package struct SweepTextView {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// Renders the destination and the requests before the first one.
    ///
    /// `traffic`: with the `share` of the environment's quota.
    package func renderCost(
        of list: SweptList,
        named name: String,
        traffic: PlannedTraffic,
        share: Percentage,
        in destination: PlanDestination
    ) -> String {
        let effort = EffortWording(traffic: traffic).single(list.checked)
        let lines =
            [
                TextStyle.safe(DestinationWording(destination).line),
                "Check \(list.checked.counting("registration")) of \(TextStyle.safe(name)) with "
                    + "validate_only, within \(share) of the quota. Sends nothing.",
            ] + effort
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    package func render(_ sweep: SweepView) -> String {
        let report = sweep.report
        let hint = CommandHint(for: sweep.environment)
        var lines = [
            "Checked \(sweep.checked.counting("registration")): "
                + "\(report.tally[.valid].grouped) valid"
                + problems(report.tally).map { ", " + $0 }.joined() + "."
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
            let list = TextStyle.safe(sweep.list.quotedForShell)
            let prune = " `\(hint("registrations prune \(list)"))` removes them from the list."
            lines.append(
                "Recorded \(report.recorded.counting("dead registration")): Herald sends nothing "
                    + "to them." + (sweep.isFile ? prune : "")
            )
        }
        if report.tally[.mismatched] > 0 {
            lines.append("Registrations of another Firebase project are not recorded as dead.")
        }
        lines += sweep.releasedSends.map { occurrence in
            "Released \(TextStyle.safe(occurrence.description)): `\(hint("apply"))` resumes it."
        }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func problems(_ tally: SweepReport.Tally) -> [String] {
        let problems = [
            (tally[.unregistered], "unregistered"), (tally[.invalid], "invalid"),
            (tally[.mismatched], "of another Firebase project"), (tally[.refused], "refused"),
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
                    + "unregistered, invalid or of another Firebase project",
                help: "check that the list and its `kind` belong to this environment; none of them "
                    + "was recorded as dead"
            )
        case .refusedPayload, .lostWorker, .rollout:
            ErrorText(
                "FCM answered INVALID_ARGUMENT to \(evidence.answers.counting("request")) in a "
                    + "row, for another reason than the registration",
                help: "check the environment's project; none of them was recorded as dead"
            )
        }
    }
}
