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
    private let style: TextStyle
    private let hint: CommandHint
    private let path: String

    /// `path`: the path of the state.
    package init(style: TextStyle = .plain, hint: CommandHint, path: String) {
        self.style = style
        self.hint = hint
        self.path = path
    }

    package func renderSound() -> String {
        style.folded(
            "The state \(TextStyle.safe(path)) is intact and not outdated: nothing to recover. "
                + "If it is an older copy, run `\(hint("state recover --rolled-back"))`.\n"
        )
    }

    package func render(_ report: RecoveryReport) -> String {
        let parts = [
            head(report), carried(report), sendings(report), rules(report), unknowable(report),
        ]
        return style.folded(parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private func head(_ report: RecoveryReport) -> String {
        let state = "The state of \(report.environment)"
        let identity = "lineage \(report.identity.lineage), serial \(report.identity.serial)"
        let kept = report.kept.map { "The old file is kept as \(TextStyle.safe($0)).\n" } ?? ""
        let text =
            switch report.loss {
            case .none: ""
            case .missing: "\(state) was missing and was created again: \(identity).\n"
            case .damaged(let reason):
                "\(state) was damaged: \(reason). Readable data was kept: \(identity).\n"
            case .rolledBack:
                "\(state) was an older copy with serial \(report.former). It is kept: "
                    + "\(identity).\n"
            }
        return text + kept
    }

    private func carried(_ report: RecoveryReport) -> String {
        guard report.loss.isDamage else { return "" }
        let tables = report.carried.filter { $0.rows > 0 || $0.hasGap }
        let lines = tables.map { table in
            let gap = table.hasGap ? ", not all of them readable" : ""
            return "  \(table.table): \(table.rows.counting("row"))\(gap)\n"
        }
        let nothing = "  nothing could be read\n"
        let keys =
            report.hasIdentity
            ? ""
            : "  its keys are lost, so memberships, dead registrations and stored lists "
                + "cannot be read\n"
        let repairs = report.repairs.map { "  lost: \($0)\n" }.joined()
        return "Kept:\n" + (lines.isEmpty ? nothing : lines.joined() + keys) + repairs
    }

    private func sendings(_ report: RecoveryReport) -> String {
        guard !report.sendings.isEmpty else { return "" }
        let lines = report.sendings.map { sending in
            "  \(sending.occurrence)  \(sending.unit.wording), \(sending.unknown.grouped) unknown\n"
        }
        let first = report.sendings[0].occurrence
        return "These may have been sent. Herald does not send them until you resolve them:\n"
            + lines.joined()
            + "Resolve each with `\(hint("resolve \(first) sent"))`, or with `resend` or `drop`.\n"
    }

    private func rules(_ report: RecoveryReport) -> String {
        guard !report.rules.isEmpty else { return "" }
        let names = report.rules.map(\.rawValue).joined(separator: ", ")
        return "Schedules continue from now and skip earlier due times: \(names).\n"
    }

    private func unknowable(_ report: RecoveryReport) -> String {
        let isAll = report.loss == .missing
        return """
            No longer known:
              sends of campaigns that are no longer in the files
              the recipients of sends\(isAll ? "" : " that it does not contain"), and FCM's answers
              which registrations opted out, or were removed from a list and are still subscribed: \
            the next apply joins all registrations in the lists
              pauses and holds\(isAll ? "" : " that it does not contain")

            """
    }
}
