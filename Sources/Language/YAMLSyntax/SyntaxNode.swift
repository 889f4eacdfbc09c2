package import Diagnostics

/// One value of a YAML text and where it stands.
package struct SyntaxNode: Sendable {
    package enum Content: Sendable {
        case scalar(SyntaxScalar)
        case sequence([SyntaxNode])
        /// In the order of the text, then what `<<` merges in; no two keys are equal.
        case mapping([SyntaxEntry])
    }

    /// From the first byte to the last, brackets and quotes included, blanks after it not.
    ///
    /// An anchor or tag in front is no part of it. A value that is left out has an empty
    /// span right after the colon, or after its key where there is no colon. What an alias or a
    /// merge key brings in keeps the span of its definition: there it can be mended.
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

    /// Nothing was written, or one of YAML's words for it, without quotes.
    package var isNull: Bool {
        guard case .scalar(let scalar) = content, scalar.style == .plain else { return false }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return true
        default: return false
        }
    }

    /// What it is, in words that fit after "this is".
    package var kindName: String {
        switch content {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: isNull ? "nothing" : "text"
        }
    }

    /// Where a part of a scalar's text stands; the whole node where the text is not verbatim.
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

/// A piece of text; which type it is of is for the field to say.
package struct SyntaxScalar: Sendable {
    package enum Style: Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        case literal
        case folded
    }

    /// What YAML's quoting and folding leave.
    package let text: String
    package let style: Style
    /// None for `.max`.
    private let offset: UInt32
    private let substitution: Substitution?

    /// The byte offset at which the source has `text` byte for byte; nil where escapes, folding or
    /// indentation make them differ.
    package var verbatimStart: Int? { offset == .max ? nil : Int(offset) }

    /// What the author wrote where `text` was put in its place: this is what messages show.
    package var written: String { substitution?.written ?? text }

    /// The text depends on something that is not known yet: nothing can be said of it.
    package var isOpen: Bool { substitution?.isOpen ?? false }

    package init(text: String, style: Style, verbatimStart: Int?) {
        self.text = text
        self.style = style
        offset = verbatimStart.map { UInt32(clamping: $0) } ?? .max
        substitution = nil
    }

    private init(_ text: String?, _ style: Style, for written: String) {
        self.text = text ?? ""
        self.style = text == nil ? .doubleQuoted : style
        offset = .max
        substitution = Substitution(written: written, isOpen: text == nil)
    }

    /// This scalar with another text in place of what is written; nil leaves it open.
    package func replacingText(with text: String?) -> SyntaxScalar {
        SyntaxScalar(text, style, for: written)
    }
}

/// What stood where a text was put.
///
/// A class, because few scalars have one and all scalars would be larger for it.
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

/// The documents of one YAML text, empty ones left out, and its comments.
package struct SyntaxTree: Sendable {
    package let documents: [SyntaxNode]
    /// In the order of the text.
    package let comments: [SyntaxComment]
    /// What aliases stand for: a change there is one wherever they are.
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
