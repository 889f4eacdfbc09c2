import Diagnostics
import Presentation
import Testing

struct FindingsGitHubViewTests {
    private var catalog = SourceCatalog()
    private let file: SourceID

    init() {
        file = catalog.add(path: "a,b: 5%.yaml", bytes: Array("tü: one\ntwo\n".utf8))
    }

    private func render(_ diagnostics: [Diagnostic], prefix: String = "") -> [String] {
        FindingsGitHubView(catalog: catalog, pathPrefix: prefix).render(diagnostics)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func finding(
        _ message: String,
        _ severity: Severity = .error,
        at range: Range<Int>? = nil
    ) -> Diagnostic {
        let span = range.map { SourceSpan(source: file, start: $0.lowerBound, end: $0.upperBound) }
        return Diagnostic(rule: .unknownKey, severity: severity, message: message, span: span)
    }

    @Test func `a place is written as properties with escaped separators`() {
        let lines = render([finding("no", at: 0..<3)], prefix: "push/")
        let place = "file=push/a%2Cb%3A 5%25.yaml,line=1,endLine=1,col=1,endColumn=3"
        #expect(lines == ["::error \(place),title=unknown-key::no", ""])
    }

    @Test func `a finding of several lines has no columns`() {
        let lines = render([finding("no", .warning, at: 5..<10)])
        let place = "file=a%2Cb%3A 5%25.yaml,line=1,endLine=2"
        #expect(lines == ["::warning \(place),title=unknown-key::no", ""])
    }

    @Test func `a finding without a place has no place properties`() {
        #expect(render([finding("no", .note)]) == ["::notice title=unknown-key::no", ""])
    }

    @Test func `label and help are separate lines`() {
        let finding = Diagnostic(
            rule: .unknownKey,
            message: "100%",
            span: nil,
            label: "here: this, that",
            help: ["one", "two"]
        )
        #expect(
            render([finding]) == [
                "::error title=unknown-key::100%25%0Ahere: this, that%0Ahelp: one%0Ahelp: two", "",
            ]
        )
    }

    @Test func `related places are lines between label and help`() {
        let places = [("in the environment `a`", 0), ("in the environment `b`", 9)].map {
            RelatedPlace(span: SourceSpan(source: file, start: $1, end: $1 + 1), message: $0)
        }
        let finding = Diagnostic(
            rule: .unknownKey,
            message: "no",
            span: nil,
            label: "here",
            related: places,
            help: ["one"]
        )
        let path = "push/a,b: 5%25.yaml"
        let lines = [
            "no", "here", "in the environment `a` (\(path):1)",
            "in the environment `b` (\(path):2)", "help: one",
        ]
        #expect(
            render([finding], prefix: "push/") == [
                "::error title=unknown-key::" + lines.joined(separator: "%0A"), "",
            ]
        )
    }

    @Test func `no control character is written and no line begins with untrusted text`() {
        let lines = render([finding("a\r\n::error::b\u{1B}[31m\u{202E}\t")])
        let text = "a\\u{D}\\u{A}::error::b\\u{1B}[31m\\u{202E}\\u{9}"
        #expect(lines == ["::error title=unknown-key::\(text)", ""])
    }

    @Test func `writes the ten worst findings and counts the others`() {
        let notes = (0..<6).map { finding("note \($0)", .note) }
        let errors = (0..<7).map { finding("error \($0)") }
        let lines = render(notes + [finding("warning", .warning)] + errors)
        #expect(lines.count == 12)
        #expect(lines[0...6].map { $0.split(separator: "::")[1] } == (0..<7).map { "error \($0)" })
        #expect(lines[7] == "::warning title=unknown-key::warning")
        #expect(
            lines[8...9] == [
                "::notice title=unknown-key::note 0", "::notice title=unknown-key::note 1",
            ]
        )
        #expect(lines[10] == "and 4 more: 4 notes; `herald validate` shows all")
    }

    @Test func `writes exactly ten findings without a count`() {
        #expect(render((0..<10).map { finding("error \($0)") }).count == 11)
        #expect(render([]) == [""])
    }
}
