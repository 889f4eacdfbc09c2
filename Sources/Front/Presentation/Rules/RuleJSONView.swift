package import CampaignRules
import Diagnostics
package import JSON

/// Renders a rule's page as JSON.
package struct RuleJSONView: Sendable {
    package init() {}

    package func value(_ page: RulePage) -> JSONValue {
        .object([
            "rule": .string(page.id.rawValue),
            "severity": .string(page.id.severity.rawValue),
            "configurable": .bool(page.id.isConfigurable),
            "summary": .string(page.summary),
            "what_it_does": .string(page.whatItDoes),
            "why_is_this_bad": .string(page.whyIsThisBad),
            "example": value(page.example),
            "use_instead": value(page.useInstead),
            "source": .string(page.source),
        ])
    }

    private func value(_ example: RuleExample) -> JSONValue {
        .array(
            example.files.map { file in
                .object([
                    "path": .string(file.path),
                    "encoding": .string(file.isLatin1 ? "ISO-8859-1" : "UTF-8"),
                    "text": .string(file.text),
                ])
            }
        )
    }
}
