/// How bad it is; the worst is the greatest.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    case note
    case warning
    case error

    package static func < (left: Severity, right: Severity) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// One problem that Herald found in what it was given.
///
/// All text in it may quote untrusted input; whoever shows it makes it harmless.
package struct Diagnostic: Hashable, Sendable {
    package let rule: RuleID
    package let severity: Severity
    package let message: String
    /// nil where no place in a file is to blame.
    package let span: SourceSpan?
    /// What stands beside the underlined place.
    package let label: String?
    package let related: [RelatedPlace]
    package let help: [String]
    /// An edit that repairs the problem; the first `help` describes it.
    package let fix: Fix?

    /// Without a severity it is the rule's own.
    package init(
        rule: RuleID,
        severity: Severity? = nil,
        message: String,
        span: SourceSpan?,
        label: String? = nil,
        related: [RelatedPlace] = [],
        help: [String] = [],
        fix: Fix? = nil
    ) {
        self.rule = rule
        self.severity = severity ?? rule.severity
        self.message = message
        self.span = span
        self.label = label
        self.related = related
        self.help = help
        self.fix = fix
    }

    /// The same finding with every text of it changed; a fix whose text would change is left out.
    package func rewording(_ change: (String) -> String) -> Diagnostic {
        Diagnostic(
            rule: rule,
            severity: severity,
            message: change(message),
            span: span,
            label: label.map(change),
            related: related.map { RelatedPlace(span: $0.span, message: change($0.message)) },
            help: help.map(change),
            fix: fix.flatMap { change($0.replacement) == $0.replacement ? $0 : nil }
        )
    }

    /// The same finding with its edit more or less certain.
    package func offering(_ applicability: (Fix) -> Fix.Applicability) -> Diagnostic {
        guard let fix else { return self }
        let offered = Fix(
            span: fix.span,
            replacement: fix.replacement,
            applicability: applicability(fix)
        )
        return Diagnostic(
            rule: rule,
            severity: severity,
            message: message,
            span: span,
            label: label,
            related: related,
            help: help,
            fix: offered
        )
    }

    /// The same finding, taken more or less seriously.
    package func with(severity: Severity) -> Diagnostic {
        Diagnostic(
            rule: rule,
            severity: severity,
            message: message,
            span: span,
            label: label,
            related: related,
            help: help,
            fix: fix
        )
    }
}

/// A second place that explains a diagnostic.
package struct RelatedPlace: Hashable, Sendable {
    package let span: SourceSpan
    package let message: String

    package init(span: SourceSpan, message: String) {
        self.span = span
        self.message = message
    }
}

/// An edit: the replacement stands in place of the span's bytes.
package struct Fix: Hashable, Sendable {
    /// Who may make the edit.
    package enum Applicability: String, CaseIterable, Sendable {
        /// It says what the author surely meant: a program may make it unasked.
        case safe
        /// A guess, or one way out of several: somebody has to look at it.
        case suggested
    }

    package let span: SourceSpan
    package let replacement: String
    package let applicability: Applicability

    package init(
        span: SourceSpan,
        replacement: String,
        applicability: Applicability = .suggested
    ) {
        self.span = span
        self.replacement = replacement
        self.applicability = applicability
    }
}
