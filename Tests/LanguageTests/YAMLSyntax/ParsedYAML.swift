import Diagnostics
import Testing
import YAMLSyntax

/// A parsed text, with helpers to find places in it.
struct ParsedYAML {
    let bytes: [UInt8]
    let catalog: SourceCatalog
    let source: SourceID
    let tree: SyntaxTree?
    let diagnostics: [Diagnostic]

    init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    init(bytes: [UInt8]) {
        var catalog = SourceCatalog()
        var log = DiagnosticLog()
        self.bytes = bytes
        source = catalog.add(path: "test.yaml", bytes: bytes)
        tree = YAMLParser.parse(bytes, source: source, into: &log)
        self.catalog = catalog
        diagnostics = log.sorted(in: catalog)
    }

    var rules: [RuleID] { diagnostics.map(\.rule) }

    /// `path`: Keys and list indices, separated by blanks, in the first document.
    func node(_ path: String = "") throws -> SyntaxNode {
        var node = try #require(tree?.documents.first)
        for step in path.split(separator: " ") {
            let child =
                node.elements?.dropFirst(Int(step) ?? 0).first
                ?? node.entries?.first { $0.key.scalar?.text == String(step) }?.value
            node = try #require(child)
        }
        return node
    }

    func source(of span: SourceSpan) -> String {
        String(decoding: bytes[span.start..<span.end], as: UTF8.self)
    }

    func source(at path: String) throws -> String {
        source(of: try node(path).span)
    }

    /// Returns the span of a piece of text that occurs exactly once.
    func span(of marker: String) throws -> SourceSpan {
        let wanted = Array(marker.utf8)
        let starts = (0...max(0, bytes.count - wanted.count)).filter {
            bytes[$0...].starts(with: wanted)
        }
        try #require(starts.count == 1, "\(marker) must occur once")
        return SourceSpan(source: source, start: starts[0], end: starts[0] + wanted.count)
    }
}
