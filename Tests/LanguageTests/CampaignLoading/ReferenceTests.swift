import CampaignLoading
import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

struct ReferenceTests {
    @Test func `an unknown topic is reported wherever topics are named`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: «tidez» }
                message: {}
                ---
                campaign: b
                audience: { topic: «/topics/azorez» }
                message: {}
                ---
                audience: anglers
                registrations: [angler:1]
                subscribe: [tides, «madera»]
                ---
                devices: pier
                phones:
                  - { name: ana, platform: android, registration: "ana:1", topics: [«nowhere»] }
                """
        )
        #expect(
            files.errors
                == files.expected(.unknownTopic, .unknownTopic, .unknownTopic, .unknownTopic)
        )
        let fixes = files.diagnostics.filter { $0.severity == .error }.map { $0.fix?.replacement }
        #expect(fixes == ["tides", "azores", "madeira", nil])
    }

    @Test(arguments: [
        "\"'«tidez»' in topics && ('azores' in topics || '«madera»' in topics)\"",
        "'''«tidez»'' in topics || ''tides'' in topics || ''«madera»'' in topics'",
        "\"'«tidez»' in topics || '«tidez»' in topics\"",
    ])
    func `an unknown topic in a condition is reported at its name`(condition: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { condition: \(condition) }
                message: {}
                """
        )
        let isVerbatim = condition.hasPrefix("\"")
        let found = files.findings
        if isVerbatim {
            #expect(found == files.expected(.unknownTopic, .unknownTopic))
        } else {
            // Doubled quotation marks: the text is not verbatim, so the whole value is marked.
            #expect(found.map(\.rule) == [.unknownTopic, .unknownTopic])
        }
    }

    @Test func `an unknown topic in a block of text is reported at its name`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience:
                  condition: 'tides' in topics
                message: {}
                """
        )
        #expect(files.diagnostics.map(\.rule) == [.yamlSyntax])
        let plain = LoadedFiles(
            campaign: """
                campaign: a
                audience:
                  condition: ('tides' in topics) && '«tidez»' in topics
                message: {}
                """
        )
        #expect(plain.findings == plain.expected(.unknownTopic))
    }

    @Test func `an unknown audience is reported at its name`() {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: [angler:1]
                ---
                campaign: a
                audience: «angler»
                message: {}
                ---
                campaign: b
                audience: «tides»
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unknownAudience, .unknownAudience))
        #expect(files.diagnostics.map { $0.fix?.replacement } == ["anglers", nil])
        #expect(files.diagnostics.last?.help == ["write `topic: tides` for a topic"])
    }

    @Test(arguments: [
        "«audiense»: anglers\nregistrations: [angler:1]",
        "audience: anglers\n«registration»: [angler:1]",
        "audience: anglers\nregistrations: «12:30, 4»",
        "audience: «anglers of the pier»\nregistrations: [angler:1]",
    ])
    func `a broken audience is not reported again at its uses`(audience: String) {
        let files = LoadedFiles(
            campaign: """
                \(audience)
                ---
                campaign: a
                audience: anglers
                message: {}
                """
        )
        #expect(files.findings.count == 1)
        #expect(files.findings.first?.place == files.expected(.unknownKey).first?.place)
    }

    @Test func `an audience in another file is known`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            ("campaigns/a.yaml", "campaign: a\naudience: anglers\nmessage: {}\n"),
            ("campaigns/b.yaml", "audience: anglers\nregistrations: [angler:1]\n"),
        ])
        #expect(files.findings == [])
        #expect(files.campaign?.audience == AudienceID("anglers"))
    }

    @Test func `an audience that a broken file may declare is not reported`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            ("campaigns/a.yaml", "campaign: a\naudience: anglers\nmessage: {}\n"),
            ("campaigns/b.yaml", "audience: anglers\nregistrations: [angler:1\n"),
        ])
        #expect(files.diagnostics.map(\.rule) == [.yamlSyntax])
    }

    @Test func `topics stay known if a campaign file is unreadable`() {
        let loaded = ProjectLoader(zones: systemZones).load([
            ("herald.yaml", .success(Array(LoadedFiles.smallProject.utf8))),
            (
                "campaigns/a.yaml",
                .success(Array("campaign: a\naudience: { topic: tidez }\nmessage: {}\n".utf8))
            ),
            ("campaigns/b.yaml", .failure(FileProblem(reason: "permission denied"))),
        ])
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.rule) == [.unreadableFile, .unknownTopic])
    }
}

struct ManyReferencesTests {
    /// Reading the names of the zones takes some hundredths of a second and is done once.
    ///
    /// Names of more than 256 characters get no suggestion, so only the lookup takes time.
    @Test(.timeLimit(.minutes(5))) func `many unknown zones take little time`() {
        let long = String(repeating: "x", count: 257)
        let campaigns = (0..<4_000).map {
            """
            campaign: a-\($0)
            audience: { topic: tides }
            message: {}
            schedule: { cron: "0 7 * * *", timezone: Europe/\(long) }
            """
        }
        let files = LoadedFiles(campaign: campaigns.joined(separator: "\n---\n"))
        #expect(files.diagnostics.count == 4_000)
        #expect(files.diagnostics.allSatisfy { $0.rule == .timeZone })
    }
}
