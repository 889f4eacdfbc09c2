package import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// Where a service reports what happens to its sends.
package struct NotifyDeclaration: Sendable {
    package var webhook: Spanned<VariableReference>?
    package var secret: Spanned<VariableReference>?

    package static let reader = MappingReader<NotifyDeclaration>(
        "`notify`",
        fields: [
            .required(
                "webhook",
                at: \.webhook,
                as: .variableReference,
                about:
                    "Variable with the URL that receives notifications, as `env:NAME`. Slack's "
                    + "incoming webhooks work.",
                examples: ["env:HERALD_WEBHOOK"]
            ),
            .optional(
                "secret",
                at: \.secret,
                as: .variableReference,
                about: "Variable with the key that signs notifications, as `env:NAME` "
                    + "(default: unsigned).",
                examples: ["env:HERALD_WEBHOOK_SECRET"]
            ),
        ]
    )
}

extension ValueReader where Value == VariableReference {
    /// Never repeats the value, because it may be the secret itself.
    static let variableReference = ValueReader(
        .text(TextForm(pattern: "env:[A-Za-z_][A-Za-z0-9_]*"))
    ) { node, log in
        guard let scalar = node.requireScalar("the name of a variable", reportingTo: &log) else {
            return nil
        }
        let name = scalar.text.dropFirst(4)
        guard scalar.text.hasPrefix("env:"), EnvironmentVariables.isName(name) else {
            log.report(.variableReference(at: node.span))
            return nil
        }
        return VariableReference(name: String(name))
    }
}

extension Diagnostic {
    fileprivate static func variableReference(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .invalidName,
            message: "this is not the name of an environment variable",
            span: span,
            label: "should be `env:NAME`",
            help: ["write `env:NAME`, and set the variable where the service runs"]
        )
    }
}
