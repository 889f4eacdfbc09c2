import Diagnostics
import Testing

@testable import Presentation

struct PrintedWarningsTests {
    private var catalog = SourceCatalog()
    private let file: SourceID

    init() {
        file = catalog.add(path: "a.yaml", bytes: Array("a: 1\nb: 2\n".utf8))
    }

    private func finding(
        _ message: String,
        _ severity: Severity = .warning,
        at offset: Int = 0
    ) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            severity: severity,
            message: message,
            span: SourceSpan(source: file, start: offset, end: offset + 1)
        )
    }

    private func printed(_ findings: [Diagnostic]) -> PrintedWarnings {
        PrintedWarnings(text: PrintedWarnings(text: "").adding(findings, in: catalog).text)
    }

    @Test func `recognizes the same warning at the same place only`() {
        let known = printed([finding("m")])
        #expect(known.contains(finding("m"), in: catalog))
        #expect(!known.contains(finding("n"), in: catalog))
        #expect(!known.contains(finding("m", at: 5), in: catalog))
    }

    @Test func `errors are always shown`() {
        let known = printed([finding("m", .error)])
        #expect(known.text == "")
        #expect(!known.contains(finding("m", .error), in: catalog))
    }

    @Test func `adding keeps earlier warnings and repeats none`() {
        let known = printed([finding("m"), finding("n")])
        let more = known.adding([finding("n"), finding("o")], in: catalog)
        #expect(more.text.split(separator: "\n").count == 3)
        #expect(["m", "n", "o"].allSatisfy { more.contains(finding($0), in: catalog) })
    }

    @Test func `unchanged warnings are one line after the new findings`() {
        let view = FindingsTextView(style: .plain)
        let old = [finding("m"), finding("n")]
        let again = "unchanged warnings not shown again: `herald validate` shows all findings\n"
        let known = printed(old)
        #expect(view.render(old, in: catalog, after: known) == "2 " + again)
        let text = view.render(old + [finding("new", .error)], in: catalog, after: known)
        #expect(text.hasPrefix("error[wrong-kind]: new\n"))
        #expect(text.hasSuffix("\n1 error\n2 " + again))
        let none = PrintedWarnings(text: "")
        #expect(view.render(old, in: catalog, after: none) == view.render(old, in: catalog))
    }
}
