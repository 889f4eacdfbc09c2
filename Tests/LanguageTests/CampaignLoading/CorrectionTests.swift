import CampaignLoading
import CampaignModel
import Diagnostics
import TestSupport
import Testing

/// Campaigns with `corrects`.
struct CorrectionTests {
    private static let original = """
        campaign: warning
        audience: { topic: tides }
        message: { notification: { title: Spring tide } }
        ---

        """

    private func load(_ text: String, defaults: String = "{}") -> LoadedFiles {
        LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: \(defaults)\n"),
            ("campaigns/a.yaml", Self.original + text),
        ])
    }

    @Test func `has a text and no audience, and inherits only owner and labels`() throws {
        let files = load(
            """
            campaign: fix
            corrects: warning
            message: { notification: { title: Correction, body: The pier is open. } }
            """,
            defaults:
                "{ owner: duty, labels: { desk: tides }, delivery: { ttl: 4h }, message: { data: { a: b } } }"
        )
        #expect(files.errors == [])
        let project = try #require(files.project)
        #expect(project.campaigns.map(\.id.rawValue) == ["warning"])
        let correction = try #require(project.corrections.first)
        #expect(correction.id.rawValue == "fix")
        #expect(correction.owner == "duty")
        #expect(correction.labels == ["desk": "tides"])
        #expect(correction.corrected == .last(of: try #require(CampaignID("warning"))))
        #expect(correction.message == .notification(title: "Correction", body: "The pier is open."))
    }

    @Test func `names an occurrence`() throws {
        let files = load(
            "campaign: fix\ncorrects: warning/2037-03-20T07:30[Asia/Kolkata]/3\n"
                + "message: { notification: { body: No } }\n"
        )
        let corrected = try #require(files.project?.corrections.first?.corrected)
        guard case .occurrence(let id) = corrected else {
            Issue.record("\(corrected)")
            return
        }
        #expect(id.campaign.rawValue == "warning")
        #expect(id.slot.text == "2037-03-20T07:30[Asia/Kolkata]")
        #expect(id.revision == 3)
        #expect(corrected.description == "warning/2037-03-20T07:30[Asia/Kolkata]/3")
    }

    @Test(
        arguments: [
            ("corrects: «warming»\nmessage: { notification: { body: No } }", RuleID.unknownValue),
            ("corrects: «fix»\nmessage: { notification: { body: No } }", .conflictingKeys),
            (
                "corrects: «warning/recall:once/1»\nmessage: { notification: { body: No } }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { title: No, «image»: https://a.example/x.png } }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { «data»: { a: b }, notification: { body: No } }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { body: «'No {{name}}'» } }",
                .unrenderedPlaceholder
            ),
            ("corrects: warning\nmessage: «{}»", .missingKey),
            (
                "corrects: warning\n«audience»: { topic: tides }\nmessage: { notification: { body: No } }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { body: No } }\n«schedule»: { at: 2037-01-02 10:00 }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { body: No } }\n«delivery»: { ttl: 1h }",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { body: No } }\n«revision»: 2",
                .conflictingKeys
            ),
            (
                "corrects: warning\nmessage: { notification: { body: No } }\n«recall»: { silent: true }",
                .conflictingKeys
            ),
        ] as [(String, RuleID)]
    )
    func `refuses what a correction cannot be`(text: String, rule: RuleID) {
        let files = load("campaign: fix\n\(text)\n")
        #expect(files.errors == files.expected(rule))
    }

    @Test func `suggests the name of a campaign`() {
        let files = load(
            "campaign: fix\ncorrects: warnin\nmessage: { notification: { body: No } }\n"
        )
        #expect(files.diagnostics.flatMap(\.help) == ["did you mean `warning`?"])
    }

    @Test func `two corrections of a campaign are an error`() {
        let files = load(
            """
            campaign: fix
            corrects: ‹warning›
            message: { notification: { body: No } }
            ---
            campaign: another
            corrects: «warning/once/1»
            message: { notification: { body: No } }
            """
        )
        #expect(files.errors == files.expected(.conflictingKeys))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test func `a correction has no other environments than its campaign`() throws {
        let project = """
            version: 1
            project: harbour
            topics: { tides: {} }
            environments: { staging: { emulator: {} }, production: { emulator: {} } }
            """
        let text = """
            campaign: warning
            environments: [production]
            audience: { topic: tides }
            message: { notification: { title: Spring tide } }
            ---
            campaign: fix
            corrects: warning
            message: { notification: { body: No } }
            """
        func load(_ name: String) -> LoadedFiles {
            LoadedFiles(
                [("herald.yaml", project), ("campaigns/a.yaml", text)],
                variables: (environment: name, values: [:])
            )
        }
        #expect(load("production").project?.corrections.count == 1)
        let staging = load("staging")
        #expect(staging.errors == [])
        #expect(staging.project?.corrections == [])
        #expect(staging.project?.elsewhere.map(\.rawValue) == ["warning", "fix"])
    }
}
