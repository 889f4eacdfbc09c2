import Diagnostics
import Presentation
import Testing

struct DiagnosticTextViewTests {
    @Test func `shows place, second place and fix`() throws {
        var page = RenderedPage()
        let campaign = page.add("campaigns/tides.yaml", "a:\nb:\nc:\nd:\n  topic: tidez\ne:\n")
        let project = page.add("herald.yaml", "\n\n\n\n\n  tides: { about: Tide tables }\n")
        let wrong = try page.span(of: "tidez", in: campaign)
        let diagnostic = Diagnostic(
            rule: .unknownTopic,
            message: "topic `tidez` is not declared",
            span: wrong,
            label: "no such topic in `topics:`",
            related: [
                RelatedPlace(
                    span: try page.span(of: "tides", in: project),
                    message: "declared here"
                )
            ],
            help: ["did you mean `tides`?"],
            fix: Fix(span: wrong, replacement: "tides")
        )
        #expect(
            page.render(diagnostic) == """
                error[unknown-topic]: topic `tidez` is not declared
                  --> campaigns/tides.yaml:5:10
                   |
                 5 |   topic: tidez
                   |          ^^^^^ no such topic in `topics:`
                   |
                  ::: herald.yaml:6:3
                   |
                 6 |   tides: { about: Tide tables }
                   |   ----- declared here
                   |
                help: did you mean `tides`?
                  |
                5 |   topic: tides
                """
        )
    }

    @Test func `cuts a quoted endless input`() {
        let endless = String(repeating: "é", count: 2_001)
        let diagnostic = Diagnostic(
            rule: .unknownKey,
            message: endless,
            span: nil,
            help: [endless, String(endless.dropLast())]
        )
        let half = String(repeating: "é", count: 1_000)
        let page = RenderedPage().render(diagnostic)
        #expect(
            page
                == "error[unknown-key]: \(half)…\(half)\nhelp: \(half)…\(half)\nhelp: \(half)\(half)"
        )
    }

    @Test func `aligns carets under wide and combining characters and tabs`() throws {
        var page = RenderedPage()
        let file = page.add("w.yaml", "潮: e\u{301}\tｗ 🌊 tide\n")
        let wide = Diagnostic(
            rule: .unknownValue,
            severity: .warning,
            message: "wide",
            span: try page.span(of: "🌊", in: file)
        )
        let after = Diagnostic(
            rule: .unknownValue,
            severity: .note,
            message: "after",
            span: try page.span(of: "tide", in: file),
            label: "here"
        )
        // Columns: 潮 2, `: ` 2, e and its accent 1, tab 4, ｗ 2, blank 1.
        #expect(
            page.render(wide) == """
                warning[unknown-value]: wide
                  --> w.yaml:1:9
                   |
                 1 | 潮: e\u{301}    ｗ 🌊 tide
                   |             ^^
                """
        )
        #expect(
            page.render(after) == """
                note[unknown-value]: after
                  --> w.yaml:1:11
                   |
                 1 | 潮: e\u{301}    ｗ 🌊 tide
                   |                ^^^^ here
                """
        )
    }

    @Test func `prints no escape sequence from its input`() throws {
        var page = RenderedPage()
        let file = page.add("\u{1B}c.yaml", "a: \u{1B}[2Jx\u{202E}y\n")
        let diagnostic = Diagnostic(
            rule: .unknownValue,
            message: "bad\nline\u{9B}",
            span: try page.span(of: "x", in: file),
            label: "\u{7}",
            help: ["\u{200F}"]
        )
        #expect(
            page.render(diagnostic) == #"""
                error[unknown-value]: bad\u{A}line\u{9B}
                  --> \u{1B}c.yaml:1:8
                   |
                 1 | a: \u{1B}[2Jx\u{202E}y
                   |             ^ \u{7}
                   |
                help: \u{200F}
                """#
        )
    }

    @Test func `colours severity, frame and help`() throws {
        var page = RenderedPage()
        let file = page.add("c.yaml", "key: v\n")
        let diagnostic = Diagnostic(
            rule: .unknownKey,
            message: "m",
            span: try page.span(of: "key", in: file),
            label: "l",
            help: ["h"]
        )
        let esc = "\u{1B}["
        #expect(
            page.render(diagnostic, color: true) == """
                \(esc)1;31merror[unknown-key]\(esc)0m\(esc)1m: m\(esc)0m
                  \(esc)1;34m-->\(esc)0m c.yaml:1:1
                   \(esc)1;34m|\(esc)0m
                 \(esc)1;34m1 |\(esc)0m key: v
                   \(esc)1;34m|\(esc)0m \(esc)1;31m^^^ l\(esc)0m
                   \(esc)1;34m|\(esc)0m
                \(esc)1;36mhelp\(esc)0m: h
                """
        )
    }

    @Test func `underlines the first of several lines to its end`() {
        var page = RenderedPage()
        let file = page.add("m.yaml", String(repeating: "\n", count: 9) + "ab: [1,\r\n  2]\r\n")
        let diagnostic = Diagnostic(
            rule: .wrongKind,
            message: "long",
            span: SourceSpan(source: file, start: 13, end: 22)
        )
        #expect(
            page.render(diagnostic) == """
                error[wrong-kind]: long
                   --> m.yaml:10:5
                    |
                 10 | ab: [1,
                    |     ^^^
                """
        )
    }

    @Test func `points after the last character at the end of the text`() {
        var page = RenderedPage()
        let file = page.add("e.yaml", "a:")
        let diagnostic = Diagnostic(
            rule: .yamlSyntax,
            message: "early",
            span: SourceSpan(source: file, start: 2, end: 2)
        )
        #expect(
            page.render(diagnostic) == """
                error[yaml-syntax]: early
                  --> e.yaml:1:3
                   |
                 1 | a:
                   |   ^
                """
        )
    }

    @Test func `shows a diagnostic without a place`() {
        let diagnostic = Diagnostic(
            rule: .unreadableFile,
            message: "no herald.yaml",
            span: nil,
            help: ["one", "two"]
        )
        #expect(
            RenderedPage().render(diagnostic) == """
                error[unreadable-file]: no herald.yaml
                help: one
                help: two
                """
        )
    }

    @Test func `shows every line of a fix`() throws {
        var page = RenderedPage()
        let file = page.add("f.yaml", "x: 1\ny: [a,\n  b]  # c\n")
        let span = try page.span(of: "[a,\n  b]", in: file)
        let diagnostic = Diagnostic(
            rule: .wrongKind,
            message: "m",
            span: span,
            fix: Fix(span: span, replacement: "\n- ab")
        )
        #expect(
            page.render(diagnostic) == """
                error[wrong-kind]: m
                  --> f.yaml:2:4
                   |
                 2 | y: [a,
                   |    ^^^
                   |
                help: change it like this
                  |
                2 | y: \("")
                3 | - ab  # c
                """
        )
    }

    @Test func `shows invalid bytes as replacement characters`() {
        var page = RenderedPage()
        let file = page.add("i.yaml", bytes: [0x61, 0xFF, 0x62])
        let diagnostic = Diagnostic(
            rule: .notUTF8,
            message: "m",
            span: SourceSpan(source: file, start: 1, end: 2)
        )
        #expect(page.render(diagnostic).hasSuffix(" 1 | a\u{FFFD}b\n   |  ^"))
    }

    @Test func `counts the diagnostics of each severity`() {
        let problem = { (severity: Severity) in
            Diagnostic(rule: .wrongKind, severity: severity, message: "m", span: nil)
        }
        let renderer = DiagnosticTextView(catalog: SourceCatalog(), style: .plain)
        #expect(
            renderer.summary(of: [problem(.warning), problem(.error), problem(.error)])
                == "2 errors, 1 warning"
        )
        #expect(renderer.summary(of: [problem(.note), problem(.note)]) == "2 notes")
        #expect(renderer.summary(of: []) == "no problems")
    }
}
