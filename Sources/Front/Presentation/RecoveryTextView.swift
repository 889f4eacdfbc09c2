package import Applying
package import CampaignModel
package import State

/// The kind of damage to a state.
package enum StateLoss: Hashable, Sendable {
    case none
    case missing
    case damaged(String)
    case rolledBack

    package var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }
}

/// The result of a recovery.
package struct RecoveryReport {
    package let environment: EnvironmentID
    package let loss: StateLoss
    /// The serial before the recovery.
    package let former: StateSerial
    package var identity: StateIdentity
    /// The tables of a damaged state, with a flag if some rows could not be read.
    package let carried: [(table: String, rows: Int, hasGap: Bool)]
    /// The records of a damaged state that are lost, as text.
    package let repairs: [String]
    /// Whether lineage and fingerprint key survived.
    package let hasIdentity: Bool
    package let sendings: [RecoveredSending]
    package let rules: [CampaignID]
    package let isUnknown: Bool
    /// The path of the replaced file.
    package var kept: String?

    package init(
        environment: EnvironmentID,
        loss: StateLoss,
        former: StateSerial,
        identity: StateIdentity,
        carried: [(String, Int, Bool)],
        repairs: [String],
        hasIdentity: Bool,
        sendings: [RecoveredSending],
        rules: [CampaignID],
        isUnknown: Bool
    ) {
        self.environment = environment
        self.loss = loss
        self.former = former
        self.identity = identity
        self.carried = carried.map { (table: $0.0, rows: $0.1, hasGap: $0.2) }
        self.repairs = repairs
        self.hasIdentity = hasIdentity
        self.sendings = sendings
        self.rules = rules
        self.isUnknown = isUnknown
    }
}

/// Renders the result of `herald state recover`, including what stays unknown.
package struct RecoveryTextView {
    private let hint: CommandHint
    private let path: String

    /// `path`: the path of the state.
    package init(hint: CommandHint, path: String) {
        self.hint = hint
        self.path = path
    }

    package func renderSound() -> String {
        "The state \(TextStyle.safe(path)) is sound and no older than seen: nothing to recover. "
            + "Where it is an old copy, say `\(hint("state recover --rolled-back"))`.\n"
    }

    package func render(_ report: RecoveryReport) -> String {
        [
            head(report), carried(report), sendings(report), rules(report), unknowable(report),
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func head(_ report: RecoveryReport) -> String {
        let state = "The state of \(report.environment)"
        let identity = "lineage \(report.identity.lineage), serial \(report.identity.serial)"
        let kept = report.kept.map { "What was there is kept as \(TextStyle.safe($0)).\n" } ?? ""
        let text =
            switch report.loss {
            case .none: ""
            case .missing: "\(state) was missing and is made anew: \(identity).\n"
            case .damaged(let reason):
                "\(state) was damaged: \(reason). What can be read is carried over: \(identity).\n"
            case .rolledBack:
                "\(state) was older than what happened, its serial \(report.former): it is kept, "
                    + "\(identity).\n"
            }
        return text + kept
    }

    private func carried(_ report: RecoveryReport) -> String {
        guard report.loss.isDamage else { return "" }
        let tables = report.carried.filter { $0.rows > 0 || $0.hasGap }
        let lines = tables.map { table in
            let gap = table.hasGap ? ", and not all of it could be read" : ""
            return "  \(table.table): \(table.rows.counting("row"))\(gap)\n"
        }
        let nothing = "  nothing at all could be read\n"
        let keys =
            report.hasIdentity
            ? ""
            : "  its keys are gone: memberships, dead registrations and stored lists "
                + "can't be read without\n"
        let repairs = report.repairs.map { "  lost: \($0)\n" }.joined()
        return "Carried over:\n" + (lines.isEmpty ? nothing : lines.joined() + keys) + repairs
    }

    private func sendings(_ report: RecoveryReport) -> String {
        guard !report.sendings.isEmpty else { return "" }
        let lines = report.sendings.map { sending in
            "  \(sending.occurrence)  \(sending.unit.words), \(sending.unknown.grouped) unknown\n"
        }
        let first = report.sendings[0].occurrence
        return "These may have been sent, and are not sent before you say what became of them:\n"
            + lines.joined()
            + "Settle each with `\(hint("resolve \(first) sent"))`, or with `resend` or `drop`.\n"
    }

    private func rules(_ report: RecoveryReport) -> String {
        guard !report.rules.isEmpty else { return "" }
        let names = report.rules.map(\.rawValue).joined(separator: ", ")
        return "Rules go on from now; what was due before is not made up for: \(names).\n"
    }

    private func unknowable(_ report: RecoveryReport) -> String {
        let isAll = report.loss == .missing
        return """
            What nobody can know:
              what was sent of campaigns that are not in the files any more
              \(isAll ? "what was sent" : "what of it was sent since") to whom, and FCM's answers
              who left a topic by himself, or was taken out of a list meanwhile and is still \
            subscribed: the next apply joins who is in the lists
              pauses and holds that were set\(isAll ? "" : " since")

            """
    }
}
