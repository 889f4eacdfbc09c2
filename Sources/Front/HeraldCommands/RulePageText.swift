import CampaignRules
import Diagnostics
import JSON
import Presentation

/// Renders a rule's page for a terminal, with prose at most 76 columns wide.
struct RulePageText {
    let page: RulePage
    let style: TextStyle

    var text: String {
        let severity = page.id.severity
        let head =
            style.paint(page.id.rawValue, .strong) + "  "
            + style.paint(severity.rawValue, severity.tone)
        let sections = [
            section("What it does", prose(page.whatItDoes)),
            section("Why is this bad", prose(page.whyIsThisBad)),
            section("Example", files(page.example)),
            section("Use instead", files(page.useInstead)),
            section("Source", prose(page.source)),
        ]
        return ([[head] + prose(page.settings)] + sections).map { lines in
            lines.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        [style.paint(title, .strong)] + lines
    }

    private func prose(_ text: String) -> [String] {
        text.wrapped(to: 74).map { $0.isEmpty ? "" : "  " + $0 }
    }

    private func files(_ example: RuleExample) -> [String] {
        let blocks = example.files.map { file in
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            return ["  " + style.paint(file.title, .faint)]
                + lines.map { $0.isEmpty ? "" : "    " + TextStyle.safe(String($0)) }
        }
        return Array(blocks.joined(separator: [""]))
            + (example.note.map { [""] + prose($0) } ?? [])
    }
}

extension RulePage {
    /// The page as JSON.
    var json: JSONValue {
        .object([
            "rule": .string(id.rawValue),
            "severity": .string(id.severity.rawValue),
            "configurable": .bool(id.isConfigurable),
            "summary": .string(summary),
            "what_it_does": .string(whatItDoes),
            "why_is_this_bad": .string(whyIsThisBad),
            "example": example.json,
            "use_instead": useInstead.json,
            "source": .string(source),
        ])
    }
}

extension RuleExample {
    fileprivate var json: JSONValue {
        .array(
            files.map { file in
                .object([
                    "path": .string(file.path),
                    "encoding": .string(file.isLatin1 ? "ISO-8859-1" : "UTF-8"),
                    "text": .string(file.text),
                ])
            }
        )
    }
}

extension RuleExample.File {
    fileprivate var title: String { isLatin1 ? "\(path), in ISO 8859-1" : path }
}

extension Severity {
    /// The text style for a terminal.
    var tone: TextStyle.Tone {
        switch self {
        case .error: .bad
        case .warning: .attention
        case .note: .plain
        }
    }
}
