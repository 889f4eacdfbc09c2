import CampaignLoading
import CampaignModel
import Diagnostics
import Testing
import Text

struct TopicRegistryTests {
    private static let uses = """
        campaign: a
        audience: { topic: tides }
        message: {}
        ---
        campaign: b
        audience: { condition: "'nowhere' in topics" }
        message: {}
        """

    @Test(arguments: [
        "version: 1\nproject: harbour\n«topcis»: { tides: {} }",
        "version: 1\nproject: harbour\ntopics: «[tides]»",
        "version: 1\nproject: harbour\ntopics: «tides»",
        "version: 1\nproject: harbour\ntopics: { «ti des»: {}, azores: {} }",
    ])
    func `a broken registry is one finding for any number of topics`(project: String) {
        let files = LoadedFiles([("herald.yaml", project), ("campaigns/a.yaml", Self.uses)])
        #expect(files.findings.filter { $0.place?.path == "campaigns/a.yaml" } == [])
        #expect(files.findings.count == 1)
    }

    @Test(arguments: [
        "version: 1\nproject: harbour\ntopics: { tides: «1» }",
        "version: 1\nproject: harbour\ntopics: { tides: { «abuot»: Tide tables } }",
        "version: 1\nproject: harbour\ntopics: { tides: { reach: «many» } }",
    ])
    func `a topic with a broken description is still declared`(project: String) {
        let campaigns = "campaign: a\naudience: { topic: tides }\nmessage: {}\n"
        let files = LoadedFiles([("herald.yaml", project), ("campaigns/a.yaml", campaigns)])
        #expect(files.findings.map(\.place) == files.expected(.unknownKey).map(\.place))
    }

    @Test func `a duplicate topic in any spelling is reported and shows the first`() {
        let files = LoadedFiles(
            project: """
                version: 1
                project: harbour
                topics: { ‹tides›: { about: Tide tables }, «/topics/tides»: { about: Other } }
                """
        )
        #expect(files.errors == files.expected(.duplicateName))
        #expect(
            files.diagnostics.filter { $0.rule == .duplicateName }.flatMap(\.related)
                .map { Finding.Place($0.span, files.loaded.catalog) }
                == files.expectedSecondPlaces
        )
        #expect(files.project?.topics.values.map(\.about) == ["Tide tables"])
    }

    @Test func `without a registry every topic is unknown`() {
        let files = LoadedFiles([
            ("herald.yaml", "version: 1\nproject: harbour\n"),
            ("campaigns/a.yaml", "campaign: a\naudience: { topic: «tides» }\nmessage: {}\n"),
        ])
        #expect(files.findings == files.expected(.unknownTopic))
        #expect(
            files.diagnostics.first?.help
                == ["declare it in herald.yaml: `topics: { tides: { about: … } }`"]
        )
    }

    @Test func `an unreadable project file is one finding`() {
        let loaded = LoadedFiles([("herald.yaml", "«:»"), ("campaigns/a.yaml", Self.uses)])
        #expect(loaded.findings.filter { $0.place?.path == "campaigns/a.yaml" } == [])
        #expect(loaded.project == nil)
    }

    @Test(arguments: ["", "\n", "# nothing\n"])
    func `an empty project file is one finding`(text: String) {
        let files = LoadedFiles([("herald.yaml", text), ("campaigns/a.yaml", Self.uses)])
        #expect(files.findings.map(\.rule) == [.missingKey])
    }
}
