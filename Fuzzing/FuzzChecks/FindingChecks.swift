package import Diagnostics
import Presentation

/// Invariants of all findings.
package struct FindingChecks {
    private let catalog: SourceCatalog

    package init(_ catalog: SourceCatalog) {
        self.catalog = catalog
    }

    /// Checks every finding and returns the findings as `herald validate` prints them.
    package func text(of findings: [Diagnostic]) -> String {
        let renderer = DiagnosticTextView(catalog: catalog, style: .plain)
        return findings.map { finding in
            check(finding)
            let text = renderer.render(finding)
            hold(!text.unicodeScalars.contains(where: Self.steers), "unsafe to print: \(finding)")
            return text
        }.joined(separator: "\n\n")
    }

    private func check(_ finding: Diagnostic) {
        hold(!finding.message.isEmpty, "no message: \(finding)")
        let spans = [finding.span, finding.fix?.span] + finding.related.map(\.span)
        for span in spans.compactMap({ $0 }) {
            let bytes = catalog[span.source].bytes
            hold(span.end <= bytes.count, "ends outside of the file: \(finding)")
            guard finding.rule != .notUTF8 else { continue }
            for offset in [span.start, span.end] where offset < bytes.count {
                hold(bytes[offset] & 0xC0 != 0x80, "cuts a character: \(finding)")
            }
        }
    }

    /// Whether it is a control except a line break, or reorders text.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
