import Diagnostics
import Testing
import YAMLSyntax

struct MergeKeyTests {
    /// The keys and sources of the values of `m`.
    private func merged(_ parsed: ParsedYAML) throws -> [String] {
        let entries = try #require(try parsed.node("m").entries)
        return entries.map { ($0.key.scalar?.text ?? "") + "=" + parsed.source(of: $0.value.span) }
    }

    @Test(
        arguments: [
            ("m: { <<: { a: 1, b: 2 } }", ["a=1", "b=2"]),
            ("x: &x { a: 1, b: 2 }\nm:\n  <<: *x\n  c: 3\n", ["c=3", "a=1", "b=2"]),
            ("x: &x { a: 1, b: 2 }\nm:\n  <<: *x\n  b: 3\n", ["b=3", "a=1"]),
            ("x: &x { a: 1, b: 2 }\nm:\n  b: 3\n  <<: *x\n", ["b=3", "a=1"]),
            ("x: &x { a: 1 }\ny: &y { a: 2, b: 3 }\nm: { <<: [*x, *y] }", ["a=1", "b=3"]),
            (
                "x: &x { a: 1 }\ny: &y { a: 2, b: 3 }\nm: { <<: [*y, *x, { c: 4 }] }",
                ["a=2", "b=3", "c=4"]
            ),
            ("x: &x\n  - { a: 1 }\n  - { a: 2 }\nm: { <<: *x }", ["a=1"]),
            ("x: &x { a: 1 }\ny: &y { <<: *x, b: 2 }\nm: { <<: *y, c: 3 }", ["c=3", "b=2", "a=1"]),
            ("x: &x { d: { a: 1 } }\nm: { <<: *x, d: { b: 2 } }", ["d={ b: 2 }"]),
            ("m: { a: 1, <<: [] }", ["a=1"]), ("m: { <<: {} }", []),
            ("m: { \"<<\": 1, a: 2 }", ["<<=1", "a=2"]), ("m: { '<<': [1] }", ["<<=[1]"]),
            ("m: { '<<': 1, <<: { a: 2 } }", ["<<=1", "a=2"]),
            ("k: &k <<\nm: { *k : { a: 1 } }", ["a=1"]),
            ("m: { << : { a: 1, \"<<\": 2 } }", ["a=1", "<<=2"]),
        ] as [(String, [String])]
    )
    func `own keys come first and override merged keys, and earlier mappings override later ones`(
        text: String,
        entries: [String]
    ) throws {
        let parsed = ParsedYAML(text)
        #expect(parsed.diagnostics.isEmpty)
        #expect(try merged(parsed) == entries)
    }

    @Test func `a merged value keeps the place of its definition`() throws {
        let parsed = ParsedYAML("x: &x\n  key: one\nm:\n  <<: *x\nlast: z\n")
        let entry = try #require(try parsed.node("m").entries?.first)
        #expect(entry.key.span == (try parsed.span(of: "key")))
        #expect(entry.value.span == (try parsed.span(of: "one")))
        #expect(try parsed.source(at: "m") == "<<: *x")
    }

    @Test(arguments: [
        "«x»", "«~»", "«»", "[«[]»]", "[{}, «x», {}]", "[«x», «[]»]", "«*t»", "«*l»", "[«*t»]",
        "[«*l»]",
        "[*m, «*t»]", "«'{}'»",
    ])
    func `merging another kind of value is one error at that value`(written: String) throws {
        let head = "t: &t text\nl: &l [1, {}]\nm: &m {}\nq:\n  <<: "
        let bare = written.filter { $0 != "«" && $0 != "»" }
        let parsed = ParsedYAML(head + bare + "\nlast: z\n")
        #expect(parsed.tree == nil)
        let marked = written.split(separator: "«", omittingEmptySubsequences: false).dropFirst()
        let places = marked.map { String($0.prefix { $0 != "»" }) }
        #expect(parsed.diagnostics.compactMap(\.span).map(parsed.source) == places)
        #expect(parsed.rules == places.map { _ in .wrongKind })
        #expect(
            parsed.diagnostics.allSatisfy {
                $0.message == "expected a mapping or a list of mappings to merge"
            }
        )
    }

    @Test(arguments: ["*no", "[*no]", "[{}, *no]", "{ a: *no }", "&own [*no]"])
    func `merging an unknown alias is one error`(written: String) {
        #expect(ParsedYAML("m: { <<: \(written) }\n").rules == [.unknownAnchor])
    }

    @Test func `two merge keys are a duplicate and both are followed`() throws {
        let parsed = ParsedYAML("m:\n  <<: { a: 1 }\n  << : { a: 2, b: 3 }\n")
        #expect(parsed.rules == [.duplicateKey])
        let second = try parsed.span(of: "<< ").start
        #expect(
            parsed.diagnostics[0].span
                == SourceSpan(source: parsed.source, start: second, end: second + 2)
        )
        #expect(try merged(parsed) == ["a=1", "b=3"])
    }

    @Test func `each of 20,000 merged keys is found once`() throws {
        let keys = (0..<20_000).map { "k\($0): x" }.joined(separator: ", ")
        let parsed = ParsedYAML("x: &x { \(keys) }\nm: { <<: [*x, *x], k7: y }\n")
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.node("m").entries?.count == 20_000)
        #expect(try parsed.source(at: "m k7") == "y")
    }
}
