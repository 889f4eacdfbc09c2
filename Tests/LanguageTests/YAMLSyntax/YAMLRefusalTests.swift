import Diagnostics
import TestSupport
import Testing
import YAMLSyntax

struct YAMLRefusalTests {
    @Test(
        arguments: [
            ([0x61, 0x3A, 0x20, 0xFF], 3..<4), ([0xC3, 0xA9, 0x80], 2..<3),
            ([0x61, 0xE2, 0x82], 1..<3),
            ([0xC0, 0x80], 0..<1), ([0x61, 0xED, 0xA0, 0x80], 1..<2),
            ([0xFF, 0xFE, 0x61, 0x00], 0..<2), ([0xFE, 0xFF, 0x00, 0x61], 0..<2),
            ([0xFF, 0xFE], 0..<2), ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], 0..<4),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], 0..<4), ([0x61, 0, 0x3A, 0], 0..<2),
            ([0, 0x61, 0, 0x3A], 0..<2), ([0x61, 0, 0, 0], 0..<4), ([0, 0, 0, 0x61], 0..<4),
        ] as [([UInt8], Range<Int>)]
    )
    func `refuses bytes that are not UTF-8 at the first one`(bytes: [UInt8], range: Range<Int>) {
        let parsed = ParsedYAML(bytes: bytes)
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.notUTF8])
        let span = parsed.diagnostics.first?.span
        #expect(span?.start == range.lowerBound)
        #expect(span?.end == range.upperBound)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"),
            ([0, 0x61, 0, 0x3A], "UTF-16"), ([0, 0, 0, 0x61], "UTF-32"),
        ] as [([UInt8], String)]
    )
    func `detects another encoding by its first bytes`(bytes: [UInt8], name: String) {
        let messages = ParsedYAML(bytes: bytes).diagnostics.map(\.message)
        #expect(messages == ["this file is \(name), not UTF-8"])
    }

    @Test(arguments: [
        ("\u{0}", "U+0000"), ("\u{1B}", "U+001B"), ("\u{7F}", "U+007F"), ("\u{9B}", "U+009B"),
        ("\u{FFFE}", "U+FFFE"), ("\u{FFFF}", "U+FFFF"),
    ])
    func `refuses characters that YAML forbids`(character: String, name: String) {
        let parsed = ParsedYAML("é: \(character)x\(character)")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
        #expect(parsed.diagnostics.first?.message == "YAML does not allow the character \(name)")
        let end = 4 + character.utf8.count
        let span = SourceSpan(source: parsed.source, start: 4, end: end)
        #expect(parsed.diagnostics.first?.span == span)
    }

    @Test(arguments: ["\u{85}", "\u{A0}", "\u{FFFD}", "\u{1F30A}", "\u{E000}", "\t"])
    func `accepts every other character`(character: String) {
        let parsed = ParsedYAML("a: 'x\(character)y'")
        #expect(parsed.tree != nil)
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test(.covers("M02", "M08")) func `points at the place of libyaml's error`() throws {
        let parsed = ParsedYAML("# é\nkey: Spring: tide\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
        let colon = try parsed.span(of: ": tide").start
        #expect(parsed.diagnostics[0].span?.start == colon)
        #expect(
            parsed.diagnostics[0].message == "this is not valid YAML: a value cannot begin here"
        )
        #expect(parsed.diagnostics[0].help == ["text that contains `: ` needs quotes"])
    }

    @Test func `explains that a tab does not indent`() {
        let parsed = ParsedYAML("a:\n\tb: 1\n")
        #expect(
            parsed.diagnostics.map(\.message)
                == ["this is not valid YAML: a tab cannot indent; use spaces"]
        )
        #expect(
            parsed.diagnostics.first?.help
                == ["replace the tabs at the start of the line with spaces"]
        )
    }

    @Test func `names the character to quote if no value can begin`() {
        let parsed = ParsedYAML("a: @b\n")
        #expect(
            parsed.diagnostics.map(\.message)
                == ["this is not valid YAML: a value cannot start with this character"]
        )
    }

    @Test func `points at the opening of an unclosed construct`() throws {
        let parsed = ParsedYAML("a: ü\nlist: [1, 2")
        #expect(
            parsed.diagnostics.map(\.message)
                == ["this is not valid YAML: `,` or `]` was expected here"]
        )
        #expect(parsed.diagnostics[0].span?.start == parsed.bytes.count)
        #expect(parsed.diagnostics[0].related.map(\.span) == [try parsed.span(of: "[")])
    }

    @Test func `points at the line without a colon`() throws {
        let parsed = ParsedYAML("a: 1\nword\nb: 2\n")
        #expect(parsed.tree == nil)
        #expect(parsed.diagnostics.map(\.span) == [try parsed.span(of: "w")])
    }

    @Test func `also reports findings before a syntax error`() {
        let parsed = ParsedYAML("a: 1\na: 2\nb: [\n")
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.duplicateKey, .yamlSyntax])
    }

    @Test(arguments: ["title: {{name}}", "? [a, b]\n: c", "{a: {[x]: y}}"])
    func `reports a collection as a key only once`(text: String) {
        let parsed = ParsedYAML(text)
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
    }

    @Test(arguments: [
        "a: 'x", "\"\\q\"", "a: @x", "a:\n\t- b", "- a\nb: c", "%YAML 3.0\n---\na", "!x!y z",
        "a: |0\n x", "}", "a: b\n  c: d", "&", "*", "\"\\uD800\"", "--- a\n--- b\n... c",
        "[a, , b]",
    ])
    func `reports each syntax error once and within the text`(text: String) {
        let parsed = ParsedYAML(text)
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlSyntax])
        #expect((parsed.diagnostics.first?.span?.end ?? .max) <= parsed.bytes.count)
    }
}
