import Diagnostics
import Testing

struct TestWordingTests {
    private static let project = """
        version: 1
        project: harbour
        topics: { tides: {}, azores: {}, team: { test: true }, pilots: { test: true } }
        environments:
          production: { fcm: { project_id: harbour-b5ae1 }, protected: true }

        """

    private static func files(
        _ message: String,
        audience: String = "{ topic: tides }",
        project: String = project
    ) -> LoadedFiles {
        LoadedFiles([
            ("herald.yaml", project),
            (
                "campaigns/a.yaml",
                "campaign: a\naudience: \(audience)\nmessage: \(message)\n"
            ),
            (
                "campaigns/people.yaml",
                """
                audience: anglers
                registrations: /dev/null
                ---
                audience: crew
                registrations: [crew:1]
                test: true
                """
            ),
        ])
    }

    private static func found(_ files: LoadedFiles) -> [Finding] {
        files.findings.filter { $0.rule == .testWording }
    }

    @Test(arguments: [
        "«Test»", "«TEST»", "«test»", "«Test 1»", "«test push»", "«Push test 2»",
        "«test push please ignore»", "«This is a test»", "«Just a test»!", "«Testing, 1, 2, 3»",
        "«Test notification from Firebase»", "«test title»", "«hello test»", "«Android test»",
        "«Test» 🚀", "🌊 «test»", "«Hello world»", "«Hello, World»!",
        "«Please ignore»", "«Ignore this»", "«foo»", "«Foo bar»", "«bar baz»", "«foobar»",
        "«lorem»", "«Lorem ipsum dolor sit amet»", "Tides: «lorem ipsum» and more", "«asdf»",
        "«asdfasdf»", "Tides «asdf» today", "«ASDF» jkl",
        "«qwerty»", "«xxx»", "«aaaa»", "«ddd»", "«blah blah»", "«bla bla bla»", "«dummy text»",
        "«Placeholder»", "«Untitled»", "«Title»", "«Title here»", "«Your text here»",
        "«Body text»", "«Sample notification»", "«TODO»", "«TODO»: write this",
        "«TODO» translate", "«Title TODO»", "The wording is «TODO»", "Tides (still «TODO»)",
        "«FIXME»", "Tides «FIXME»",
        "High water at «TBD»", "«[TEST]» Spring tide", "«[Test]» Spring tide",
        "Spring tide «(test)»", "«[STAGING]» Spring tide", "«TEST»: Spring tide",
        "«test»: Spring tide", "«TEST» - Spring tide", "«TEST» – Spring tide",
        "«Testnachricht»", "«Testnachricht, bitte ignorieren»",
    ])
    func `test text is a warning at its place`(text: String) {
        let files = Self.files("{ notification: { title: \"\(text)\" } }")
        #expect(Self.found(files) == files.expected(.testWording))
        #expect(files.diagnostics.first { $0.rule == .testWording }?.severity == .warning)
    }

    @Test(arguments: [
        "Test your knowledge of tides", "Test yourself", "contest", "Win the contest",
        "the latest", "The latest tides", "Crash test results", "Testfahrt", "Test drive a boat",
        "Bar open at 18:00", "Bar", "The Foo Fighters in Horta", "Foo fighters",
        "Test: which angler are you?", "A test of strength", "New test", "Test match in Horta",
        "Second Test", "This is not a test", "Contest: 3 winners", "Protest at the pier",
        "Attest", "Please ignore the siren at noon", "Please ignore our last message",
        "Hello", "Hello world tour: tickets", "Hello from Horta", "Your message", "Message",
        "Notification", "New notification", "Text", "The title is ours", "Win the title",
        "Todo incluido", "TODO incluido", "TODO AL 50%", "Descuento en TODO", "todo list",
        "TODOS", "Fix me a drink", "XXL", "www", "Zzz", "Mmm", "hmm", "ooo", "999", "...",
        "Sample", "Free sample", "An example", "Example of a knot", "Body", "Bodyboard",
        "Dummyfish", "Staging of Hamlet", "Dev meeting (dev)", "The QA session",
        "Abc", "Blahnik shoes", "Testament", "Testo & musica", "Тест", "テスト", "🚀", "Tést",
        "Test’s over", "Get tested today", "COVID test centre open", "Tests start on Monday",
    ])
    func `text that only resembles a test is accepted`(text: String) {
        #expect(Self.found(Self.files("{ notification: { title: \"\(text)\" } }")) == [])
    }

    @Test func `every visible text is checked`() {
        let files = Self.files(
            """

              notification: { title: «Test», body: «test push» }
              data: { text: test }
              android: { notification: { title: «test», tag: test, channel_id: test } }
              apns: { payload: { aps: { alert: { subtitle: «Test» }, category: test } } }
              webpush: { notification: { body: «[TEST]» tide, tag: test } }
            """
            .replacing("«[TEST]» tide", with: "\"«[TEST]» tide\"")
        )
        #expect(
            Self.found(files)
                == files.expected(
                    .testWording,
                    .testWording,
                    .testWording,
                    .testWording,
                    .testWording
                )
        )
    }

    @Test func `a folded alert text is reported as a whole`() {
        let files = Self.files(
            """

              apns:
                payload:
                  aps:
                    alert: «"test
                      push"»
            """
        )
        #expect(Self.found(files) == files.expected(.testWording))
    }

    @Test(arguments: [
        "variants: { a: { weight: 1, message: { notification: { title: «Test» } } }, "
            + "b: { weight: 1 } }",
        "locales: { pt: { notification: { title: «Test» } } }",
    ])
    func `every variant and locale is checked`(more: String) {
        let files = LoadedFiles([
            ("herald.yaml", Self.project),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { registrations: list.txt }
                message: { notification: { title: Tides } }
                \(more)
                """
            ),
        ])
        #expect(Self.found(files) == files.expected(.testWording))
    }

    @Test(arguments: [
        ("{ topic: team }", 0), ("crew", 0), ("{ topic: tides }", 1), ("anglers", 1),
        ("{ condition: \"'team' in topics || 'pilots' in topics\" }", 0),
        ("{ condition: \"'team' in topics || 'tides' in topics\" }", 1),
        ("{ condition: \"'tides' in topics || 'team' in topics\" }", 1),
        ("{ registrations: list.txt }", 1), ("{ group: family-7 }", 1),
    ])
    func `audiences for tests may receive test text`(audience: String, count: Int) {
        let files = Self.files("{ notification: { title: Test } }", audience: audience)
        #expect(Self.found(files).count == count)
    }

    @Test func `all audiences may receive test text if no environment is protected`() {
        let open = Self.project.replacing(", protected: true", with: "")
        let files = Self.files("{ notification: { title: Test } }", project: open)
        #expect(Self.found(files) == [])
    }
}
