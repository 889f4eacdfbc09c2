package import CampaignModel
import Diagnostics
import YAMLSyntax

extension ValueReader where Value == Objective {
    /// Reads a share and a time, such as `90% in 2m`.
    package static let objective = ValueReader(
        .text(
            TextForm(
                pattern: "(?!0+(\\.0+)?%)\(ValueReader<Percentage>.percentPattern) in "
                    + "(?=[0-9dhms]*[1-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?"
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar(wording, reportingTo: &log) else { return nil }
        if let objective = Objective(scalar.text) { return objective }
        let (share, time) = Objective.parts(of: scalar.text)
        let problem = ObjectiveProblem(share: share, time: time)
        log.report(
            Diagnostic(
                rule: problem.rule,
                message: "`\(scalar.written)` is not \(wording)",
                span: node.span,
                label: problem.label,
                help: [problem.help]
            )
        )
        return nil
    }

    private static let wording = "an objective such as `90% in 2m`"
}

/// The first part of a text that is wrong.
private struct ObjectiveProblem {
    let rule: RuleID
    let label: String
    let help: String

    init(share: String, time: String?) {
        if Percentage(share) == nil {
            rule = .percentage
            label = "should begin with a share such as `90%`"
            help = "write a share from `0.01%` to `100%`, ` in `, and a time"
        } else if time.flatMap(DurationText.seconds) == nil {
            rule = .durationSyntax
            label = time == nil ? "has no time" : "should end with a time such as `2m`"
            help = "write `\(share) in`, and the time as `90s`, `30m` or `1h30m`"
        } else {
            rule = .numberOutOfRange
            label = "should be a share above 0%, and a time from 1s to 28d"
            help = "write, for example, `90% in 2m`"
        }
    }
}
