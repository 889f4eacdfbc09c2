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
        return pages.map { lines(of: $0, width: width).map { $0 + "\n" }.joined() }.joined()
    }

    /// The columns of a severity, and those between two cells.
    private static let severityColumns = 7
    private static let gap = 2
    /// A narrower summary continues below its rule instead.
    private static let narrowest = 30

    private func lines(of page: RulePage, width: Int) -> [String] {
        let severity = page.id.severity
        let word = style.paint(severity.rawValue, in: severity.tone)
        let head =
            page.id.rawValue.padded(to: width) + "  " + word
            + "".padded(to: Self.severityColumns - severity.rawValue.count) + "  "
        guard let columns = style.width.records else { return [head + page.summary] }
        let indent = width + Self.severityColumns + 2 * Self.gap
        guard columns - indent >= Self.narrowest else { return [style.folded(head + page.summary)] }
        let space = String(repeating: " ", count: indent)
        return page.summary.wrapped(to: columns - indent).enumerated().map { place, text in
            (place == 0 ? head : space) + text
        }
    }
}
