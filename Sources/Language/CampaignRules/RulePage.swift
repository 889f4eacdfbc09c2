package import Diagnostics

/// The documentation of a rule, as its Markdown page contains it.
package struct RulePage: Sendable {
    package let id: RuleID
    package let severity: Severity
    /// How to configure and silence the rule.
    package let settings: String
    /// Paragraphs, with a blank line between them.
    ///
    /// The first sentence is the summary.
    package let whatItDoes: String
    package let whyIsThisBad: String
    /// Files in which this rule reports a finding, and no other rule does.
    package let example: RuleExample
    /// The same files without the problem: no rule reports a finding.
    package let useInstead: RuleExample
    /// The public documents that the rule follows.
    package let source: String

    /// The first sentence of `whatItDoes`.
    package var summary: String {
        let paragraph = whatItDoes.prefix { $0 != "\n" }
        var isCode = false
        var end = paragraph.startIndex
        while end < paragraph.endIndex {
            let next = paragraph.index(after: end)
            let isLast = next == paragraph.endIndex || paragraph[next] == " "
            if paragraph[end] == "`" { isCode.toggle() }
            if paragraph[end] == ".", isLast, !isCode { return String(paragraph[..<next]) }
            end = next
        }
        return String(paragraph)
    }
}

extension RuleID {
    /// The documentation of this rule.
    ///
    /// Every call parses the embedded Markdown.
    package var page: RulePage {
        do {
            return try RulePage(markdown: markdown)
        } catch {
            preconditionFailure("the embedded page of \(rawValue) is invalid: \(error)")
        }
    }
}
