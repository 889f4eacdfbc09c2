package import Diagnostics

/// Renders diagnostics as text, followed by their counts.
package struct FindingsTextView: Sendable {
    private let style: TextStyle

    /// The maximum number of diagnostics to show.
    ///
    /// The rest are only counted.
    private static let mostShown = 1_000

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ diagnostics: [Diagnostic], in catalog: SourceCatalog) -> String {
        let renderer = DiagnosticTextView(catalog: catalog, style: style)
        guard !diagnostics.isEmpty else { return "" }
        var blocks = shown(of: diagnostics).map { renderer.render($0) + "\n" }
        if diagnostics.count > Self.mostShown {
            let others = (diagnostics.count - Self.mostShown).counting("finding")
            blocks.append("\(others) not shown; fix these first\n")
        }
        return blocks.joined(separator: "\n") + "\n" + renderer.summary(of: diagnostics) + "\n"
    }

    /// The diagnostics to show.
    ///
    /// If there are too many, errors come first, so that warnings do not displace them.
    private func shown(of diagnostics: [Diagnostic]) -> ArraySlice<Diagnostic> {
        guard diagnostics.count > Self.mostShown else { return diagnostics[...] }
        let errors = diagnostics.filter { $0.severity == .error }
        return (errors + diagnostics.filter { $0.severity != .error }).prefix(Self.mostShown)
    }
}
