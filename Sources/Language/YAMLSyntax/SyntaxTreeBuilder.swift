internal import Diagnostics

/// Builds nodes from events with an explicit stack instead of recursion.
struct SyntaxTreeBuilder: ~Copyable {
    /// The maximum nesting of collections, including nesting through aliases.
    static let deepest = 100
    /// The maximum number of nodes that aliases may insert, because each costs time to read.
    static let mostAliasedNodes = 100_000

    private let text: YAMLText
    private var open: [OpenCollection] = []
    /// The children of the open collections.
    private var nodes = NodeStack()
    private var anchors = AnchorTable()
    private var aliasedNodes = 0
    private var comments: CommentFinder
    private var documents: [SyntaxNode] = []
    private var shared: [SourceSpan] = []
    private(set) var log = DiagnosticLog()
    /// Whether a problem makes the tree useless.
    private var isRefused = false

    init(_ text: YAMLText) {
        self.text = text
        comments = CommentFinder(text)
    }

    /// Returns false if nothing after this event can be read.
    mutating func receive(_ event: YAMLEvent) -> Bool {
        switch event.kind {
        case .boundary: endDocument()
        case .alias: return addAlias(event.range)
        case .scalar(let text, let style): addScalar(text, style: style, event: event)
        case .sequenceStart: return begin(open.last?.kindOfNextSequence ?? .sequence, event: event)
        case .mappingStart: return begin(.mapping, event: event)
        case .collectionEnd: endCollection(event.range)
        }
        return true
    }

    /// Ends the text, even if it was not read completely; nil if it is refused.
    mutating func finish() -> SyntaxTree? {
        endDocument()
        if isRefused { return nil }
        comments.finish()
        return SyntaxTree(documents: documents, comments: comments.comments, shared: shared)
    }

    private mutating func endDocument() {
        for problem in anchors.problems { refuse(problem) }
        anchors = AnchorTable()
    }

    private mutating func refuse(_ problem: Diagnostic) {
        log.report(problem)
        isRefused = true
    }
}

extension SyntaxTreeBuilder {
    private mutating func addAlias(_ range: Range<Int>) -> Bool {
        let alias = Anchor(in: text, at: range)
        switch anchors.meaning(of: alias) {
        case .node(let node): return add(node, for: alias)
        case .unfinished(let anchor): refuse(.aliasInsideItsValue(alias, anchor: anchor))
        case .unknown: break
        }
        let nothing = SyntaxScalar(text: "", style: .plain, verbatimStart: nil)
        let node = SyntaxNode(span: alias.span, content: .scalar(nothing))
        add(node, at: NodePlacement(at: alias.span, isDoubtful: true))
        return true
    }

    private mutating func add(_ node: PlacedNode, for alias: Anchor) -> Bool {
        let extent = node.placement.extent
        aliasedNodes += extent.nodes
        let level = open.count + extent.height
        if aliasedNodes > Self.mostAliasedNodes {
            refuse(.tooMuchThroughAliases(at: alias.span))
        } else if level > Self.deepest {
            refuse(.nestingTooDeep(at: alias.span, label: "reaches level \(level)"))
        } else {
            shared.append(node.node.span)
            let isDoubtful = node.placement.isDoubtful
            add(
                node.node,
                at: NodePlacement(at: alias.span, extent: extent, isDoubtful: isDoubtful)
            )
            return true
        }
        return false
    }

    private mutating func addScalar(
        _ value: String,
        style: SyntaxScalar.Style,
        event: YAMLEvent
    ) {
        let isNothing = value.isEmpty && style == .plain
        if isNothing, open.isEmpty, !event.hasProperties { return }
        let (anchor, start) = properties(of: event)
        let range = contentRange(of: event, from: start, isNothing: isNothing)
        if !isNothing { comments.pass(range, style: style) }
        let scalar = SyntaxScalar(
            text: value,
            style: style,
            verbatimStart: text.verbatimStart(of: value, style: style, in: range)
        )
        let span = text.span(text.trimmed(range))
        if let anchor { anchors.begin(anchor) }
        add(
            SyntaxNode(span: span, content: .scalar(scalar)),
            at: NodePlacement(at: span),
            as: anchor
        )
    }

