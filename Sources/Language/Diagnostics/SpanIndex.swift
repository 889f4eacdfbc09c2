/// An index of spans that do not overlap.
package struct SpanIndex: Sendable {
    /// In ascending order.
    private let spans: [SourceID: [SourceSpan]]

    package init(_ spans: [SourceSpan]) {
        self.spans = Dictionary(grouping: spans, by: \.source)
            .mapValues { $0.sorted { $0.start < $1.start } }
    }

    /// Keeps only the outermost of nested spans.
    package init(outermostOf spans: [SourceSpan]) {
        var outermost: [SourceSpan] = []
        let sorted = spans.sorted { ($0.source, $0.start, $1.end) < ($1.source, $1.start, $0.end) }
        for span in sorted where outermost.last?.contains(span) != true { outermost.append(span) }
        self.init(outermost)
    }

    /// Whether one of the spans contains all of `span`.
    package func holds(_ span: SourceSpan) -> Bool {
        let spans = spans[span.source] ?? []
        let next = Self.first(in: spans) { $0.start > span.start }
        return next > 0 && spans[next - 1].contains(span)
    }

    /// Whether one of the spans is inside `span`.
    package func hasPlace(in span: SourceSpan) -> Bool {
        let spans = spans[span.source] ?? []
        let first = Self.first(in: spans) { $0.start >= span.start }
        return first < spans.count && span.contains(spans[first])
    }

    /// Whether one of the spans shares a byte with `span`.
    package func overlaps(_ span: SourceSpan) -> Bool {
        let spans = spans[span.source] ?? []
        let first = Self.first(in: spans) { $0.end > span.start }
        return first < spans.count && spans[first].start < span.end
    }

    private static func first(
        in spans: [SourceSpan],
        where isBehind: (SourceSpan) -> Bool
    ) -> Int {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(spans[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
