import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import JSON
import Presentation
import YAMLSyntax

/// Explains a condition with a truth table and the findings of the rules.
struct ConditionExplanation {
    let declaration: ConditionDeclaration
    let catalog: SourceCatalog

    /// Guesses whether a text is a condition.
    ///
    /// Does not parse it.
    static func looksLikeCondition(_ text: String) -> Bool {
        text.contains("'") || text.contains("in topics")
    }

    /// Prints explanations of conditions to standard output.
    ///
    /// Exits with 65 after a condition that cannot be parsed.
    ///
    /// The JSON output is an object for one condition and an array for several.
    static func explain(
        _ texts: [String],
        as format: Explain.Format,
        _ options: GlobalOptions
    ) throws {
        let explanations = try texts.map { text in try read(text, options) }
        switch format {
        case .text:
            let useColor = options.useColor(CommandContext.isOutputTerminal)
            Output.data(explanations.map { $0.text(useColor: useColor) }.joined(separator: "\n"))
        case .json:
            let values = explanations.map(\.json)
            let one = values.count == 1 ? values.first : nil
            Output.data((one ?? .array(values)).prettyText + "\n")
        }
    }

    private static func read(
        _ text: String,
        _ options: GlobalOptions
    ) throws -> ConditionExplanation {
        var catalog = SourceCatalog()
        let bytes = Array(text.utf8)
        let source = catalog.add(path: "condition", bytes: bytes)
        let scalar = SyntaxScalar(text: text, style: .doubleQuoted, verbatimStart: 0)
        let node = SyntaxNode(
            span: SourceSpan(source: source, start: 0, end: bytes.count),
            content: .scalar(scalar)
        )
        var log = DiagnosticLog()
        if let declaration = ValueReader<ConditionDeclaration>.condition.read(node, &log) {
            return ConditionExplanation(declaration: declaration, catalog: catalog)
        }
        let view = DiagnosticView(useColor: options.useColor(CommandContext.isErrorTerminal))
        Output.message(view.render(log.sorted(in: catalog), catalog))
        throw ExitReason.invalidFiles.code
    }
}

extension ConditionExplanation {
    private var condition: Condition { declaration.condition }

    /// Keys: `expression` as given; `canonical`, null if the condition is always true or never
    /// true; `topics`; `rows`, one per set of subscriptions; `findings`.
    var json: JSONValue {
        let truth = condition.truth
        return .object([
            "expression": .string(condition.text),
            "canonical": condition.canonical.map { .string($0.text) } ?? .null,
            "topics": Self.array(truth.topics),
            "rows": .array(
                truth.rows.map { row in
                    .object([
                        "subscribed": Self.array(row.subscribed), "reached": .bool(row.isReached),
                    ])
                }
            ),
            "findings": .array(
                declaration.findings.map { finding in
                    .object([
                        "rule": .string(finding.rule.rawValue),
                        "severity": .string(finding.severity.rawValue),
                        "message": .string(finding.message),
                    ])
                }
            ),
        ])
    }

    private static func array(_ topics: [Topic]) -> JSONValue {
        .array(topics.map { .string($0.name) })
    }

    func text(useColor: Bool) -> String {
        let style = TextStyle(useColor: useColor)
        let rows = condition.truth.rows
        let reached = rows.filter(\.isReached)
        let title = "reaches \(reached.count) of \(rows.count) sets of subscriptions"
        let table = [style.paint(title, .strong)] + reached.map { "  " + $0.words }
        let log = declaration.findings.reduce(into: DiagnosticLog()) { $0.report($1) }
        let findings = DiagnosticView(useColor: useColor).render(log.sorted(in: catalog), catalog)
        return (meaning + [""] + table).joined(separator: "\n") + "\n"
            + (findings.isEmpty ? "" : "\n" + findings)
    }

    private var meaning: [String] {
        let canonical = condition.canonical?.text
        let always = condition.truth.isNeverTrue ? "never true" : "always true"
        let mentions = condition.mentions.count.counting("mention")
        return [
            "  means  \(canonical ?? always)",
            "  names  \(condition.topics.count.counting("topic")) in \(mentions)",
        ]
    }
}

extension ConditionTruth.Row {
    /// For example, `subscribed to tides and azores, not to madeira`.
    fileprivate var words: String {
        if subscribed.isEmpty { return "not subscribed to \(Self.list(others, "or"))" }
        let rest = others.isEmpty ? "" : ", not to \(Self.list(others, "or"))"
        return "subscribed to \(Self.list(subscribed, "and"))" + rest
    }

    private static func list(_ topics: [Topic], _ word: String) -> String {
        let names = topics.map(\.name)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }
}
