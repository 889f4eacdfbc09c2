internal import Diagnostics

/// Puts events together to nodes, with a stack of its own instead of recursion.
struct SyntaxTreeBuilder {
    /// How deep collections may lie in each other.
    static let deepest = 100

    private let text: YAMLText
    private var open: [OpenCollection] = []
    private(set) var documents: [SyntaxNode] = []
    private(set) var log = DiagnosticLog()
    /// A problem was found that leaves no tree worth reading.
    private(set) var isRefused = false

    init(_ text: YAMLText) {
        self.text = text
    }

    /// False where nothing after this event can be read.
    mutating func receive(_ event: YAMLEvent) -> Bool {
        switch event.kind {
        case .boundary: return true
        case .alias: addAlias(event.range)
        case .scalar(let text, let style): addScalar(text, style, event)
        case .sequenceStart: return begin(.sequence, event)
        case .mappingStart: return begin(.mapping, event)
        case .collectionEnd: endCollection(event.range)
        }
        return true
    }

    private mutating func addAlias(_ range: Range<Int>) {
        log.report(.notBuiltYet("alias", at: text.span(range)))
        let nothing = SyntaxScalar(text: "", style: .plain, verbatimStart: nil)
        add(SyntaxNode(span: text.span(range), content: .scalar(nothing)), isAlias: true)
    }

    private mutating func addScalar(
        _ value: String,
        _ style: SyntaxScalar.Style,
        _ event: YAMLEvent
    ) {
        let isNothing = value.isEmpty && style == .plain
        if isNothing, open.isEmpty, !event.hasProperties { return }
        let range = contentRange(of: event, isNothing: isNothing)
        let scalar = SyntaxScalar(
            text: value,
            style: style,
            verbatimStart: text.verbatimStart(of: value, style: style, in: range)
        )
        add(SyntaxNode(span: text.span(text.trimmed(range)), content: .scalar(scalar)))
    }

    private mutating func contentRange(of event: YAMLEvent, isNothing: Bool) -> Range<Int> {
        let start = contentStart(of: event)
        if !isNothing { return start..<event.range.upperBound }
        let place =
            event.hasProperties
            ? event.range.upperBound
            : open.last?.endOfPendingKey.map(text.placeOfMissingValue) ?? event.range.lowerBound
        return place..<place
    }

    /// Reports anchors and tags and returns where they end.
    private mutating func contentStart(of event: YAMLEvent) -> Int {
        guard event.hasProperties else { return event.range.lowerBound }
        let (found, contentStart) = text.properties(in: event.range)
        for range in found {
            let isAnchor = text.bytes[range.lowerBound] == UInt8(ascii: "&")
            log.report(.notBuiltYet(isAnchor ? "anchor" : "tag", at: text.span(range)))
        }
        return contentStart
    }

    private mutating func begin(_ kind: OpenCollection.Kind, _ event: YAMLEvent) -> Bool {
        let start = contentStart(of: event)
        guard open.count < Self.deepest else {
            log.report(.nestingTooDeep(at: text.span(start..<max(start, event.range.upperBound))))
            isRefused = true
            return false
        }
        open.append(OpenCollection(kind, start: start))
        return true
    }

    private mutating func endCollection(_ range: Range<Int>) {
        guard let collection = open.popLast() else { return }
        let end =
            isBracket(at: range.lowerBound, closing: collection)
            ? range.upperBound : collection.end
        add(
            SyntaxNode(
                span: text.span(collection.start..<end),
                content: collection.content
            )
        )
    }

    /// A pair in a flow sequence is a mapping without brackets that ends where the next token
    /// begins; block collections end likewise.
    private func isBracket(at offset: Int, closing collection: OpenCollection) -> Bool {
        switch text.byte(at: collection.start) {
        case UInt8(ascii: "["): text.byte(at: offset) == UInt8(ascii: "]")
        case UInt8(ascii: "{"): text.byte(at: offset) == UInt8(ascii: "}")
        default: false
        }
    }

    private mutating func add(_ node: SyntaxNode, isAlias: Bool = false) {
        guard !open.isEmpty else {
            documents.append(node)
            return
        }
        guard let problem = open[open.count - 1].add(node, isAlias: isAlias) else { return }
        log.report(problem)
        isRefused = isRefused || problem.rule == .yamlSyntax
    }
}

extension Diagnostic {
    fileprivate static func notBuiltYet(_ what: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .notBuiltYet,
            message: "anchors, aliases and tags are not built yet",
            span: span,
            label: what
        )
    }

    fileprivate static func nestingTooDeep(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .yamlNesting,
            message: "lists and mappings lie more than \(SyntaxTreeBuilder.deepest) deep",
            span: span,
            label: "level \(SyntaxTreeBuilder.deepest + 1)"
        )
    }
}
