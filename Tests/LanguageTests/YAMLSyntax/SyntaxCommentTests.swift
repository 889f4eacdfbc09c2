import Diagnostics
import Testing
import Text
import YAMLSyntax

struct SyntaxCommentTests {
    /// Returns the comments of a text, with `|` before those on their own line.
    private func comments(_ parsed: ParsedYAML) throws -> [String] {
        let comments = try #require(parsed.tree).comments
        for comment in comments { #expect(parsed.source(of: comment.span) == "#" + comment.text) }
        return comments.map { ($0.standsAlone ? "|" : "") + parsed.source(of: $0.span) }
    }

    @Test(
        arguments: [
            ("# one\n  # two\na: b # three\n# four", ["|# one", "|# two", "# three", "|# four"]),
            ("a: b\t# tab\nc: [d,\n\t# tab\n]\n", ["# tab", "|# tab"]),
            ("#\n#  \n# x \t \n##\n", ["|#", "|#", "|# x", "|##"]),
            ("# one # two\n", ["|# one # two"]), ("a: b#c\nd#e: f # g\n", ["# g"]),
            ("a: b # ü 潮\nü: é # ß\n", ["# ü 潮", "# ß"]),
            ("a: 1 # one\r\nb: 2 # two\rc: 3\r\n# three\r\n", ["# one", "# two", "|# three"]),
            (
                "a: 'b' # c\u{2028}d: 'e' # f\u{85}# g\u{2029} # h\n",
                ["# c", "# f", "|# g", "|# h"]
            ),
            ("\u{FEFF}# one\na: b\n", ["|# one"]), ("\u{FEFF} # ü\n", ["|# ü"]),
            ("# nothing\n", ["|# nothing"]), ("", []),
        ] as [(String, [String])]
    )
    func `finds comments to the end of their line`(text: String, expected: [String]) throws {
        let parsed = ParsedYAML(text)
        #expect(parsed.diagnostics.isEmpty)
        #expect(try comments(parsed) == expected)
    }

    @Test(
        arguments: [
            ("a: ' # no' # yes\n", ["# yes"]), ("a: \" # no\" # yes\n", ["# yes"]),
            ("a: 'x\n  # no\n  y' # yes\n# yes\n", ["# yes", "|# yes"]),
            ("a: \"x\\\" # no\n  # no\" # yes\n", ["# yes"]), ("' # no' : x # yes\n", ["# yes"]),
            ("? \" # no\"\n: x # yes\n", ["# yes"]), ("a: ''' # no''' # yes\n", ["# yes"]),
        ] as [(String, [String])]
    )
    func `finds no comments in quoted text`(text: String, expected: [String]) throws {
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test(arguments: ["|", ">", "|-", ">+", "|2"])
    func `finds no comments in a block of text`(header: String) throws {
        let text = """
            a: \(header)  # header
              # no
              text # no

               # no

            # yes
             # yes
            b: \(header)
              # no
            c: d # yes
            """
        let expected = ["# header", "|# yes", "|# yes", "# yes"]
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test(
        arguments: [
            ("a: |\n  x\n # yes\n  # yes\nb: c\n", ["|# yes", "|# yes"]),
            ("a: |\n# yes\nb: >  # yes\n# yes\n", ["|# yes", "# yes", "|# yes"]),
            ("- |\n # no\n# yes\n- >\n # no\n", ["|# yes"]),
            ("--- |\n # no\n# yes\n", ["|# yes"]),
            ("a: | # yes", ["# yes"]), ("a: |\n  x # no", []),
            ("a: |+\n  x\n\n\n# yes", ["|# yes"]),
        ] as [(String, [String])]
    )
    func `finds comments after a block of text`(text: String, expected: [String]) throws {
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test(
        arguments: [
            (
                "a: one # yes\nb:\n  two\n  three # yes\n  # yes\nc: d\n",
                ["# yes", "# yes", "|# yes"]
            ),
            ("a: one\n  two#no\n  #yes\nb: c\n", ["|#yes"]),
            (
                "a: [b, # yes\n  c#no, # yes\n  # yes\n] # yes\n",
                ["# yes", "# yes", "|# yes", "# yes"]
            ),
            ("a: { b: c, # yes\n  d: e } # yes\n", ["# yes", "# yes"]),
            ("a: # yes\n  b: c\nd: # yes\n# yes\ne:\n", ["# yes", "# yes", "|# yes"]),
            ("- # yes\n  - x\n-  # yes\n", ["# yes", "# yes"]),
            ("? a # yes\n# yes\n: b # yes\n", ["# yes", "|# yes", "# yes"]),
        ] as [(String, [String])]
    )
    func `finds comments between values`(text: String, expected: [String]) throws {
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test(
        arguments: [
            (
                "%YAML 1.1 # yes\n--- # yes\na: b\n... # yes\n# yes\n",
                ["# yes", "# yes", "# yes", "|# yes"]
            ),
            ("%TAG ! tag:x,2000: # yes\n---\na: b\n", ["# yes"]),
            ("a: 1\n--- # yes\n# yes\n---\nb: ' # no' # yes\n", ["# yes", "|# yes", "# yes"]),
            ("--- 'a # no' # yes\n--- # yes\n", ["# yes", "# yes"]),
            ("--- >  # yes\n  x # no\n", ["# yes"]),
        ] as [(String, [String])]
    )
    func `finds comments next to directives and document marks`(
        text: String,
        expected: [String]
    ) throws {
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test(
        arguments: [
            ("a: &x # yes\n  b # yes\nc: *x # yes\n", ["# yes", "# yes", "# yes"]),
            ("a: &x # yes\n  ' # no'\nb: &y  # yes\n# yes\nc: *y\n", ["# yes", "# yes", "|# yes"]),
            ("a: &x # yes\n  b: c\nd: { <<: *x } # yes\n", ["# yes", "# yes"]),
            ("a: &x | # yes\n  # no\nb: &y # yes\n  |\n  # no\n", ["# yes", "# yes"]),
        ] as [(String, [String])]
    )
    func `finds comments next to anchors and aliases`(text: String, expected: [String]) throws {
        #expect(try comments(ParsedYAML(text)) == expected)
    }

    @Test func `keeps the text after the sign unchanged`() throws {
        let parsed = ParsedYAML("a: b  #  herald: allow x, ü  \n#\n")
        #expect(parsed.tree?.comments.map(\.text) == ["  herald: allow x, ü", ""])
    }

    @Test func `finds 50,000 comments among 50,000 values`() throws {
        let text = String(repeating: "- ' # no' # yes\n  # yes\n", count: 50_000)
        #expect(ParsedYAML(text).tree?.comments.count == 100_000)
        let long = String(repeating: " ", count: 1_000_000) + "# yes\n"
        #expect(try comments(ParsedYAML("a: b\n" + long + long)) == ["|# yes", "|# yes"])
        #expect(try comments(ParsedYAML(String(repeating: "# ", count: 500_000))).count == 1)
    }

    /// Comments lose their text, and every other `#` becomes another character: libyaml must report
    /// the same events with that character.
    @Test(arguments: SuiteCase.all)
    func `every # of the YAML test suite is in a comment or a value`(suiteCase: SuiteCase) throws {
        let parsed = ParsedYAML(suiteCase.yaml)
        guard let tree = parsed.tree else { return }
        var text = ""
        var offset = 0
        for comment in tree.comments {
            text += replaced(parsed.bytes[offset..<comment.span.start]) + "#"
            offset = comment.span.end
        }
        text += replaced(parsed.bytes[offset...])
        let expected = try #require(LibYAMLEvents.read(suiteCase.yaml)).map { event in
            var event = event
            event.text.replace("#", with: "Q")
            return event
        }
        #expect(LibYAMLEvents.read(text) == expected)
    }

    private func replaced(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("#", with: "Q")
    }
}
