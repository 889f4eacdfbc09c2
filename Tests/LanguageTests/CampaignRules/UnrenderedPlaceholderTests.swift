import Diagnostics
import TestSupport
import Testing
import Text

struct UnrenderedPlaceholderTests {
    private static func files(_ message: String, audience: String = "topic: tides") -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: \(message)
                """
        )
    }

    private static func found(_ files: LoadedFiles) -> [Finding] {
        files.findings.filter { $0.rule == .unrenderedPlaceholder }
    }

    @Test(arguments: [
        "{ notification: { title: \"Hi «{{name}}», hi\" } }",
        "{ notification: { title: 'Hi «{{ first_name }}»' } }",
        "{ notification: { title: 'Hi «{{name}}» and {{other}}' } }",
        "{ notification: { title: \"Hi «{{»name\" } }",
        "{ data: { name: \"«{{name}}»\" } }",
        "{ apns: { payload: { aps: { badge: 1 }, own: \"b «{{x}}»\" } } }",
        "{ webpush: { notification: { title: T, actions: [{ action: a, title: \"«{{x}}»\" }] } } }",
        "{ notification: { title: «\"\\x48i {{name}}\"» } }",
    ])
    func `a column without a list is an error`(message: String) throws {
        for audience in [
            "topic: tides", "condition: \"'tides' in topics || 'azores' in topics\"", "group: f",
        ] {
            let files = Self.files(message, audience: audience)
            #expect(Self.found(files) == files.expected(.unrenderedPlaceholder))
            let finding = try #require(
                files.diagnostics.first { $0.rule == .unrenderedPlaceholder }
            )
            #expect(finding.severity == .error)
        }
    }

    @Test(arguments: [
        "{ notification: { title: \"Hi {{name}}\" } }", "{ data: { name: \"{{ name }}\" } }",
        "{ data: { name: \"a {b} {{first name}}{{x}}\" } }",
    ])
    func `a list fills placeholders`(message: String) {
        let files = Self.files(message, audience: "registrations: [a]")
        #expect(Self.found(files) == [])
    }

    @Test(arguments: [
        "{ notification: { title: \"Hi «{{»name\" } }", "{ data: { name: \"«{{}}»\" } }",
        "{ data: { name: \"{{a}} «{{ }}»\" } }", "{ data: { name: \"«{{»a} {{b}}\" } }",
        "{ data: { name: \"«{{a}b}}»\" } }",
    ])
    func `an incomplete placeholder for a list is an error`(message: String) throws {
        let files = Self.files(message, audience: "registrations: [a]")
        #expect(Self.found(files) == files.expected(.unrenderedPlaceholder))
    }

    @Test func `a placeholder in the defaults is judged by its campaign's audience`() {
        let whole = "{ message: { notification: { title: \"Hi «{{name}}»\" } } }"
        let toList = LoadedFiles([
            ("herald.yaml", "version: 1\nproject: p\ndefaults: \(whole)\n"),
            ("campaigns/a.yaml", "campaign: a\naudience: { registrations: [a] }\nmessage: {}\n"),
        ])
        #expect(Self.found(toList) == [])
        let toTopic = LoadedFiles([
            (
                "herald.yaml",
                "version: 1\nproject: p\ntopics: { tides: {} }\ndefaults: \(whole)\n"
            ),
            ("campaigns/a.yaml", "campaign: a\naudience: { topic: tides }\nmessage: {}\n"),
        ])
        #expect(toTopic.findings == toTopic.expected(.unrenderedPlaceholder))
    }

    @Test(arguments: [
        "Hi «%s»", "«%s» is here", "Hi «%1$s», hi", "«%2$d» new", "You have «%d» messages",
        "«%@» wrote", "«%1$@» wrote", "«%.2f» m", "«%02d»:00", "«%ld» left", "«%(name)s» wrote",
        "Hi «${name}»", "Hi «${user.first-name}»!", "Hi «<%= name %>»", "«<% if x %>» a",
        "Hi «[[name]]»", "«[[first_name]]»", "Hi «{0}»", "«{10}»", "Hi «{first_name}»", "«{name}»",
        "Hi «{$name}»", "«{count, plural», one {# fish} }", "Hi «*|FNAME|*»", "«*|IF:X|*»",
        "Hi «%%FIRSTNAME%%»", "Hi «%FIRST_NAME%»", "«{% if vip %}»Hi", "Hi name«}}»",
        "Hi name «}}»", "Hi «{prénom}»", "100 % sure, «%s»", "Save 5%, «{name}»",
    ])
    func `a placeholder of another system is a warning at its place`(text: String) throws {
        for audience in ["topic: tides", "registrations: [a]"] {
            let files = Self.files("{ notification: { title: '\(text)' } }", audience: audience)
            #expect(Self.found(files) == files.expected(.unrenderedPlaceholder))
            let finding = try #require(
                files.diagnostics.first { $0.rule == .unrenderedPlaceholder }
            )
            #expect(finding.severity == .warning)
        }
    }

    @Test(arguments: [
        "100 % sure", "100% sure", "5%s", "50%d", "5% so far", "50%off", "up 10%, down 5%",
        "$GOOG up 1.43%", "$5 off", "%", "%%", "100%%", "50 % discount",
        "20%-30% off", "{}", "{ }", ":-{", ":-}", "{o}", "(o_o)", "[x]", "[LIVE]", "[[", "]]",
        "a [b] c", "{1, 2, 3}", "{\"a\": 1}", "5 * 3", "*bold*", "* | *", "<3", "< 5 %", "<%",
        "x < y % z", ":-}}", "50 %ige Lösung", "%20d", "a%2db", "tide%20table", "%0d%0a",
        "${", "$ {a}", "Win $100", "%-)", "% s", "%off", "%discount code", "~{:>", "{",
        "A {b c} d", "#1", "@you", "50%\u{a0}s",
    ])
    func `text that only resembles a placeholder is accepted`(text: String) {
        #expect(Self.found(Self.files("{ notification: { title: '\(text)' } }")) == [])
    }

    @Test func `only visible text is checked, not data`() {
        let files = Self.files(
            """

              notification: { title: T, body: '«%s»' }
              data: { a: '%s', b: '${b}', c: '{c}' }
              android:
                notification: { ticker: '«${a}»', title_loc_key: k, title_loc_args: [a, '«{bb}»'], tag: '%s' }
              apns:
                payload: { aps: { alert: { title-loc-key: k, title-loc-args: ['«%@»'] } }, own: '%s' }
              webpush:
                notification: { title: '«{name}»', data: '{name}', actions: [{ action: '%s', title: '«%s»' }] }
            """
        )
        #expect(
            Self.found(files)
                == files.expected(
                    .unrenderedPlaceholder,
                    .unrenderedPlaceholder,
                    .unrenderedPlaceholder,
                    .unrenderedPlaceholder,
                    .unrenderedPlaceholder,
                    .unrenderedPlaceholder
                )
        )
    }

    @Test func `a comment silences the rule, and a project may raise its severity`() {
        let lifted = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  # herald: allow unrendered-placeholder, the article is about Mustache
                  notification: { title: "How to write {{name}}" }
                """
        )
        #expect(Self.found(lifted) == [])
        let turned = LoadedFiles([
            (
                "herald.yaml",
                "version: 1\nproject: p\ntopics: { t: {} }\nrules: { unrendered-placeholder: error }\n"
            ),
            (
                "campaigns/a.yaml",
                "campaign: a\naudience: { topic: t }\nmessage: { notification: { title: 'Hi ${n}' } }\n"
            ),
        ])
        #expect(turned.diagnostics.map(\.severity) == [.error])
    }
}
