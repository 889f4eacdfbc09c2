package import Diagnostics

/// What people read about a rule: `herald explain RULE` prints it, and Documentation/Rules/ is
/// made of it.
package struct RulePage: Sendable {
    package let id: RuleID
    /// Paragraphs, with a blank line between them; the first sentence stands for the whole.
    package let whatItDoes: String
    package let whyIsThisBad: String
    /// Files in which this rule finds something, and no other does.
    package let example: RuleExample
    /// The same files without the problem: no rule finds anything.
    package let useInstead: RuleExample
    /// The public texts that the rule rests on.
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

    /// The first sentence of what it does.
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
