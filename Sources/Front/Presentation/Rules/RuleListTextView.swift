package import CampaignRules
import Diagnostics

/// Renders one line per rule.
package struct RuleListTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ pages: [RulePage]) -> String {
        let width = pages.map(\.id.rawValue.count).max() ?? 0
        return pages.map { line($0, width) + "\n" }.joined()
    }

    private func line(_ page: RulePage, _ width: Int) -> String {
        let severity = page.id.severity
        let word = style.paint(severity.rawValue, severity.tone)
        return page.id.rawValue.padded(to: width) + "  " + word
            + "".padded(to: 7 - severity.rawValue.count) + "  " + page.summary
    }
}
