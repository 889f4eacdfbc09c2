package import CampaignRules
import Diagnostics

/// Renders a rule's page as text, with prose four columns narrower than the output.
package struct RuleTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ page: RulePage) -> String {
        let severity = page.id.severity
        let head =
            style.paint(page.id.rawValue, in: .strong) + "  "
            + style.paint(severity.rawValue, in: severity.tone)
        let sections = [
            section("What it does", lines: prose(page.whatItDoes)),
            section("Why is this bad", lines: prose(page.whyIsThisBad)),
            section("Example", lines: files(page.example)),
            section("Use instead", lines: files(page.useInstead)),
            section("Source", lines: prose(page.source)),
        ]
        return ([[head] + prose(page.settings)] + sections).map { lines in
            lines.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func section(_ title: String, lines: [String]) -> [String] {
        [style.paint(title, in: .strong)] + lines
    }

    private func prose(_ text: String) -> [String] {
        text.wrapped(to: style.width.prose - 6).map { $0.isEmpty ? "" : "  " + $0 }
    }

    private func files(_ example: RuleExample) -> [String] {
        let blocks = example.files.map { file in
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            return ["  " + style.paint(file.title, in: .faint)]
                + lines.map { $0.isEmpty ? "" : "    " + TextStyle.safe(String($0)) }
        }
        return Array(blocks.joined(separator: [""]))
            + (example.note.map { [""] + prose($0) } ?? [])
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
