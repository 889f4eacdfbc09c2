import CampaignModel
package import Memberships
import State

/// Renders what `herald registrations retry` did.
package struct RefusedJoinTextView: Sendable {
    private let style: TextStyle
    private let hint: CommandHint

    package init(style: TextStyle, hint: CommandHint = .local) {
        self.style = style
        self.hint = hint
    }

    /// `joins`: the selected refused joins, of which only those of dead registrations stay refused.
    package func render(_ joins: [RefusedJoins]) -> String {
        let total = joins.reduce(0) { $0 + $1.fingerprints.count }
        var lines = joins.filter { !$0.fingerprints.isEmpty }.map { joins in
            "  \(joins.scope.audience) in \(joins.scope.topic)  "
                + joins.fingerprints.count.counting("join")
        }
        let dead = joins.reduce(0) { $0 + $1.dead }
        if dead > 0 {
            lines.append(
                "\(dead.counting("join")) of dead registrations "
                    + (dead == 1 ? "stays" : "stay") + " refused; if FCM was wrong, use "
                    + "`\(hint("registrations revive FINGERPRINT|@FILE"))` first"
            )
        }
        lines.append(
            total == 0
                ? "No joins to retry. Nothing was changed."
                : "The next plan contains \(total.counting("join")) again: `\(hint("plan"))`"
        )
        return style.folded(lines.joined(separator: "\n") + "\n")
    }
}
