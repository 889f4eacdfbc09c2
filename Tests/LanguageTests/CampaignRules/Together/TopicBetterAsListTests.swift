import Diagnostics
import TestSupport
import Testing
import Text

struct TopicBetterAsListTests {
    private static func files(
        _ audience: String,
        topics: String,
        more: [String] = []
    ) -> LoadedFiles {
        TogetherFiles.files(
            [TogetherFiles.campaign("a", audience)] + more,
            project: "version: 1\nproject: p\ntopics: { \(topics) }"
        )
    }

    @Test(arguments: [(0, true), (3, true), (100, true), (101, false)])
    func `a small topic is a note at the topic`(reach: Int, isFound: Bool) {
        let topic = isFound ? "«beta»" : "beta"
        let files = Self.files("{ topic: \(topic) }", topics: "beta: { reach: \(reach) }")
        #expect(files.findings == (isFound ? files.expected(.topicBetterAsList) : []))
        #expect(files.diagnostics.allSatisfy { $0.severity == .note })
    }

    @Test func `test topics and topics of unknown reach are accepted`() {
        #expect(Self.files("{ topic: t }", topics: "t: { reach: 3, test: true }").findings == [])
        #expect(Self.files("{ topic: t }", topics: "t: {}").findings == [])
    }

    @Test func `subscribed lists determine undeclared reach`() {
        let audience = "audience: crew\nregistrations: [x:1, x:2]\nsubscribe: [t]"
        let files = Self.files("{ topic: «t» }", topics: "t: {}", more: [audience])
        #expect(files.findings == files.expected(.topicBetterAsList))
        #expect(files.diagnostics.first?.label == "reaches 2 known registrations")
        let declared = Self.files("{ topic: t }", topics: "t: { reach: 900 }", more: [audience])
        #expect(declared.findings == [])
    }

    @Test(arguments: [("&&", 60, 900, true), ("||", 60, 40, true), ("||", 60, 41, false)])
    func `a condition reaches at most the smaller topic, or the sum`(
        sign: String,
        first: Int,
        second: Int,
        isFound: Bool
    ) {
        let text = "\"'a' in topics \(sign) 'b' in topics\""
        let files = Self.files(
            "{ condition: \(isFound ? "«\(text)»" : text) }",
            topics: "a: { reach: \(first) }, b: { reach: \(second) }"
        )
        #expect(files.findings == (isFound ? files.expected(.topicBetterAsList) : []))
    }
}
