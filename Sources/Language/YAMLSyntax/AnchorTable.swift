internal import Diagnostics
internal import Text

/// A name that a text gives to a value.
struct Anchor {
    let name: String
    /// Includes `&`.
    let span: SourceSpan
}

/// The anchors of one document, and its aliases that refer to no anchor.
struct AnchorTable {
    enum Meaning {
        case node(PlacedNode)
        /// The alias is inside the value that it refers to.
        case unfinished(Anchor)
        case unknown
    }

    private var meanings: [String: (anchor: Anchor, node: PlacedNode?)] = [:]
    /// The first anchor of every name.
    private var anchors: [Anchor] = []
    private var unknownAliases: [Anchor] = []

    /// Makes the name refer to this anchor, which has no value yet.
    mutating func begin(_ anchor: Anchor) {
        if meanings.updateValue((anchor, nil), forKey: anchor.name) == nil {
            anchors.append(anchor)
        }
    }

    /// Sets the anchor's value, unless an anchor inside the value has taken its name.
    mutating func end(_ anchor: Anchor, with node: PlacedNode) {
        guard meanings[anchor.name]?.anchor.span == anchor.span else { return }
        meanings[anchor.name] = (anchor, node)
    }

    /// Returns the value that an alias refers to.
    mutating func meaning(of alias: Anchor) -> Meaning {
        guard let known = meanings[alias.name] else {
            unknownAliases.append(alias)
            return .unknown
        }
        return known.node.map(Meaning.node) ?? .unfinished(known.anchor)
    }

    /// Computed at the end of the document, when anchors that follow an alias are known too.
    var problems: [Diagnostic] {
        unknownAliases.enumerated().map { number, alias in
            if let later = meanings[alias.name]?.anchor {
                return .aliasTooEarly(alias, before: later)
            }
            let near = number < Self.mostSuggestions ? nearest(to: alias) : nil
            return .unknownAnchor(alias, near: near)
        }
    }

    private func nearest(to alias: Anchor) -> String? {
        let candidates = anchors.prefix(Self.mostCandidates)
            .prefix { $0.span.start < alias.span.start }
        return SpellingSuggestion.nearest(to: alias.name, among: candidates.map(\.name))
    }

    /// Limits the cost of comparing names for any input.
    private static let mostSuggestions = 8
    private static let mostCandidates = 100
}

extension Diagnostic {
    fileprivate static func unknownAnchor(_ alias: Anchor, near: String?) -> Diagnostic {
        let way = "define it with `&\(alias.name)` before a value further up in this document"
        return Diagnostic(
            rule: .unknownAnchor,
            message: "there is no anchor `&\(alias.name)` in this document",
            span: alias.span,
            label: "undefined alias",
            help: [near.map { "did you mean `*\($0)`?" } ?? way],
            fix: near.map { Fix(span: alias.span, replacement: "*\($0)") }
        )
    }

    fileprivate static func aliasTooEarly(_ alias: Anchor, before anchor: Anchor) -> Diagnostic {
        Diagnostic(
            rule: .unknownAnchor,
            message: "alias `*\(alias.name)` is used before its anchor",
            span: alias.span,
            label: "not defined yet",
            related: [RelatedPlace(span: anchor.span, message: "the anchor")],
            help: ["write the value at its first use, and the alias further down"]
        )
    }

    static func aliasInsideItsValue(_ alias: Anchor, anchor: Anchor) -> Diagnostic {
        Diagnostic(
            rule: .unknownAnchor,
            message: "alias `*\(alias.name)` is inside the value that it refers to",
            span: alias.span,
            label: "would contain itself",
            related: [RelatedPlace(span: anchor.span, message: "the value starts here")]
        )
    }
}
