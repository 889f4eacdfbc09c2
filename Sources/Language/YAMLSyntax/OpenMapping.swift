internal import Diagnostics

/// A mapping whose end has not been read yet; its entries are on the stack.
struct OpenMapping {
    private enum PendingKey {
        case none
        /// The key is on the stack.
        case usable
        case merge
        /// The key was reported; its value is dropped.
        case unusable
    }

    /// The index of the first entry on the stack.
    private let first: Int
    private var keys = KeyIndex()
    private var pendingKey = PendingKey.none
    private var mergeKey: SourceSpan?
    /// In order of precedence.
    private var merged: [SyntaxNode] = []

    init(first: Int) {
        self.first = first
    }

    var awaitsValue: Bool { pendingKey != .none }
    var awaitsMergedValue: Bool { pendingKey == .merge }

    /// Appends the entries that only merged mappings have.
    mutating func addMerged(_ stack: inout NodeStack) {
        for mapping in merged {
            for entry in mapping.entries ?? [] {
                let text = entry.key.scalar?.text ?? ""
                let known = keys.insert(text, at: entry.key.span, on: stack, from: first)
                guard known == nil else { continue }
                stack.push(entry.key)
                stack.push(entry.value)
            }
        }
        merged = []
    }

    /// Takes the stack's last node as its next key or value.
    ///
    /// A node that is not kept is removed from the stack. The diagnostic gives the reason, unless
    /// it was reported before or the node is merged.
    mutating func takeLast(
        of stack: inout NodeStack,
        at placement: NodePlacement
    ) -> Diagnostic? {
        let key = pendingKey
        pendingKey = .none
        switch key {
        case .none: return takeKey(of: &stack, at: placement)
        case .usable: return nil
        case .merge: return merge(stack.pop(), at: placement)
        case .unusable:
            _ = stack.pop()
            return nil
        }
    }

    private mutating func takeKey(
        of stack: inout NodeStack,
        at placement: NodePlacement
    ) -> Diagnostic? {
        pendingKey = .unusable
        let key = stack.pop()
        if placement.isDoubtful { return nil }
        guard let scalar = key.scalar else { return .keyIsNoText(key, at: placement.place) }
        if scalar.isMergeKey { return addMergeKey(at: placement.place) }
        if let known = keys.insert(scalar.text, at: placement.place, on: stack, from: first) {
            return .duplicateKey(scalar.text, at: placement.place, first: known)
        }
        if placement.place != key.span { keys.note(alias: scalar.text, at: placement.place) }
        stack.push(key)
        pendingKey = .usable
        return nil
    }

    /// Reports a second merge key and still follows it, so that no entries are missing.
    private mutating func addMergeKey(at place: SourceSpan) -> Diagnostic? {
        pendingKey = .merge
        guard let first = mergeKey else {
            mergeKey = place
            return nil
        }
        return .secondMergeKey(at: place, first: first)
    }

    private mutating func merge(_ value: SyntaxNode, at placement: NodePlacement) -> Diagnostic? {
        let mappings = value.elements ?? [value]
        if mappings.allSatisfy({ $0.entries != nil }) {
            merged += mappings
            return nil
        }
        return placement.isDoubtful ? nil : .notMergeable(value, at: placement.place)
    }
}

extension SyntaxScalar {
    /// YAML's "merge key language-independent type", version 1.1.
    fileprivate var isMergeKey: Bool { style == .plain && text == "<<" }
}

extension Diagnostic {
    fileprivate static func keyIsNoText(_ key: SyntaxNode, at place: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .yamlSyntax,
            message: "a key must be text, but this is \(key.kindName)",
            span: place,
            help: ["text that begins with `{` or `[` needs quotes, such as \"{{name}}\""]
        )
    }

    fileprivate static func duplicateKey(
        _ text: String,
        at span: SourceSpan,
        first: SourceSpan,
        help: String = "remove or rename one of them"
    ) -> Diagnostic {
        Diagnostic(
            rule: .duplicateKey,
            message: "duplicate key `\(text)`",
            span: span,
            label: "second",
            related: [RelatedPlace(span: first, message: "first")],
            help: [help]
        )
    }

    fileprivate static func secondMergeKey(
        at span: SourceSpan,
        first: SourceSpan
    ) -> Diagnostic {
        let way = "merge several mappings with one `<<`: `<<: [*first, *second]`"
        return duplicateKey("<<", at: span, first: first, help: way)
    }

    static func notMergeable(_ value: SyntaxNode, at place: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected a mapping or a list of mappings to merge",
            span: place,
            label: "this is \(value.kindName)",
            help: ["quote \"<<\" to use it as an ordinary key"]
        )
    }
}
