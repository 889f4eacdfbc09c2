import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

struct TopicPrefixTests {
    @Test(
        .covers("A42"),
        arguments: [
            "audience: { topic: «/topics/»tides }",
            "audience: { condition: \"'«/topics/»tides' in topics\" }",
        ]
    )
    func `the prefix is a note and its fix removes it`(audience: String) {
        let files = LoadedFiles(campaign: "campaign: a\n\(audience)\nmessage: {}\n")
        #expect(files.findings == files.expected(.topicPrefix))
        #expect(files.diagnostics.map(\.severity) == [.note])
        #expect(files.diagnostics.first?.fix?.replacement == "")
    }

    @Test(.covers("A42"))
    func `a name with the prefix is the same topic in registry and lists`() {
        let files = LoadedFiles([
            ("herald.yaml", "version: 1\nproject: p\ntopics: { «/topics/»tides: {} }\n"),
            (
                "campaigns/a.yaml",
                "audience: a\nregistrations: [a]\nsubscribe: [tides, \"«/topics/»tides\"]\n"
            ),
        ])
        #expect(files.findings == files.expected(.topicPrefix, .topicPrefix))
        #expect(files.project?.audiences.first?.subscribe?.map(\.name) == ["tides"])
    }
}
