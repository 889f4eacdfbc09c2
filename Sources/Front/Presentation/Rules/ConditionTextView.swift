package import CampaignLoading
import CampaignModel
import CampaignRules
package import Diagnostics

/// Renders a condition's truth table and findings as text.
package struct ConditionTextView: Sendable {
    private let style: TextStyle
    private let catalog: SourceCatalog

    package init(style: TextStyle, catalog: SourceCatalog) {
        self.style = style
        self.catalog = catalog
    }

    package func render(_ declaration: ConditionDeclaration) -> String {
        let rows = declaration.condition.truth.rows
        let reached = rows.filter(\.isReached)
        let title = "reaches \(reached.count) of \(rows.count) sets of subscriptions"
        let table =
            [style.paint(title, in: .strong)]
            + reached.map { "  " + $0.wording }
        let log = declaration.findings.reduce(into: DiagnosticLog()) { $0.report($1) }
        let findings = FindingsTextView(style: style).render(log.sorted(in: catalog), in: catalog)
        let lines = meaning(of: declaration.condition) + [""] + table
        return style.folded(lines.joined(separator: "\n") + "\n")
            + (findings.isEmpty ? "" : "\n" + findings)
    }

    private func meaning(of condition: Condition) -> [String] {
        let canonical = condition.canonical?.text
        let always = condition.truth.isNeverTrue ? "never true" : "always true"
        let mentions = condition.mentions.count.counting("mention")
        let topics = condition.topics.count.counting("topic")
        return ["  means  \(canonical ?? always)", "  names  \(topics) in \(mentions)"]
    }
}

extension ConditionTruth.Row {
    /// For example, `subscribed to tides and azores, not to madeira`.
    fileprivate var wording: String {
        if subscribed.isEmpty { return "not subscribed to \(Self.list(others, joinedBy: "or"))" }
        let rest = others.isEmpty ? "" : ", not to \(Self.list(others, joinedBy: "or"))"
        return "subscribed to \(Self.list(subscribed, joinedBy: "and"))" + rest
    }

    private static func list(_ topics: [Topic], joinedBy word: String) -> String {
        let names = topics.map(\.name)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }
}
