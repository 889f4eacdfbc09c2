import Diagnostics
import Testing
import YAMLSyntax

struct SyntaxSpanTests {
    @Test func `points at scalars with their quotes`() throws {
        let parsed = ParsedYAML("one: plain text  # comment\ntwo: 'single'\nthree: \"double\"\n")
        #expect(try parsed.node("one").span == parsed.span(of: "plain text"))
        #expect(try parsed.node("two").span == parsed.span(of: "'single'"))
        #expect(try parsed.node("three").span == parsed.span(of: "\"double\""))
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test func `counts bytes after characters of two, three and four bytes`() throws {
        let parsed = ParsedYAML("ü: é  # 潮\n'潮位': 🌊 wave\nnext: [Açores, ßeta]\nlast: end\n")
        #expect(try parsed.node("ü").span == parsed.span(of: "é"))
        #expect(try parsed.node("潮位").span == parsed.span(of: "🌊 wave"))
        #expect(try parsed.node("next").span == parsed.span(of: "[Açores, ßeta]"))
        #expect(try parsed.node("next 1").span == parsed.span(of: "ßeta"))
        #expect(try parsed.node("last").span == parsed.span(of: "end"))
    }

    @Test(arguments: ["topic: tides\nname: x\n", "topic: flüt\nname: x\n"])
    func `skips a byte order mark and counts it`(text: String) throws {
        let parsed = ParsedYAML(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8))
        #expect(try parsed.node().span.start == 3)
        #expect(try parsed.node("name").span == parsed.span(of: "x"))
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test func `reads lines that end in CRLF or CR`() throws {
        let parsed = ParsedYAML("a: 1\r\nb:\r\n  - zwölf\r\nc: last\rd: 4")
        #expect(try parsed.node("b 0").span == parsed.span(of: "zwölf"))
        #expect(try parsed.node("b").span == parsed.span(of: "- zwölf"))
        #expect(try parsed.node("c").span == parsed.span(of: "last"))
        #expect(try parsed.node("d").span == parsed.span(of: "4"))
    }

    @Test func `ends block collections with their last child`() throws {
        let parsed = ParsedYAML(
            "outer:\n  inner: value\n  list:\n  - one\n  - two   \n\n# comment\n\nnext: x\n"
        )
        #expect(
            try parsed.node("outer").span
                == parsed.span(of: "inner: value\n  list:\n  - one\n  - two")
        )
        #expect(try parsed.node("outer list").span == parsed.span(of: "- one\n  - two"))
        #expect(try parsed.node().span.end == parsed.span(of: "next: x").end)
    }

    @Test func `includes the brackets of flow collections`() throws {
        let parsed = ParsedYAML("a: { b: [1, 2 ] , c: {} }\nd: []\n")
        #expect(try parsed.node("a").span == parsed.span(of: "{ b: [1, 2 ] , c: {} }"))
        #expect(try parsed.node("a b").span == parsed.span(of: "[1, 2 ]"))
        #expect(try parsed.node("a c").span == parsed.span(of: "{}"))
        #expect(try parsed.node("d").span == parsed.span(of: "[]"))
    }

    @Test func `ends a pair in a flow list with its value`() throws {
        let parsed = ParsedYAML("[first: one , second: {x: 1} ]")
        #expect(try parsed.source(at: "0") == "first: one")
        #expect(try parsed.source(at: "1") == "second: {x: 1}")
    }

    @Test(arguments: [
        ("key:\nnext: x\n", 4), ("key: # comment: yes\nnext: x\n", 4), ("{ key: , b: c }", 6),
        ("{ key , b: c }", 5), ("{ \"key\" :   }", 9), ("? key\n? b\n", 5), ("? key\n:\n", 7),
        ("- key:\n", 6), ("[ key: ]", 6), ("{ key: }", 6),
    ])
    func `places an omitted value after its colon`(text: String, place: Int) throws {
        let parsed = ParsedYAML(text)
        let root = try parsed.node()
        let value = try #require((root.elements?.first ?? root).entries?.first).value
        #expect(value.isNull)
        #expect(value.span == SourceSpan(source: parsed.source, start: place, end: place))
        #expect(value.scalar?.verbatimStart == place)
    }

    @Test func `places an omitted list item after its dash`() throws {
        let parsed = ParsedYAML("-  \n- x\n")
        #expect(try parsed.node("0").span == SourceSpan(source: parsed.source, start: 1, end: 1))
        #expect(try parsed.node("1").span == parsed.span(of: "x"))
    }

    @Test func `every plain scalar is at its span`() throws {
        let words = ["tides", "潮", "naïve", "🌊🌊", "a-b", "ok", "ß"]
        var text = ""
        for number in 0..<300 {
            let word = words[number % words.count]
            text += "\(word)\(number):  # \(word)\r\n  - [\(word), {\(word): \(word)x}]\n"
        }
        let parsed = ParsedYAML(text)
        let entries = try #require(parsed.node().entries)
        #expect(entries.count == 300)
        for (number, entry) in entries.enumerated() {
            let word = words[number % words.count]
            #expect(parsed.source(of: entry.key.span) == "\(word)\(number)")
            #expect(parsed.source(of: entry.value.span) == "- [\(word), {\(word): \(word)x}]")
            let inner = try #require(entry.value.elements?.first?.elements)
            #expect(parsed.source(of: inner[0].span) == word)
            #expect(parsed.source(of: inner[1].span) == "{\(word): \(word)x}")
        }
    }
}
