import CampaignLoading
import CampaignRules
import Diagnostics
import JSON
import Presentation
import YAMLSyntax

/// A condition of the command line, with its findings.
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
    /// Exits with 65 if a condition cannot be parsed, or if a rule refuses it.
    ///
    /// The JSON output is an object for one condition and an array for several.
    static func explain(
        _ texts: [String],
        as format: ExplainFormat,
        options: ProjectOptions
    ) throws {
        let explanations = try texts.map { text in try read(text, options: options) }
        switch format {
        case .text:
            let texts = explanations.map { explanation in
                ConditionTextView(style: options.outputStyle, catalog: explanation.catalog)
                    .render(explanation.declaration)
            }
            Output.data(texts.joined(separator: "\n"))
        case .json:
            let values = explanations.map { ConditionJSONView().value($0.declaration) }
            let one = values.count == 1 ? values.first : nil
            Output.data((one ?? .array(values)).prettyText + "\n")
        }
        let findings = explanations.flatMap(\.declaration.findings)
        guard !findings.contains(where: { $0.severity == .error }) else {
            throw ExitReason.invalidFiles.code
        }
    }

    private static func read(
        _ text: String,
        options: ProjectOptions
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
        let view = FindingsTextView(style: options.errorStyle)
        Output.message(view.render(log.sorted(in: catalog), in: catalog))
        throw ExitReason.invalidFiles.code
    }
}
