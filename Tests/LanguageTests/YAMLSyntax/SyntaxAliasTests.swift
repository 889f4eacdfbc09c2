import Diagnostics
import Testing
import YAMLSyntax

struct SyntaxAliasTests {
    @Test func `an alias is its anchor's value with the spans of the definition`() throws {
        let parsed = ParsedYAML("a: &one { b: [x, y] }\nc: *one\nd: &two ü z\ne: [*two]\nlast: q\n")
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.node("c").span == parsed.span(of: "{ b: [x, y] }"))
        #expect(try parsed.node("c b 1").span == parsed.span(of: "y"))
        #expect(try parsed.node("e 0").span == parsed.span(of: "ü z"))
        #expect(try parsed.node("e 0").scalar?.verbatimStart == parsed.span(of: "ü z").start)
        #expect(try parsed.source(at: "e") == "[*two]")
    }

    @Test func `a collection whose last item is an alias ends at the alias`() throws {
        let parsed = ParsedYAML("a: &one x\nb:\n  - y\n  - *one\nc: { d: *one }\ne:\n  f: *one\n")
        #expect(try parsed.source(at: "b") == "- y\n  - *one")
        #expect(try parsed.source(at: "c") == "{ d: *one }")
        #expect(try parsed.source(at: "e") == "f: *one")
    }

    @Test(arguments: [
        ("&a key: x\nb: *a", "key"), ("a: &a x\nb: *a", "x"), ("a: &a 'x'\nb: *a", "'x'"),
        ("a: &a |\n  x\nb: *a", "|\n  x"), ("a: &a\n  - x\nb: *a", "- x"),
        ("a: &a # why\n  x: y\nb: *a", "x: y"), ("a: &a\nb: *a", ""), ("a: &a []\nb: *a", "[]"),
    ])
    func `an anchor names any kind of node`(text: String, source: String) throws {
        let parsed = ParsedYAML(text)
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.source(at: "b") == source)
    }

    @Test func `the last anchor before the alias counts`() throws {
        let parsed = ParsedYAML("[&a x, *a, &a y, *a, &a [&a z, *a], *a]")
        #expect(parsed.diagnostics.isEmpty)
        #expect(try ["1", "3", "4 1", "5"].map(parsed.source) == ["x", "y", "z", "z"])
    }

    @Test func `an alias can refer to a value that was dropped`() throws {
        let parsed = ParsedYAML("a: 1\na: &x 2\nb: *x\n")
        #expect(parsed.rules == [.duplicateKey])
        #expect(try parsed.source(at: "b") == "2")
    }

    @Test func `an anchor ends with its document`() throws {
        let parsed = ParsedYAML("a: &a x\n---\nb: *a\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.unknownAnchor])
        #expect(parsed.diagnostics[0].span == (try parsed.span(of: "*a")))
    }

    @Test func `an unknown alias suggests an earlier anchor`() throws {
        let parsed = ParsedYAML("a: &base x\nb: *bsae\nc: *other\nd: &othr y\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.unknownAnchor, .unknownAnchor])
        let place = try parsed.span(of: "*bsae")
        #expect(parsed.diagnostics[0].span == place)
        #expect(parsed.diagnostics[0].help == ["did you mean `*base`?"])
        #expect(parsed.diagnostics[0].fix == Fix(span: place, replacement: "*base"))
        #expect(parsed.diagnostics[1].span == (try parsed.span(of: "*other")))
        #expect(parsed.diagnostics[1].fix == nil)
    }

    @Test func `an alias before its anchor points at both`() throws {
        let parsed = ParsedYAML("a: [*late, *late]\nb: &late x\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.unknownAnchor, .unknownAnchor])
        #expect(parsed.diagnostics[0].related.map(\.span) == [try parsed.span(of: "&late")])
    }

    @Test(arguments: [
        "a: &a [*a]", "a: &a {b: [*a]}", "&a {*a : b}", "a: &a\n  <<: *a", "&a [&b [*a]]",
    ])
    func `an alias inside its own value is one error`(text: String) throws {
        let parsed = ParsedYAML(text)
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.unknownAnchor])
        #expect(parsed.diagnostics[0].span == (try parsed.span(of: "*a")))
        #expect(parsed.diagnostics[0].related.map(\.span) == [try parsed.span(of: "&a")])
    }

    @Test func `an unknown alias is reported together with a syntax error`() {
        #expect(ParsedYAML("a: *b\nc: [\n").rules == [.unknownAnchor, .yamlSyntax])
    }

    @Test func `an alias to text can be a key`() throws {
        let parsed = ParsedYAML("a: &name tides\n*name : x\n")
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.source(at: "tides") == "x")
        #expect(try parsed.node().entries?.last?.key.span == parsed.span(of: "tides"))
    }

    @Test(arguments: ["&a k: x\n*a : y", "k: &a k\n*a : y", "b: &a k\n*a : x\n'k': y"])
    func `a key that is an alias can be a duplicate`(text: String) {
        let parsed = ParsedYAML(text)
        #expect(parsed.rules == [.duplicateKey])
        let second = parsed.diagnostics[0].span.map(parsed.source)
        #expect(second == (text.hasSuffix("'k': y") ? "'k'" : "*a"))
        let first = parsed.diagnostics[0].related.first.map { parsed.source(of: $0.span) }
        #expect(first == (text.hasSuffix("'k': y") ? "*a" : "k"))
    }

    @Test func `an alias to a collection as a key is one error`() throws {
        let parsed = ParsedYAML("a: &a [x]\n*a : y\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
        #expect(parsed.diagnostics[0].span == (try parsed.span(of: "*a")))
    }

    @Test func `unknown aliases as keys are one error each`() {
        #expect(ParsedYAML("*a : 1\n*b : 2\n").rules == [.unknownAnchor, .unknownAnchor])
    }
}
