import Diagnostics
import Testing

@testable import Presentation

struct FindingsTextViewTests {
    private func finding(_ message: String, _ severity: Severity = .warning) -> Diagnostic {
        Diagnostic(rule: .wrongKind, severity: severity, message: message, span: nil)
    }

    private func render(_ findings: [Diagnostic]) -> String {
        FindingsTextView(style: .plain).render(findings, in: SourceCatalog())
    }

    private func heads(_ text: String) -> Int {
        text.split(separator: "\n").count { $0.hasPrefix("warning[") || $0.hasPrefix("error[") }
    }

    @Test func `more than 100 equal findings are one with a count`() {
        let text = render(Array(repeating: finding("same"), count: 101) + [finding("other")])
        #expect(
            text == """
                warning[wrong-kind]: same
                note: 100 more findings of this kind not shown; `herald validate --format json` \
                lists all

                warning[wrong-kind]: other

                102 warnings

                """
        )
    }

    @Test func `100 equal findings are all shown`() {
        let text = render(Array(repeating: finding("same"), count: 100) + [finding("other")])
        #expect(heads(text) == 101)
        #expect(!text.contains("not shown"))
    }

    @Test func `findings of another severity or with another message are not equal`() {
        let messages = (0..<101).map { finding("message \($0)") }
        let severities =
            Array(repeating: finding("same"), count: 60)
            + Array(repeating: finding("same", .error), count: 60)
        #expect(heads(render(messages)) == 101)
        #expect(heads(render(severities)) == 120)
    }

    @Test func `equal findings leave room for others`() {
        let many = Array(repeating: finding("same"), count: 5_000)
        let text = render(many + (0..<999).map { finding("message \($0)") })
        #expect(heads(text) == 1_000)
        #expect(!text.contains("fix these first"))
        #expect(text.hasSuffix("\n5999 warnings\n"))
    }
}