    private func contentRange(
        of event: YAMLEvent,
        from start: Int,
        isNothing: Bool
    ) -> Range<Int> {
        if !isNothing { return start..<event.range.upperBound }
        let place =
            event.hasProperties
            ? event.range.upperBound
            : open.last?.endOfPendingKey.map(text.placeOfMissingValue) ?? event.range.lowerBound
        return place..<place
    }

    /// Reports a tag; returns the anchor and the start of the content after them.
    private mutating func properties(
        of event: YAMLEvent
    ) -> (anchor: Anchor?, contentStart: Int) {
        guard event.hasProperties else { return (nil, event.range.lowerBound) }
        let (found, contentStart) = text.properties(in: event.range)
        var anchor: Anchor?
        for range in found {
            if text.bytes[range.lowerBound] == UInt8(ascii: "&") {
                anchor = Anchor(in: text, at: range)
            } else {
                log.report(.tag(at: text.span(range)))
            }
        }
        return (anchor, contentStart)
    }

    private mutating func begin(_ kind: OpenCollection.Kind, event: YAMLEvent) -> Bool {
        let (anchor, start) = properties(of: event)
        guard open.count < Self.deepest else {
            let place = text.span(start..<max(start, event.range.upperBound))
            refuse(.nestingTooDeep(at: place, label: "level \(Self.deepest + 1)"))
            return false
        }
        if let anchor { anchors.begin(anchor) }
        open.append(OpenCollection(kind, start: start, anchor: anchor, first: nodes.count))
        return true
    }

    private mutating func endCollection(_ range: Range<Int>) {
        guard var collection = open.popLast() else { return }
        let end =
            isBracket(at: range.lowerBound, closing: collection)
            ? range.upperBound : collection.end
        let span = text.span(collection.start..<end)
        let placement = NodePlacement(
            at: span,
            extent: collection.extent,
            isDoubtful: collection.isDoubtful
        )
        let content = collection.content(&nodes)
        add(SyntaxNode(span: span, content: content), at: placement, as: collection.anchor)
    }

    /// Whether a closing bracket is at `offset`.
    ///
    /// A pair in a flow sequence is a mapping without brackets that ends at the next token. Block
    /// collections end in the same way.
    private func isBracket(at offset: Int, closing collection: OpenCollection) -> Bool {
        switch text.byte(at: collection.start) {
        case UInt8(ascii: "["): text.byte(at: offset) == UInt8(ascii: "]")
        case UInt8(ascii: "{"): text.byte(at: offset) == UInt8(ascii: "}")
        default: false
        }
    }

    private mutating func add(
        _ node: consuming SyntaxNode,
        at placement: NodePlacement,
        as anchor: Anchor? = nil
    ) {
        if let anchor {
            anchors.end(anchor, with: PlacedNode(node: copy node, placement: placement))
        }
        guard !open.isEmpty else {
            documents.append(node)
            return
        }
        nodes.push(node)
        guard let problem = open[open.count - 1].takeLast(of: &nodes, at: placement) else { return }
        log.report(problem)
        isRefused = isRefused || problem.rule != .duplicateKey
    }
}

extension Anchor {
    /// The range contains `&` or `*` and the name.
    fileprivate init(in text: YAMLText, at range: Range<Int>) {
        name = String(decoding: text.bytes[range.dropFirst()], as: UTF8.self)
        span = text.span(range)
    }
}

extension Diagnostic {
    fileprivate static func tag(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .yamlTag,
            message: "YAML tags are not supported",
            span: span,
            label: "a YAML tag",
            help: [
                "remove the tag: the key declares the type of its value; quote a value to make it "
                    + "text"
            ]
        )
    }

    fileprivate static func nestingTooDeep(at span: SourceSpan, label: String) -> Diagnostic {
        Diagnostic(
            rule: .yamlNesting,
            message: "lists and mappings are nested more than \(SyntaxTreeBuilder.deepest) levels "
                + "deep",
            span: span,
            label: label
        )
    }

    fileprivate static func tooMuchThroughAliases(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .yamlAliases,
            message:
                "aliases expand this file to more than \(SyntaxTreeBuilder.mostAliasedNodes) "
                + "values",
            span: span,
            label: "the limit is exceeded here"
        )
    }
}
