import Diagnostics
import Presentation
import Testing

/// Files and the rendered diagnostics about them.
struct RenderedPage {
    private var catalog = SourceCatalog()

    mutating func add(_ path: String, _ text: String) -> SourceID {
        add(path, bytes: Array(text.utf8))
    }

    mutating func add(_ path: String, bytes: [UInt8]) -> SourceID {
        catalog.add(path: path, bytes: bytes)
    }

    func render(_ diagnostic: Diagnostic, color: Bool = false, columns: Int? = nil) -> String {
        let style = TextStyle(useColor: color, width: TextWidth(columns: columns))
        return DiagnosticTextView(catalog: catalog, style: style).render(diagnostic)
    }

    /// Returns the span of a piece of text that occurs exactly once.
    func span(of marker: String, in source: SourceID) throws -> SourceSpan {
        let bytes = catalog[source].bytes
        let wanted = Array(marker.utf8)
        let starts = (0...max(0, bytes.count - wanted.count)).filter {
            bytes[$0...].starts(with: wanted)
        }
        try #require(starts.count == 1, "\(marker) must occur once")
        return SourceSpan(source: source, start: starts[0], end: starts[0] + wanted.count)
    }
}
