import CampaignLoading
import CampaignModel
import Diagnostics
import JSON
import TestSupport
import Testing
import Text

struct DefaultsMergingTests {
    private static func files(defaults: String, campaign: String) -> LoadedFiles {
        LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: \(defaults)\n"),
            ("campaigns/a.yaml", "campaign: a\naudience: { topic: tides }\n\(campaign)\n"),
        ])
    }

    @Test func `mappings are merged deeply and the campaign wins`() throws {
        let files = Self.files(
            defaults: """
                { owner: duty, delivery: { ttl: 4h, priority: normal },
                    message: { notification: { title: Harbour, body: News } } }
                """,
            campaign: "message: { notification: { body: Tide } }\ndelivery: { priority: high }"
        )
        #expect(files.findings == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.owner == "duty")
        #expect(campaign.delivery.timeToLive?.seconds == 14_400)
        #expect(campaign.delivery.priority == .high)
        #expect(
            campaign.content.fields == ["notification": ["title": "Harbour", "body": "Tide"]]
        )
    }

    private static let manyFields = (0..<1_000).map { "k\($0): v" }.joined(separator: ", ")

    @Test func `defaults that are merged too often are refused once per file`() {
        func files(_ count: Int) -> LoadedProject {
            let campaigns = (0..<count).map { number in
                "campaign: c\(number)\naudience: { topic: tides }\nmessage: {}\n"
            }
            let defaults = "defaults: { message: { data: { \(Self.manyFields) } } }\n"
            let texts = [
                ("herald.yaml", LoadedFiles.smallProject + "\n" + defaults),
                ("campaigns/a.yaml", campaigns.joined(separator: "---\n")),
            ]
            return ProjectLoader(zones: systemZones)
                .load(texts.map { (path: $0, result: .success(Array($1.utf8))) })
        }
        // 2,005 values each: 1,000 keys with a value, two keys and three mappings.
        #expect(files(498).log.isEmpty)
        #expect(files(502).log.diagnostics.map(\.rule) == [.yamlAliases])
    }

    @Test func `a message that too many variants inherit is refused`() {
        func files(variants count: Int) -> LoadedFiles {
            let variants = (0..<count).map { "v\($0): { weight: 1 }" }.joined(separator: ", ")
            return Self.files(
                defaults: "{}",
                campaign: "message: { data: { \(Self.manyFields) } }\nvariants: { \(variants) }"
            )
        }
        #expect(files(variants: 600).diagnostics.map(\.rule) == [.yamlAliases])
        #expect(!files(variants: 2).diagnostics.map(\.rule).contains(.yamlAliases))
    }

    @Test func `the campaign's own keys come first and keep their order`() throws {
        let files = Self.files(
            defaults: "{ message: { data: { a: 1, b: 2 } } }",
            campaign: "message: { data: { z: 3, b: 4 } }"
        )
        let data = try #require(files.campaign?.content.value(at: ["data"])?.objectValue)
        #expect(data.members.map(\.key) == ["z", "b", "a"])
        #expect(data["b"] == "4")
    }

    @Test func `a list is replaced as a whole`() throws {
        let path = ["webpush", "notification", "buttons"]
        let files = Self.files(
            defaults: "{ message: { webpush: { notification: { buttons: [open, close] } } } }",
            campaign: "message: { webpush: { notification: { buttons: [call] } } }"
        )
        #expect(files.campaign?.content.value(at: path) == ["call"])
    }

    @Test(arguments: ["~", "null", ""])
    func `a null removes the default`(null: String) throws {
        let files = Self.files(
            defaults: "{ owner: duty, delivery: { ttl: 4h, priority: high } }",
            campaign: "message: {}\nowner: \(null)\ndelivery:\n  ttl: \(null)"
        )
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.owner == nil)
        #expect(campaign.delivery == Delivery(timeToLive: nil, priority: .high, collapse: nil))
    }

    @Test func `a null removes a whole mapping`() throws {
        let files = Self.files(
            defaults: "{ delivery: { ttl: 4h } }",
            campaign: "message: {}\ndelivery: ~"
        )
        #expect(files.findings == [])
        #expect(files.campaign?.delivery == .unspecified)
    }

    @Test func `a null without a default is an empty value`() {
        let files = Self.files(
            defaults: "{ delivery: { ttl: 4h } }",
            campaign: "message: {}\nowner: «~»"
        )
        #expect(files.findings == files.expected(.wrongKind))
    }

    @Test func `a required key is missing after a null removes its default`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: { message: {} }\n"),
            ("campaigns/a.yaml", "«campaign»: a\naudience: { topic: tides }\nmessage: ~\n"),
        ])
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test(arguments: [
        "{ «onwer»: duty }", "{ «wholly-unknown»: 1 }", "{ «schedule»: { at: x } }",
        "{ «campaign»: b }", "{ delivery: { ttl: «29d» } }", "{ delivery: { «tll»: 4h } }",
        "{ delivery: «high» }", "{ message: { notification: { title: «[]» } } }",
        "{ message: { data: { «from»: a } } }", "{ message: { «token»: a } }", "«[]»",
    ])
    func `a mistake in defaults is reported once in its file for many campaigns`(
        defaults: String
    ) {
        let campaigns = (1...5).map { number in
            "campaign: c\(number)\naudience: { topic: tides }\nmessage: {}\n"
        }
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: \(defaults)\n"),
            ("campaigns/a.yaml", campaigns.joined(separator: "---\n")),
        ])
        #expect(files.findings.count == 1)
        #expect(files.findings.map(\.place) == files.expected(.unknownKey).map(\.place))
    }

    @Test func `an overridden default is still checked`() {
        let files = Self.files(
            defaults: "{ delivery: { ttl: «29d» } }",
            campaign: "message: {}\ndelivery: { ttl: 1d }"
        )
        #expect(files.findings == files.expected(.ttlOutOfRange))
    }

    @Test func `a key that conflicts with a default is reported second, with the fix`() {
        let files = Self.files(
            defaults: "{ delivery: { ttl: 4h } }",
            campaign: "message: {}\ndelivery: { «expires»: \"2037-01-20 18:00\" }"
        )
        #expect(files.findings == files.expected(.conflictingKeys))
        #expect(files.diagnostics.first?.help == ["write `ttl: ~` to remove the default"])
        let mended = Self.files(
            defaults: "{ delivery: { ttl: 4h } }",
            campaign: "message: {}\ndelivery: { ttl: ~, expires: \"2037-01-20 18:00\" }"
        )
        #expect(mended.findings == [])
    }

    @Test func `defaults are not merged under audiences`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: { owner: duty }\n"),
            ("campaigns/a.yaml", "audience: anglers\nregistrations: [angler:1]\n"),
        ])
        #expect(files.findings == [])
    }
}
