import Presentation
import Diagnostics

/// Diagnostics as text, with a line that counts them.
struct DiagnosticView {
    let useColor: Bool

    /// More are counted and not shown: nobody reads them, and mending the first mends others.
    private static let mostShown = 1_000

    func render(_ diagnostics: [Diagnostic], _ catalog: SourceCatalog) -> String {
        let renderer = DiagnosticTextRenderer(catalog: catalog, useColor: useColor)
        guard !diagnostics.isEmpty else { return "" }
        var blocks = shown(of: diagnostics).map { renderer.render($0) + "\n" }
        if diagnostics.count > Self.mostShown {
            let others = (diagnostics.count - Self.mostShown).counting("finding")
            blocks.append("\(others) not shown; fix these first\n")
        }
        return blocks.joined(separator: "\n") + "\n" + renderer.summary(of: diagnostics) + "\n"
    }

    /// Where not all are shown, errors come first: one of them must not be missed for warnings.
    private func shown(of diagnostics: [Diagnostic]) -> ArraySlice<Diagnostic> {
        guard diagnostics.count > Self.mostShown else { return diagnostics[...] }
        let errors = diagnostics.filter { $0.severity == .error }
        return (errors + diagnostics.filter { $0.severity != .error }).prefix(Self.mostShown)
    }
}
