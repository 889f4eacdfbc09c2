internal import Diagnostics

/// A sequence or mapping whose end has not been read yet.
struct OpenCollection {
    enum Kind {
        case sequence
        case mapping
    }

    private enum PendingKey {
        case none
        case usable(SyntaxNode)
        /// Already reported: its value is dropped.
        case unusable
    }

    private let kind: Kind
    let start: Int
    /// Where the last child ends.
    private(set) var end: Int
    private var elements: [SyntaxNode] = []
    private var entries: [SyntaxEntry] = []
    private var pendingKey = PendingKey.none
    private var keys = KeyIndex()

    init(_ kind: Kind, start: Int) {
        self.kind = kind
        self.start = start
        end = start
    }

    /// Where the key ends whose value comes next; nil where no value is awaited.
    var endOfPendingKey: Int? {
        if case .none = pendingKey { nil } else { end }
    }

    var content: SyntaxNode.Content {
        switch kind {
        case .sequence: .sequence(elements)
        case .mapping: .mapping(entries)
        }
    }

    /// Takes the next child; the diagnostic says why it can't be kept.
    ///
    /// An alias stands for text that is not known, so as a key it equals none.
    mutating func add(_ node: SyntaxNode, isAlias: Bool) -> Diagnostic? {
        end = max(end, node.span.end)
        guard kind == .mapping else {
            elements.append(node)
            return nil
        }
        switch pendingKey {
        case .none: return addKey(node, isAlias: isAlias)
        case .usable(let key): entries.append(SyntaxEntry(key: key, value: node))
        case .unusable: break
        }
        pendingKey = .none
        return nil
    }

    private mutating func addKey(_ key: SyntaxNode, isAlias: Bool) -> Diagnostic? {
        pendingKey = .unusable
        guard let scalar = key.scalar else { return .keyIsNoText(key) }
        if !isAlias, let first = keys.insert(scalar.text, at: key.span) {
            return .duplicateKey(scalar.text, at: key.span, first: first)
        }
        pendingKey = .usable(key)
        return nil
    }
}

/// The keys of one mapping.
///
/// Texts that Unicode holds to be canonically equal are one key.
private struct KeyIndex {
    private var few: [(text: String, place: SourceSpan)] = []
    private var many: [String: SourceSpan] = [:]

    /// Returns the place of an equal key, if there is one, and leaves it in place.
    mutating func insert(_ text: String, at place: SourceSpan) -> SourceSpan? {
        if let known = many[text] ?? few.first(where: { $0.text == text })?.place { return known }
        if few.count < 8 {
            few.append((text, place))
        } else {
            many[text] = place
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func keyIsNoText(_ key: SyntaxNode) -> Diagnostic {
        Diagnostic(
            rule: .yamlSyntax,
            message: "a key must be text, but this is \(key.kindName)",
            span: key.span,
            help: ["text that begins with `{` or `[` needs quotes, such as \"{{name}}\""]
        )
    }

    fileprivate static func duplicateKey(
        _ text: String,
        at span: SourceSpan,
        first: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .duplicateKey,
            message: "the key `\(text)` stands here twice",
            span: span,
            label: "second",
            related: [RelatedPlace(span: first, message: "first")],
            help: ["remove or rename one of them"]
        )
    }
}
