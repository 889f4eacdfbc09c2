package import Diagnostics

/// One value of a YAML text and its span.
package struct SyntaxNode: Sendable {
    package enum Content: Sendable {
        case scalar(SyntaxScalar)
        case sequence([SyntaxNode])
        /// In text order, followed by the entries that `<<` merges; keys are unique.
        case mapping([SyntaxEntry])
    }

    /// From the first byte to the last, with brackets and quotes, without trailing blanks.
    ///
    /// An anchor or tag in front is not part of the span. An omitted value has an empty span after
    /// the colon, or after its key if there is no colon. A value that an alias or a merge key
    /// inserts keeps the span of its definition.
    package let span: SourceSpan
    package let content: Content

    package init(span: SourceSpan, content: Content) {
        self.span = span
        self.content = content
    }

    package var scalar: SyntaxScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    package var elements: [SyntaxNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    package var entries: [SyntaxEntry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    /// Whether the value is empty or an unquoted YAML null.
    package var isNull: Bool {
        guard case .scalar(let scalar) = content, scalar.style == .plain else { return false }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return true
        default: return false
        }
    }

    /// The kind as a phrase that fits after "this is".
    package var kindName: String {
        switch content {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: isNull ? "nothing" : "text"
        }
    }

    /// Returns the span of a part of a scalar's text, or of the whole node if the text is not
    /// verbatim.
    ///
    /// The range counts UTF-8 bytes of the text.
    package func span(ofText range: Range<Int>) -> SourceSpan {
        guard let start = scalar?.verbatimStart else { return span }
        return SourceSpan(
            source: span.source,
            start: start + range.lowerBound,
            end: start + range.upperBound
        )
    }
}

/// A piece of text; the field that it is for decides its type.
package struct SyntaxScalar: Sendable {
    package enum Style: Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        case literal
        case folded
    }

    /// The text after unquoting and unfolding.
    package let text: String
    package let style: Style
    /// `.max` means none.
    private let offset: UInt32
    private let substitution: Substitution?

    /// The byte offset at which the source contains `text` verbatim.
    ///
    /// nil if escapes, folding or indentation make them differ.
    package var verbatimStart: Int? { offset == .max ? nil : Int(offset) }

    /// The author's text, if `text` is a substitution; messages show this one.
    package var written: String { substitution?.written ?? text }

    /// Whether the text depends on an unknown value, so that it cannot be checked.
    package var isOpen: Bool { substitution?.isOpen ?? false }

    package init(text: String, style: Style, verbatimStart: Int?) {
        self.text = text
        self.style = style
        offset = verbatimStart.map { UInt32(clamping: $0) } ?? .max
        substitution = nil
    }

    private init(_ text: String?, style: Style, for written: String) {
        self.text = text ?? ""
        self.style = text == nil ? .doubleQuoted : style
        offset = .max
        substitution = Substitution(written: written, isOpen: text == nil)
    }

    /// Returns this scalar with another text; nil leaves it open.
    package func replacingText(with text: String?) -> SyntaxScalar {
        SyntaxScalar(text, style: style, for: written)
    }
}

/// The original of a substituted text.
///
/// It is a class because few scalars have one and it would make all scalars larger.
private final class Substitution: Sendable {
    let written: String
    let isOpen: Bool

    init(written: String, isOpen: Bool) {
        self.written = written
        self.isOpen = isOpen
    }
}

/// One entry of a mapping; the key is always a scalar.
package struct SyntaxEntry: Sendable {
    package let key: SyntaxNode
    package let value: SyntaxNode

    package init(key: SyntaxNode, value: SyntaxNode) {
        self.key = key
        self.value = value
    }
}

/// The non-empty documents of one YAML text, and its comments.
package struct SyntaxTree: Sendable {
    package let documents: [SyntaxNode]
    /// In text order.
    package let comments: [SyntaxComment]
    /// The values of aliases; a change there has an effect at every alias.
    package let shared: [SourceSpan]

    package init(
        documents: [SyntaxNode],
        comments: [SyntaxComment] = [],
        shared: [SourceSpan] = []
    ) {
        self.documents = documents
        self.comments = comments
        self.shared = shared
    }
}
