import Diagnostics
import Text
import YAMLSyntax

extension Diagnostic {
    static func wrongKind(_ node: SyntaxNode, expected: String) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected \(expected), found \(node.isNull ? "nothing" : node.kindName)",
            span: node.span,
            label: "should be \(expected)"
        )
    }

    static func unacceptable(
        _ text: String,
        expected: ExpectedText,
        at span: SourceSpan,
        fix: Fix? = nil
    ) -> Diagnostic {
        Diagnostic(
            rule: expected.rule,
            message: "`\(text)` is not \(expected.wording)",
            span: span,
            label: "should be \(expected.wording)",
            help: expected.help.map { [$0] } ?? [],
            fix: fix
        )
    }

    static func outOfRange(
        _ number: String,
        range: ClosedRange<Int64>,
        at span: SourceSpan
    ) -> Diagnostic {
        let isOpen = range.upperBound == .max && number.hasPrefix("-")
        let words =
            isOpen
            ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
        return Diagnostic(
            rule: .numberOutOfRange,
            message: "\(number) is out of range",
            span: span,
            label: "should be \(words)"
        )
    }

    /// `node`: The scalar that contains the value.
    static func unknownValue(
        _ text: String,
        among values: [String],
        at node: SyntaxNode
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: text, among: values)
        return Diagnostic(
            rule: .unknownValue,
            message: "`\(text)` is not one of the values allowed here",
            span: node.span,
            label: "should be \(values.oneOf)",
            help: near.map { ["did you mean `\($0)`?"] } ?? [],
            fix: near.map { node.fix(writing: $0, among: values) }
        )
    }

    static func missingKey(
        _ key: String,
        of subject: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "\(subject) needs the key `\(key)`",
            span: span,
            label: "`\(key)` is missing here"
        )
    }

    static func unknownKey(
        _ key: String,
        of subject: String,
        at span: SourceSpan,
        correction: KeyCorrection
    ) -> Diagnostic {
        Diagnostic(
            rule: .unknownKey,
            message: "\(subject) has no key `\(key)`",
            span: span,
            label: "unknown key",
            help: [correction.help],
            fix: correction.fix
        )
    }

    static func notBuiltYet(
        _ key: String,
        in subject: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .notBuiltYet,
            message: "`\(key)` in \(subject) is not supported yet",
            span: span,
            label: "this version cannot act on it",
            help: ["remove it: Herald rejects keys that it cannot act on"]
        )
    }
}

/// What a text should be, for findings about other texts.
struct ExpectedText: Sendable {
    let wording: String
    let rule: RuleID
    let help: String?

    /// For example, `a duration`.
    init(_ wording: String, rule: RuleID, help: String? = nil) {
        self.wording = wording
        self.rule = rule
        self.help = help
    }

    /// Replaces the help if the text has only one possible meaning.
    func meaning(_ text: String?) -> ExpectedText {
        ExpectedText(wording, rule: rule, help: text.map { "write `\($0)`" } ?? help)
    }
}

/// How to correct a key that its mapping does not have.
struct KeyCorrection {
    let help: String
    let fix: Fix?

    init(help: String, fix: Fix? = nil) {
        self.help = help
        self.fix = fix
    }

    /// Suggests the nearest key; lists the known ones if none is near.
    init(to near: String?, among known: [String], of subject: String, fix: Fix?) {
        help =
            near.map { "did you mean `\($0)`?" }
            ?? "\(subject) can have \(known.map { "`\($0)`" }.joined(separator: ", "))"
        self.fix = fix
    }
}

extension [String] {
    /// Formats the values as text: `normal` or `high`.
    var oneOf: String {
        let quoted = map { "`\($0)`" }
        guard let last = quoted.last, count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}
