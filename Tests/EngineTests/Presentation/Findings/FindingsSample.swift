import Diagnostics

/// A file with wide characters and CRLF, and a finding of every kind about it.
struct FindingsSample {
    let catalog: SourceCatalog
    let findings: [Diagnostic]

    init() {
        var catalog = SourceCatalog()
        let text = "a: 'é😀' # x\r\nb: c\r\n"
        let file = catalog.add(path: "campaigns/ä b.yaml", bytes: Array(text.utf8))
        func span(_ start: Int, _ end: Int) -> SourceSpan {
            SourceSpan(source: file, start: start, end: end)
        }
        self.catalog = catalog
        findings = [
            Diagnostic(rule: .unreadableFile, message: "gone", span: nil),
            Diagnostic(
                rule: .topicPrefix,
                message: "[a](b)\u{1B}",
                span: span(12, 19),
                label: "{here}",
                related: [RelatedPlace(span: span(3, 11), message: "there")],
                help: ["one", "two"],
                fix: Fix(span: span(12, 13), replacement: "%", applicability: .safe)
            ),
            Diagnostic(rule: .topicPrefix, message: "empty", span: span(21, 21)),
        ]
    }
}
