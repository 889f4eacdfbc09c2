import Diagnostics
import Testing
import YAMLSyntax

struct YAMLParserTests {
    @Test func `reads several documents and drops empty ones`() throws {
        let parsed = ParsedYAML("---\na: 1\n---\n# nothing\n---\n- b\n...\n---\n")
        let documents = try #require(parsed.tree?.documents)
        #expect(documents.map { parsed.source(of: $0.span) } == ["a: 1", "- b"])
    }

    @Test(arguments: ["", "\n", "# only a comment\n", "\u{FEFF}", "---\n"])
    func `finds no document in a text without content`(text: String) {
        let parsed = ParsedYAML(text)
        #expect(parsed.tree?.documents.isEmpty == true)
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test func `keeps an explicit null as a document`() throws {
        #expect(try ParsedYAML("--- ~\n").node().isNull)
    }

    @Test func `reports a duplicate key once and keeps the first`() throws {
        let parsed = ParsedYAML("ttl: 1h\nother: x\n'ttl': { ttl: 2h }\nlast: y\n")
        #expect(parsed.rules == [.duplicateKey])
        #expect(parsed.diagnostics[0].span == (try parsed.span(of: "'ttl'")))
        let first = SourceSpan(source: parsed.source, start: 0, end: 3)
        #expect(parsed.diagnostics[0].related.map(\.span) == [first])
        #expect(try parsed.node("ttl").scalar?.text == "1h")
        #expect(try parsed.node().entries?.count == 3)
        #expect(try parsed.node().span.end == parsed.span(of: "last: y").end)
    }

    @Test func `finds duplicates among 20,000 keys`() throws {
        var text = ""
        for number in 0..<20_000 { text += "key\(number): ü\n" }
        let parsed = ParsedYAML(text + "key19999: x\nkey3: x\n")
        #expect(parsed.rules == [.duplicateKey, .duplicateKey])
        #expect(try parsed.node().entries?.count == 20_000)
    }

    @Test func `reports each tag at its place and reads its value`() throws {
        let parsed = ParsedYAML(
            "a: !one\n  - !<tag:two> x\nb: &left !three {d: e}\nf: ! 12\n!four g: ! 'h'\ni: !five\n"
        )
        #expect(parsed.rules == Array(repeating: .yamlTag, count: 7))
        let places = parsed.diagnostics.compactMap(\.span).map(parsed.source)
        #expect(places == ["!one", "!<tag:two>", "!three", "!", "!four", "!", "!five"])
        #expect(try parsed.source(at: "a") == "- !<tag:two> x")
        #expect(try parsed.source(at: "a 0") == "x")
        #expect(try parsed.node("a 0").scalar?.verbatimStart == parsed.span(of: "x").start)
        #expect(try parsed.source(at: "b") == "{d: e}")
        #expect(try parsed.node("f").span == parsed.span(of: "12"))
        #expect(try parsed.node("f").scalar?.verbatimStart == parsed.span(of: "12").start)
        #expect(try parsed.node("g").span == parsed.span(of: "'h'"))
        #expect(try parsed.node("i").span.isEmpty)
    }

    @Test func `suggests how to avoid a tag`() {
        let help = ParsedYAML("a: !!str 850\n").diagnostics.flatMap(\.help)
        #expect(
            help == [
                "remove the tag: the key declares the type of its value; "
                    + "quote a value to make it text"
            ]
        )
    }

    @Test func `allows 100 levels`() throws {
        let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let parsed = ParsedYAML(text)
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.node().span == parsed.span(of: text))
    }

    @Test(arguments: [101, 100_000])
    func `refuses level 101`(levels: Int) {
        let parsed = ParsedYAML(String(repeating: "[", count: levels))
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlNesting])
        let span = SourceSpan(source: parsed.source, start: 100, end: 101)
        #expect(parsed.diagnostics.first?.span == span)
    }

    @Test(arguments: ["- ", "? ", "{a: "])
    func `refuses deep nesting of every kind`(level: String) {
        let parsed = ParsedYAML(String(repeating: level, count: 5000) + "x")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlNesting])
    }
}
