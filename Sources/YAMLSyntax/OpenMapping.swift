internal import Diagnostics

/// The entries of a mapping whose end has not been read yet.
struct OpenMapping {
    private enum PendingKey {
        case none
        case usable(SyntaxNode)
        case merge
        /// Already reported: its value is dropped.
        case unusable
    }

    private var entries: [SyntaxEntry] = []
    private var keys = KeyIndex()
    private var pendingKey = PendingKey.none
    private var mergeKey: SourceSpan?
    /// In the order in which they win.
    private var merged: [SyntaxNode] = []

    var awaitsValue: Bool {
        if case .none = pendingKey { false } else { true }
    }

    var awaitsMergedValue: Bool {
        if case .merge = pendingKey { true } else { false }
    }

    /// The mapping's own entries and then those that only merged mappings have.
    mutating func mergedEntries() -> [SyntaxEntry] {
        for mapping in merged {
            for entry in mapping.entries ?? [] {
                let text = entry.key.scalar?.text ?? ""
                if keys.insert(text, at: entry.key.span) == nil { entries.append(entry) }
            }
        }
        merged = []
        return entries
    }

    /// Takes the next key or value; the diagnostic says why it can't be kept.
    mutating func add(_ child: consuming PlacedNode) -> Diagnostic? {
        switch takePendingKey() {
        case .none: return addKey(child)
        case .usable(let key):
            if entries.isEmpty { entries.reserveCapacity(4) }
            entries.append(SyntaxEntry(key: key, value: child.node))
        case .merge: return merge(child)
        case .unusable: break
        }
        return nil
    }

    private mutating func takePendingKey() -> PendingKey {
        var key = PendingKey.none
        swap(&key, &pendingKey)
        return key
    }

    private mutating func addKey(_ key: PlacedNode) -> Diagnostic? {
        pendingKey = .unusable
        if key.isDoubtful { return nil }
        guard let scalar = key.node.scalar else { return .keyIsNoText(key) }
        if scalar.isMergeKey { return addMergeKey(key) }
        if let first = keys.insert(scalar.text, at: key.place) {
            return .duplicateKey(scalar.text, at: key.place, first: first)
        }
        pendingKey = .usable(key.node)
        return nil
    }

    /// Reports a second merge key and follows it all the same: nothing is missing then.
    private mutating func addMergeKey(_ key: PlacedNode) -> Diagnostic? {
        pendingKey = .merge
        guard let first = mergeKey else {
            mergeKey = key.place
            return nil
        }
        return .secondMergeKey(at: key.place, first: first)
    }

    private mutating func merge(_ value: PlacedNode) -> Diagnostic? {
        let mappings = value.node.elements ?? [value.node]
        if mappings.allSatisfy({ $0.entries != nil }) {
            merged += mappings
            return nil
        }
        return value.isDoubtful ? nil : .notMergeable(value)
    }
}

extension SyntaxScalar {
    /// YAML's "merge key language-independent type", version 1.1.
    fileprivate var isMergeKey: Bool { style == .plain && text == "<<" }
}

extension Diagnostic {
    fileprivate static func keyIsNoText(_ key: PlacedNode) -> Diagnostic {
        Diagnostic(
            rule: .yamlSyntax,
            message: "a key must be text, but this is \(key.node.kindName)",
            span: key.place,
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
            message: "the key `\(text)` stands here twice",
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
        let way = "one `<<` merges several mappings: `<<: [*first, *second]`"
        return duplicateKey("<<", at: span, first: first, help: way)
    }

    static func notMergeable(_ value: PlacedNode) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected a mapping or a list of mappings to merge",
            span: value.place,
            label: "this is \(value.node.kindName)",
            help: ["in quotes, \"<<\" is a key like any other"]
        )
    }
}
