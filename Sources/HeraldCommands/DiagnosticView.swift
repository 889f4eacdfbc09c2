import CampaignReporting
import Diagnostics

/// Diagnostics as text, with a line that counts them.
struct DiagnosticView {
    let useColor: Bool

    func render(_ diagnostics: [Diagnostic], _ catalog: SourceCatalog) -> String {
        let renderer = DiagnosticTextRenderer(catalog: catalog, useColor: useColor)
        guard !diagnostics.isEmpty else { return "" }
        let blocks = diagnostics.map { renderer.render($0) + "\n" }
        return blocks.joined(separator: "\n") + "\n" + renderer.summary(of: diagnostics) + "\n"
    }
}

/// The word that was probably meant.
func nearest(to word: String, among words: [String]) -> String? {
    SpellingSuggestion.nearest(to: word, among: words)
}
