package import Diagnostics

/// A comment of a YAML text.
package struct SyntaxComment: Hashable, Sendable {
    /// From the `#` to the last byte of the line that is no blank.
    package let span: SourceSpan
    /// What follows the `#` within the span, as it stands.
    package let text: String
    /// Nothing but blanks stands before it on its line.
    package let standsAlone: Bool

    package init(span: SourceSpan, text: String, standsAlone: Bool) {
        self.span = span
        self.text = text
        self.standsAlone = standsAlone
    }
}
