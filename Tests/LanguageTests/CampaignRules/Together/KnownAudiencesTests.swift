import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

/// Tests which campaigns are known to reach the same devices.
///
/// The tests use the note on replaced notifications.
struct KnownAudiencesTests {
    private static func pair(_ first: String, _ second: String, _ more: [String] = []) -> Bool {
        let documents = [
            TogetherFiles.campaign(
                "a",
                first,
                "notification: { title: T }",
                "delivery: { ttl: 2h }"
            ),
            TogetherFiles.campaign(
                "b",
                second,
                "notification: { title: T }",
                "schedule: { at: \"2037-01-01 01:03\" }",
                "delivery: { ttl: 2h }"
            ),
        ]
        let files = TogetherFiles.files(documents + more)
        return !files.findings(of: .notificationReplaced).isEmpty
    }

    @Test(arguments: [
        ("{ topic: tides }", "{ topic: tides }"),
        ("{ topic: tides }", "{ condition: \"'tides' in topics && 'azores' in topics\" }"),
        ("{ topic: azores }", "{ condition: \"'tides' in topics && 'azores' in topics\" }"),
        ("{ topic: azores }", "{ condition: \"'tides' in topics || 'azores' in topics\" }"),
        (
            "{ condition: \"'tides' in topics && 'azores' in topics\" }",
            "{ condition: \"'tides' in topics && 'madeira' in topics\" }"
        ),
        ("{ registrations: [x:1, x:2] }", "{ registrations: [x:2, x:1] }"),
        ("{ registrations: [x:1, x:2] }", "{ registrations: [x:3, x:2] }"),
        ("{ group: crew }", "{ group: crew }"),
    ])
    func `these audiences share devices`(first: String, second: String) {
        #expect(Self.pair(first, second))
        #expect(Self.pair(second, first))
    }

    @Test(arguments: [
        ("{ topic: tides }", "{ topic: azores }"),
        ("{ topic: madeira }", "{ condition: \"'tides' in topics && 'azores' in topics\" }"),
        ("{ topic: azores }", "{ condition: \"'tides' in topics && !('azores' in topics)\" }"),
        ("{ registrations: [x:1, x:2] }", "{ registrations: [x:3, x:4] }"),
        ("{ topic: tides }", "{ registrations: [x:3, x:4] }"),
        ("{ group: crew }", "{ group: guests }"),
    ])
    func `these audiences are not known to share devices`(first: String, second: String) {
        #expect(!Self.pair(first, second))
        #expect(!Self.pair(second, first))
    }

    @Test func `a subscribed list is part of the audience of its topics`() {
        let audience = "audience: crew\nregistrations: [x:1, x:2]\nsubscribe: [tides, madeira]"
        let list = "{ registrations: [x:2, x:3] }"
        #expect(Self.pair("{ topic: tides }", list, [audience]))
        #expect(Self.pair("{ topic: tides }", "{ topic: madeira }", [audience]))
        #expect(!Self.pair("{ topic: azores }", list, [audience]))
        #expect(!Self.pair("{ topic: tides }", "{ registrations: [x:3] }", [audience]))
        #expect(!Self.pair("{ topic: tides }", list))
    }

    @Test func `a list is part of a condition's audience if its topics make the condition true`() {
        let audience = "audience: crew\nregistrations: [x:1]\nsubscribe: [tides, madeira]"
        let list = "{ registrations: [x:1] }"
        let both = "{ condition: \"'tides' in topics && 'madeira' in topics\" }"
        let other = "{ condition: \"'tides' in topics && 'azores' in topics\" }"
        #expect(Self.pair(both, list, [audience]))
        #expect(!Self.pair(other, list, [audience]))
    }

    @Test(arguments: [
        ("'a' in topics", ["a"]),
        ("'a' in topics && !('b' in topics)", ["a"]),
        ("('a' in topics && 'b' in topics) || 'a' in topics", ["a"]),
        ("'a' in topics && ('b' in topics || 'c' in topics)", ["a", "b", "c"]),
        ("!('a' in topics && 'b' in topics)", []),
        ("!(!('a' in topics))", ["a"]),
    ])
    func `a topic adds devices to the audience if it makes the condition true`(
        text: String,
        topics: [String]
    ) throws {
        let condition = try Condition(parsing: text)
        #expect(condition.truth.topicsBringingIn.map(\.name) == topics)
    }
}
