/// The severity of a finding; errors compare as greatest.
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

/// A problem that Herald found in its input.
///
/// All text in it may quote untrusted input; the code that shows it must make it safe.
package struct Diagnostic: Hashable, Sendable {
    package let rule: RuleID
    package let severity: Severity
    package let message: String
    /// nil if the problem has no place in a file.
    package let span: SourceSpan?
    /// The text next to the underlined place.
    package let label: String?
    package let related: [RelatedPlace]
    package let help: [String]
    /// An edit that repairs the problem; the first `help` describes it.
    package let fix: Fix?

    /// Uses the rule's own severity unless one is given.
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

    /// Returns the finding with every text changed; a fix is dropped if its text would change.
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

    /// Returns the finding with another applicability for its fix.
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

    /// Returns the finding with another related place at the end.
    package func adding(_ place: RelatedPlace) -> Diagnostic {
        Diagnostic(
            rule: rule,
            severity: severity,
            message: message,
            span: span,
            label: label,
            related: related + [place],
            help: help,
            fix: fix
        )
    }

    /// Returns the finding with another severity.
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

/// An edit that replaces the bytes of a span.
package struct Fix: Hashable, Sendable {
    /// Whether the edit needs a review.
    package enum Applicability: String, CaseIterable, Sendable {
        /// The edit certainly matches the author's intent; a program may apply it without asking.
        case safe
        /// A guess, or one of several possible fixes; a person has to review it.
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
