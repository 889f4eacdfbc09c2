import CampaignLoading
import CampaignModel
import Diagnostics
import JSON
import TestSupport
import Testing
import Text

/// The messages of `messages:` documents, which campaigns extend.
struct SharedMessageTests {
    /// One campaign that extends the message `shared` of a later file.
    private static func files(
        defaults: String = "{}",
        shared: String,
        campaign: String
    ) -> LoadedFiles {
        let head = "campaign: a\nextends: shared\naudience: { topic: tides }\n"
        return LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: \(defaults)\n"),
            ("campaigns/a.yaml", head + campaign + "\n"),
            ("campaigns/b.yaml", "messages:\n  shared: \(shared)\n"),
        ])
    }

    // MARK: - Merging

    @Test func `the campaign wins over the shared message, and this over the defaults`() throws {
        let files = Self.files(
            defaults: """
                { owner: duty, delivery: { ttl: 4h, priority: normal },
                    message: { notification:
                      { title: Harbour, body: News, image: https://harbour.example/n.png } } }
                """,
            shared: """
                { labels: { desk: tides }, delivery: { ttl: 2h }, on_unknown: skip,
                    notification: { title: Tide office, body: Tides } }
                """,
            campaign: """
                message: { notification: { body: Spring tide } }
                delivery: { priority: high }
                """
        )
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.owner == "duty")
        #expect(campaign.labels == ["desk": "tides"])
        #expect(campaign.delivery.timeToLive?.seconds == 7_200)
        #expect(campaign.delivery.priority == .high)
        #expect(campaign.policy.onUnknown == .skip)
        #expect(
            campaign.content.fields == [
                "notification": [
                    "title": "Tide office", "body": "Spring tide",
                    "image": "https://harbour.example/n.png",
                ]
            ]
        )
    }

    @Test func `defaults of an environment are below the shared message`() throws {
        let files = LoadedFiles(
            [
                (
                    "herald.yaml",
                    """
                    version: 1
                    project: harbour
                    topics: { tides: {} }
                    defaults: { delivery: { ttl: 4h } }
                    environments:
                      staging:
                        emulator: {}
                        defaults: { delivery: { ttl: 1h, priority: high } }
                    """
                ),
                (
                    "campaigns/a.yaml",
                    """
                    messages: { shared: { data: { a: b }, delivery: { ttl: 2h } } }
                    ---
                    campaign: a
                    extends: shared
                    audience: { topic: tides }
                    """
                ),
            ],
            variables: ("staging", [:])
        )
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.delivery.timeToLive?.seconds == 7_200)
        #expect(campaign.delivery.priority == .high)
        #expect(campaign.content.fields == ["data": ["a": "b"]])
    }

    @Test func `a list is replaced as a whole`() {
        let path = ["webpush", "notification", "buttons"]
        let files = Self.files(
            shared: "{ webpush: { notification: { buttons: [open, close] } } }",
            campaign: "message: { webpush: { notification: { buttons: [call] } } }"
        )
        #expect(files.campaign?.content.value(at: path) == ["call"])
    }

    @Test func `a null in the campaign removes a shared value`() throws {
        let files = Self.files(
            shared: "{ owner: duty, delivery: { ttl: 4h, priority: high }, data: { a: b, c: d } }",
            campaign: "owner: ~\ndelivery: { ttl: ~ }\nmessage: { data: { a: ~ } }"
        )
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.owner == nil)
        #expect(campaign.delivery == Delivery(timeToLive: nil, priority: .high, collapse: nil))
        #expect(campaign.content.fields == ["data": ["c": "d"]])
    }

    @Test func `a null in the shared message removes a default`() throws {
        let files = Self.files(
            defaults: """
                { owner: duty, delivery: { ttl: 4h },
                    message: { notification: { title: Harbour, body: News } } }
                """,
            shared: "{ owner: ~, delivery: ~, notification: { body: ~ } }",
            campaign: "message: { data: { a: b } }"
        )
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.owner == nil)
        #expect(campaign.delivery == .unspecified)
        #expect(
            campaign.content.fields == ["data": ["a": "b"], "notification": ["title": "Harbour"]]
        )
    }

    @Test func `a null without a default is an empty value`() {
        let files = Self.files(shared: "{ owner: «~» }", campaign: "message: {}")
        #expect(files.errors == files.expected(.wrongKind))
    }

    @Test func `the shared message may be the campaign's whole message`() {
        let files = Self.files(shared: "{ notification: { title: Tides } }", campaign: "")
        #expect(files.errors == [])
        #expect(files.campaign?.content.fields == ["notification": ["title": "Tides"]])
    }

    @Test func `a shared message without fields does not replace the message`() {
        let files = LoadedFiles(
            campaign: """
                messages: { shared: { delivery: { ttl: 4h } } }
                ---
                «campaign»: a
                extends: shared
                audience: { topic: tides }
                """
        )
        #expect(files.errors == files.expected(.missingKey))
    }

    @Test func `variants and locales inherit the shared message`() throws {
        let files = LoadedFiles(
            campaign: """
                messages: { shared: { notification: { title: Tides, body: At noon } } }
                ---
                campaign: a
                extends: shared
                audience: { registrations: ["angler:1"] }
                message: { notification: { body: At 16:42 } }
                variants:
                  plain: { weight: 1 }
                  loud: { weight: 1, message: { notification: { title: TIDES } } }
                locales:
                  pt: { notification: { body: Às 16:42 } }
                """
        )
        let campaign = try #require(files.campaign)
        #expect(
            campaign.variants.map(\.content.fields) == [
                ["notification": ["title": "Tides", "body": "At 16:42"]],
                ["notification": ["title": "TIDES", "body": "At 16:42"]],
            ]
        )
        #expect(
            campaign.localizations.map(\.content.fields) == [
                ["notification": ["title": "Tides", "body": "Às 16:42"]]
            ]
        )
    }

    @Test func `campaigns keep the order of their files`() {
        let campaign = "audience: { topic: tides }\nmessage: { data: { a: b } }\n"
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            ("campaigns/a.yaml", "campaign: a\nextends: shared\n" + campaign),
            ("campaigns/b.yaml", "campaign: b\n" + campaign),
            ("campaigns/c.yaml", "messages: { shared: { owner: duty } }\n"),
            ("campaigns/d.yaml", "campaign: d\nextends: shared\n" + campaign),
        ])
        #expect(files.errors == [])
        #expect(files.project?.campaigns.map(\.id.rawValue) == ["a", "b", "d"])
        #expect(files.project?.campaigns.map(\.owner) == ["duty", nil, "duty"])
    }

    @Test func `shared messages that are merged too often are refused once per file`() {
        let fields = (0..<1_000).map { "k\($0): v" }.joined(separator: ", ")
        func log(_ count: Int) -> DiagnosticLog {
            let campaigns = (0..<count).map { number in
                "campaign: c\(number)\nextends: shared\naudience: { topic: tides }\n"
            }
            let texts = [
                ("herald.yaml", LoadedFiles.smallProject),
                ("campaigns/a.yaml", campaigns.joined(separator: "---\n")),
                ("campaigns/b.yaml", "messages: { shared: { data: { \(fields) } } }\n"),
            ]
            return ProjectLoader(zones: systemZones)
                .load(texts.map { (path: $0, result: .success(Array($1.utf8))) }).log
        }
        // 2,005 values each: 1,000 keys with a value, two keys and three mappings.
        #expect(log(498).isEmpty)
        #expect(log(502).diagnostics.map(\.rule) == [.yamlAliases])
    }

    // MARK: - Names

    @Test func `an unknown message is reported at its name with the nearest one`() {
        let files = LoadedFiles(
            campaign: """
                messages: { harbour: { notification: { title: Tides } } }
                ---
                campaign: a
                extends: «harbor»
                audience: { topic: tides }
                ---
                campaign: b
                extends: «pier»
                audience: { topic: tides }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unknownMessage, .unknownMessage))
        #expect(files.diagnostics.map { $0.fix?.replacement } == ["harbour", nil])
        #expect(
            files.diagnostics.map(\.help) == [
                ["did you mean `harbour`?"], ["declare it: `messages: { pier: … }`"],
            ]
        )
        #expect(files.project?.campaigns.isEmpty == true)
    }

    @Test(arguments: ["«[harbour]»", "«~»", "«spring tide»"])
    func `extends takes one name`(name: String) {
        let files = LoadedFiles(
            campaign: """
                messages: { harbour: { notification: { title: Tides } } }
                ---
                campaign: a
                extends: \(name)
                audience: { topic: tides }
                """
        )
        #expect(files.errors.count == 1)
        #expect(files.errors.map(\.place) == files.expected(.wrongKind).map(\.place))
    }

    @Test(arguments: [
        "«mesages»: { harbour: {} }", "messages: { harbour: «[]» }", "messages: «harbour»",
        "messages: { «spring tide»: {} }", "messages: { harbour: { «dta»: {} } }",
    ])
    func `a broken message is not reported again at its uses`(messages: String) {
        let files = LoadedFiles(
            campaign: """
                \(messages)
                ---
                campaign: a
                extends: harbour
                audience: { topic: tides }
                message: {}
                """
        )
        #expect(files.errors.count == 1)
        #expect(files.errors.map(\.place) == files.expected(.unknownKey).map(\.place))
    }

    @Test func `a message that a broken file may declare is not reported`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            ("campaigns/a.yaml", "campaign: a\nextends: harbour\naudience: { topic: tides }\n"),
            ("campaigns/b.yaml", "messages: { harbour: {}\n"),
        ])
        #expect(files.diagnostics.map(\.rule) == [.yamlSyntax])
    }

    // MARK: - Keys

    @Test(arguments: [
        "{ «onwer»: duty }", "{ «wholly-unknown»: 1 }", "{ «schedule»: { at: x } }",
        "{ «audience»: { topic: tides } }", "{ «message»: { data: { a: b } } }",
        "{ «token»: a }", "{ «extends»: other }", "{ «campaign»: b }", "«[]»",
        "{ delivery: { ttl: «29d» } }", "{ delivery: { «tll»: 4h } }", "{ delivery: «high» }",
        "{ notification: { title: «[]» } }", "{ «dta»: { a: b } }", "{ data: { «from»: a } }",
    ])
    func `a mistake is reported once in its file for many campaigns`(shared: String) {
        let campaigns = (1...5).map { number in
            "campaign: c\(number)\nextends: shared\naudience: { topic: tides }\nmessage: {}\n"
        }
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            ("campaigns/a.yaml", campaigns.joined(separator: "---\n")),
            ("campaigns/b.yaml", "messages:\n  shared: \(shared)\n"),
        ])
        #expect(files.errors.count == 1)
        #expect(files.errors.map(\.place) == files.expected(.unknownKey).map(\.place))
    }

    @Test(arguments: [
        (
            "extends: other", "a shared message cannot extend another one",
            "write the fields here: only a campaign extends a message"
        ),
        (
            "message: {}", "a shared message has no key `message`",
            "write its contents one level higher"
        ),
        (
            "audience: anglers", "a shared message has no key `audience`",
            "write it in the campaigns that extend the message"
        ),
        (
            "collapse_key: tide", "a shared message has no key `collapse_key`",
            "write the campaign's `delivery.collapse`"
        ),
    ])
    func `a misplaced key names its place`(entry: String, message: String, help: String) {
        let files = LoadedFiles(campaign: "messages: { shared: { \(entry) } }\n")
        #expect(files.diagnostics.map(\.rule) == [.unknownKey])
        #expect(files.diagnostics.map(\.message) == [message])
        #expect(files.diagnostics.map(\.help) == [[help]])
    }

    @Test func `a message that no campaign extends is checked as a part`() {
        let broken = LoadedFiles(
            campaign: "messages: { shared: { notification: { «titel»: Tides } } }\n"
        )
        #expect(broken.findings == broken.expected(.unknownKey))
        let part = LoadedFiles(
            campaign: """
                messages: { shared: { android: { notification: { title_loc_args: [Horta] } } } }
                about: The argument of a key that campaigns set
                """
        )
        #expect(part.findings == [])
    }

    @Test func `an overridden value is still checked`() {
        let files = Self.files(
            shared: "{ delivery: { ttl: «29d» } }",
            campaign: "message: {}\ndelivery: { ttl: 1d }"
        )
        #expect(files.errors == files.expected(.ttlOutOfRange))
    }

    @Test func `keys that need each other are checked after merging`() {
        let shared = "{ android: { notification: { «title_loc_args»: [Horta] } } }"
        let alone = Self.files(shared: shared, campaign: "")
        #expect(alone.errors == alone.expected(.missingKey))
        let merged = Self.files(
            shared: shared,
            campaign: "message: { android: { notification: { title_loc_key: tide_title } } }"
        )
        #expect(merged.errors == [])
    }

    @Test func `a key that conflicts with a shared one is reported second, with the fix`() {
        let files = Self.files(
            shared: "{ delivery: { ‹ttl›: 4h } }",
            campaign: "message: {}\ndelivery: { «expires»: \"2037-01-20 18:00\" }"
        )
        #expect(files.errors == files.expected(.conflictingKeys))
        let conflict = files.diagnostics.first { $0.rule == .conflictingKeys }
        #expect(conflict?.help == ["write `ttl: ~` to remove the inherited value"])
        let places = conflict?.related.map { Finding.Place($0.span, files.loaded.catalog) }
        #expect(places == files.expectedSecondPlaces)
        let fixed = Self.files(
            shared: "{ delivery: { ttl: 4h } }",
            campaign: "message: {}\ndelivery: { ttl: ~, expires: \"2037-01-20 18:00\" }"
        )
        #expect(fixed.errors == [])
    }

    // MARK: - Findings of rules

    private static let channel = """
        messages:
          channel:
            android: { «notification»: { channel_id: main } }
            delivery: { ttl: 4h }
        """

    /// Two campaigns without text, and one with text, that extend the message.
    private static func channelFiles(_ channel: String = channel) -> LoadedFiles {
        LoadedFiles([
            (
                "herald.yaml",
                """
                version: 1
                project: harbour
                topics: { tides: { reach: 90000 }, azores: {} }
                """
            ),
            (
                "campaigns/a.yaml",
                """
                campaign: ‹silent›
                extends: channel
                audience: { topic: tides }
                message: { data: { a: b } }
                """
            ),
            (
                "campaigns/b.yaml",
                """
                campaign: ‹other›
                extends: channel
                audience: { topic: azores }
                message: { data: { a: b } }
                """
            ),
            (
                "campaigns/c.yaml",
                """
                campaign: shown
                extends: channel
                audience: { topic: tides }
                message: { notification: { title: Tides, body: News } }
                """
            ),
            ("campaigns/m.yaml", channel),
        ])
    }

    @Test func `a finding names the shared message and the campaigns that extend it`() throws {
        let files = Self.channelFiles()
        let found = files.diagnostics.filter { $0.rule == .emptyTitle }
        #expect(found.map { Finding($0, files.loaded.catalog) } == files.expected(.emptyTitle))
        let finding = try #require(found.first)
        #expect(
            finding.message == "a notification from `messages.channel` has no title and no body "
                + "on Android, in campaigns `silent` and `other`"
        )
        #expect(
            finding.related.map(\.message) == [
                "inherits it from `channel` and reaches up to 90000 devices",
                "inherits it from `channel`",
            ]
        )
        let places = finding.related.map { Finding.Place($0.span, files.loaded.catalog) }
        #expect(places == files.expectedSecondPlaces)
    }

    @Test func `a comment in the shared message silences the findings of all campaigns`() {
        let files = Self.channelFiles(
            """
            messages:
              channel:
                # herald: allow empty-title, the app writes the text
                android: { notification: { channel_id: main } }
                delivery: { ttl: 4h }
            """
        )
        let rules = files.diagnostics.map(\.rule)
        #expect(!rules.contains(.emptyTitle) && !rules.contains(.unusedAllow))
    }

    @Test func `an error in a shared message suppresses findings about missing parts`() {
        let files = Self.files(
            shared: "{ notification: { title: Tonight }, «delivry»: { ttl: 4h } }",
            campaign: ""
        )
        #expect(files.findings == files.expected(.unknownKey))
        let whole = Self.files(shared: "{ notification: { title: «Tonight» } }", campaign: "")
        #expect(whole.findings == whole.expected(.datedContentWithoutTTL))
        #expect(whole.diagnostics.first?.message.hasSuffix(", in campaign `a`") == true)
    }
}
