import Diagnostics
import Testing
import Text
import YAMLSyntax

struct SyntaxScalarTests {
    @Test(arguments: [
        ("x", "x", SyntaxScalar.Style.plain), ("'it''s'", "it's", .singleQuoted),
        ("\"a\\tb\"", "a\tb", .doubleQuoted), ("|\n  one\n  two\n", "one\ntwo\n", .literal),
        (">-\n  one\n  two\n", "one two", .folded), ("0123", "0123", .plain),
    ])
    func `keeps the text and the style`(
        written: String,
        text: String,
        style: SyntaxScalar.Style
    ) throws {
        let scalar = try #require(try ParsedYAML("key: \(written)").node("key").scalar)
        #expect(scalar.text == text)
        #expect(scalar.style == style)
    }

    @Test func `reads escaped surrogate pairs as JSON does`() throws {
        let parsed = ParsedYAML(
            #"""
            # Not an escape: \ud83d\ude00
            {"a": "\ud83d\ude00 wave \uD83C\uDF0A", "\ud83c\udf0a": 🌊, "é": "last"}
            """#
        )
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.node("a").scalar?.text == "😀 wave 🌊")
        #expect(try parsed.source(at: "a") == #""\ud83d\ude00 wave \uD83C\uDF0A""#)
        #expect(try parsed.node("🌊").span == parsed.span(of: "🌊"))
        #expect(try parsed.node("é").span == parsed.span(of: "\"last\""))
    }

    @Test func `keeps escapes outside of double quotes as written`() throws {
        let parsed = ParsedYAML(
            #"""
            read: "\ud83d\ude00"
            plain: 🌊 \ud83d\ude00 🌊
            single: '\ud83d\ude00'
            block: |  # \ud83d\ude00
              🌊 \ud83d\ude00
            escaped: "\\ud83d"
            """#
        )
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.node("read").scalar?.text == "😀")
        #expect(try parsed.node("plain").scalar?.text == #"🌊 \ud83d\ude00 🌊"#)
        #expect(try parsed.node("single").scalar?.text == #"\ud83d\ude00"#)
        #expect(try parsed.node("block").scalar?.text == "🌊 \\ud83d\\ude00\n")
        #expect(try parsed.node("escaped").scalar?.text == #"\ud83d"#)
    }

    @Test(arguments: [
        #""\ud83d""#, #""\ude00\ud83d""#, #""\ud83d x""#, #""\ud83d\ud83d""#,
        #""\ud83d\ude0""#, #""\ud83d\ude00 \ude00""#, #""\\ud83d\ude00""#,
    ])
    func `refuses half of a surrogate pair`(text: String) {
        let parsed = ParsedYAML("key: \(text)\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
    }

    @Test func `records the place of verbatim text`() throws {
        let parsed = ParsedYAML(
            """
            plain: 'é' 
            cut: "'tides' in topics"
            block: |
              # Heading 潮
            """
        )
        #expect(try parsed.node("plain").scalar?.verbatimStart == parsed.span(of: "é").start)
        let cut = try parsed.node("cut")
        #expect(cut.span(ofText: 1..<6) == (try parsed.span(of: "tides")))
        let block = try parsed.node("block")
        #expect(block.span(ofText: 2..<9) == (try parsed.span(of: "Heading")))
    }

    @Test(arguments: [
        "\"a\\u0062c\"", "'it''s'", "one\n  two", "|\n  one\n  two", ">\n  one\n  two",
        "\"one\n  two\"",
    ])
    func `points at the whole scalar if text is not verbatim`(written: String) throws {
        let parsed = ParsedYAML("key: \(written)\n")
        let node = try parsed.node("key")
        #expect(node.scalar?.verbatimStart == nil)
        #expect(node.span(ofText: 0..<1) == node.span)
        #expect(parsed.source(of: node.span) == written)
    }

    @Test func `excludes the blank lines after a block scalar`() throws {
        let parsed = ParsedYAML(
            "a: |+  # keep\n  one\n  two\n\n\nb: >\n  folded\n  text\n\nc: last\n"
        )
        #expect(try parsed.node("a").span == parsed.span(of: "|+  # keep\n  one\n  two"))
        #expect(try parsed.node("a").scalar?.text == "one\ntwo\n\n\n")
        #expect(try parsed.node("b").span == parsed.span(of: ">\n  folded\n  text"))
        #expect(try parsed.node("c").span == parsed.span(of: "last"))
    }

    @Test(arguments: ["", "~", "null", "Null", "NULL"])
    func `reads unquoted YAML nulls as null`(written: String) throws {
        let node = try ParsedYAML("key: \(written)").node("key")
        #expect(node.isNull)
        #expect(node.kindName == "nothing")
    }

    @Test(arguments: ["''", "'null'", "\"~\"", "nil", "nULL", "false"])
    func `reads quoted nulls and other words as text`(written: String) throws {
        let node = try ParsedYAML("key: \(written)").node("key")
        #expect(!node.isNull)
        #expect(node.kindName == "text")
    }

    @Test func `names collections`() throws {
        let parsed = ParsedYAML("a: {}\nb: []\n")
        #expect(try parsed.node("a").kindName == "a mapping")
        #expect(try parsed.node("b").kindName == "a list")
    }
}
