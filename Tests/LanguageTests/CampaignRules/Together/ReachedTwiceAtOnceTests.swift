import Diagnostics
import TestSupport
import Testing
import Text

struct ReachedTwiceAtOnceTests {
    private static func note(
        _ name: String,
        _ audience: String,
        _ lines: String = "delivery: { ttl: 2h }",
        message: String = "notification: { title: T }"
    ) -> String {
        TogetherFiles.campaign(name, audience, message, lines)
    }

    @Test func `registrations in both of two lists are a warning at the second`() throws {
        let files = TogetherFiles.files([
            Self.note("dinner", "‹{ registrations: [x:1, x:2, x:3] }›"),
            Self.note("regatta", "«{ registrations: [x:3, x:4, x:2] }»"),
        ])
        #expect(files.findings == files.expected(.reachedTwiceAtOnce))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(
            diagnostic.message
                == "2 registrations would get `dinner` and `regatta` at the same time"
        )
    }

    @Test func `registrations in different groups add up`() throws {
        let files = TogetherFiles.files([
            Self.note("dinner", "{ registrations: [x:1, x:2, x:3] }"),
            Self.note("regatta", "«{ registrations: [x:1, x:2, x:3, x:4] }»"),
            Self.note(
                "later",
                "{ registrations: [x:3] }",
                "schedule: { at: \"2037-01-05 12:33\" }"
            ),
        ])
        #expect(files.findings == files.expected(.reachedTwiceAtOnce))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.message.hasPrefix("3 registrations would get"))
    }

    @Test(arguments: [("12:43", true), ("12:43:01", false), ("12:23", true), ("12:22:59", false)])
    func `at once means within ten minutes`(time: String, isFound: Bool) {
        let files = TogetherFiles.files([
            Self.note(
                "a",
                "{ registrations: [x:1, x:2] }",
                "schedule: { at: \"2037-01-05 12:33\" }\ndelivery: { ttl: 1s }"
            ),
            Self.note(
                "b",
                "{ registrations: [x:1] }",
                "schedule: { at: \"2037-01-05 \(time)\" }\ndelivery: { ttl: 1s }"
            ),
        ])
        #expect(files.findings.map(\.rule) == (isFound ? [.reachedTwiceAtOnce] : []))
    }

    @Test func `a topic of a subscribed list is a second audience`() throws {
        let audience = "audience: crew\nregistrations: [x:1, x:2]\nsubscribe: [tides]"
        let documents = [
            Self.note("all", "{ topic: tides }"), Self.note("crew", "«crew»"), audience,
        ]
        let files = TogetherFiles.files(documents)
        #expect(files.findings == files.expected(.reachedTwiceAtOnce))
        let elsewhere = [Self.note("all", "{ topic: azores }")] + documents.dropFirst()
        #expect(TogetherFiles.files(elsewhere).findings == [])
    }

    @Test(arguments: [
        ("{ registrations: [x:1, x:2] }", "{ registrations: [x:1, x:2] }"),
        ("{ registrations: [x:1, x:2] }", "{ registrations: [x:3] }"),
        ("{ topic: tides }", "{ topic: tides }"),
    ])
    func `the same audience and disjoint audiences are accepted`(first: String, second: String) {
        let files = TogetherFiles.files([Self.note("a", first), Self.note("b", second)])
        #expect(files.findings(of: .reachedTwiceAtOnce) == [])
    }

    @Test func `a message without notification does not count`() {
        let files = TogetherFiles.files([
            Self.note("a", "{ registrations: [x:1, x:2] }"),
            Self.note("b", "{ registrations: [x:1] }", message: "data: { a: b }"),
        ])
        #expect(files.findings == [])
    }

    @Test func `two files with the same registrations are two lists`() throws {
        let folder = try TemporaryFolder()
        for name in ["members.txt", "copy.txt"] { try folder.write(name, "x:1\nx:2\n") }
        let files = TogetherFiles.files(
            [
                Self.note("dinner", "{ registrations: members.txt }"),
                Self.note("regatta", "«{ registrations: copy.txt }»"),
                Self.note(
                    "again",
                    "{ registrations: copy.txt }",
                    "schedule: { at: \"2037-01-05 12:33\" }"
                ),
            ],
            directory: folder.path
        )
        #expect(files.findings == files.expected(.reachedTwiceAtOnce))
    }

    @Test func `the identity column merges the devices of a person`() throws {
        let folder = try TemporaryFolder()
        try folder.write("members.csv", "token,who\na:1,ana\na:2,ana\nb:1,bo\n")
        try folder.write("skippers.csv", "token,who\na:3,ana\nc:1,cy\n")
        func list(_ file: String) -> String {
            "{ file: \(file), kind: token, column: token, identity: who }"
        }
        let files = TogetherFiles.files(
            [
                Self.note("dinner", "{ registrations: \(list("members.csv")) }"),
                Self.note("regatta", "«{ registrations: \(list("skippers.csv")) }»"),
            ],
            directory: folder.path
        )
        let found = files.findings.filter { $0.rule == .reachedTwiceAtOnce }
        #expect(found == files.expected(.reachedTwiceAtOnce))
        let diagnostic = try #require(files.diagnostics.first { $0.rule == .reachedTwiceAtOnce })
        #expect(
            diagnostic.message == "1 person would get `dinner` and `regatta` at the same time"
        )
    }

    /// Each list contains all numbers with a certain bit.
    ///
    /// 1,013 numbers have more than one bit, so there are 1,013 groups, of which 500 are examined.
    @Test func `if there are too many overlaps, the count is a lower bound`() {
        let documents = (0..<10).map { bit in
            let list = (1...1_023).filter { $0 >> bit & 1 == 1 }.map { "x:\($0)" }
            return Self.note("c\(bit)", "{ registrations: [\(list.joined(separator: ", "))] }")
        }
        let found = TogetherFiles.files(documents).diagnostics(of: .reachedTwiceAtOnce)
        #expect(found.count == 9)
        #expect(found.allSatisfy { $0.message.hasPrefix("at least ") })
    }
}
