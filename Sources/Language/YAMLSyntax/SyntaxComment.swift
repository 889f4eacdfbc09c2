package import Diagnostics

/// A comment of a YAML text.
package struct SyntaxComment: Hashable, Sendable {
    /// From the `#` to the last non-blank byte of the line.
    package let span: SourceSpan
    /// The unchanged text after the `#` within the span.
    package let text: String
    /// Whether only blanks precede it on its line.
    package let standsAlone: Bool

    package init(span: SourceSpan, text: String, standsAlone: Bool) {
        self.span = span
        self.text = text
        self.standsAlone = standsAlone
    }
}
