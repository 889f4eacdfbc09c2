package import Diagnostics

/// The documentation of a rule.
///
/// `herald explain RULE` prints it, and Documentation/Rules/ is generated from it.
package struct RulePage: Sendable {
    package let id: RuleID
    /// Paragraphs, separated by blank lines; the first sentence is the summary.
    package let whatItDoes: String
    package let whyIsThisBad: String
    /// Files in which this rule finds something, and no other rule does.
    package let example: RuleExample
    /// The same files without the problem: no rule finds anything.
    package let useInstead: RuleExample
    /// The public sources of the rule.
    package let source: String

    package init(
        _ id: RuleID,
        whatItDoes: String,
        whyIsThisBad: String,
        example: RuleExample,
        useInstead: RuleExample,
        source: String
    ) {
        self.id = id
        self.whatItDoes = whatItDoes
        self.whyIsThisBad = whyIsThisBad
        self.example = example
        self.useInstead = useInstead
        self.source = source
    }

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
