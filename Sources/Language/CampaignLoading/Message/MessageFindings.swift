import Diagnostics
import Text
import YAMLSyntax

extension Diagnostic {
    static func wrongKind(
        _ node: SyntaxNode,
        expected: String,
        help: String?
    ) -> Diagnostic {
        let plain = Diagnostic.wrongKind(node, expected: expected)
        return Diagnostic(
            rule: plain.rule,
            message: plain.message,
            span: plain.span,
            label: plain.label,
            help: help.map { [$0] } ?? []
        )
    }

    /// Refuses a text in the form of a secret without repeating it.
    static func outside(
        _ domain: TextDomain,
        text: String,
        at span: SourceSpan
    ) -> Diagnostic {
        let isSecret = domain.isSecret || !SecretText.kinds(in: text).isEmpty
        return Diagnostic(
            rule: domain.rule,
            message: "\(isSecret ? "this" : "`\(text)`") is not \(domain.expected)",
            span: span,
            label: "should be \(domain.expected)",
            help: domain.help.map { [$0] } ?? []
        )
    }

    static func outOfRange(
        _ number: String,
        range: ClosedRange<Double>,
        at span: SourceSpan
    ) -> Diagnostic {
        let lower = range.lowerBound.words
        let isOpen = range.upperBound == .greatestFiniteMagnitude
        return Diagnostic(
            rule: .numberOutOfRange,
            message: "\(number) is out of range",
            span: span,
            label: "should be "
                + (isOpen ? "\(lower) or more" : "from \(lower) to \(range.upperBound.words)")
        )
    }

    static func unknownHeaderValue(
        _ text: String,
        among values: [String],
        at node: SyntaxNode
    ) -> Diagnostic {
        let isNumber = Int64(text) != nil
        let near = isNumber ? nil : SpellingSuggestion.key(text, among: values)
        return Diagnostic(
            rule: .invalidHeader,
            message: "`\(text)` is not \(values.oneOf)",
            span: node.span,
            label: "should be \(values.oneOf)",
            help: near.map { ["did you mean `\($0)`?"] } ?? [],
            fix: near.map { node.fix(writing: $0, among: values) }
        )
    }

    static func keyOfEmpty(
        _ key: String,
        of subject: String,
        at node: SyntaxNode
    ) -> Diagnostic {
        let correction = KeyCorrection(help: "\(subject) has no keys: write `{}`")
        return .unknownKey(key, of: subject, at: node.span, correction: correction)
    }

    static func deprecated(
        _ key: String,
        of subject: String,
        help: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .deprecatedKey,
            severity: .warning,
            message: "`\(key)` in \(subject) is deprecated by FCM",
            span: span,
            label: "deprecated, and removed from the reference",
            help: [help]
        )
    }
}

extension Double {
    /// Formats the number without decimals if it is whole.
    fileprivate var words: String {
        Int64(exactly: self).map { String($0) } ?? "\(self)"
    }
}
