import CampaignLoading
import Diagnostics
import Testing
import Text

struct EmptyTitleTests {
    private static func files(_ message: String) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: [a] }
                message: \(message)
                delivery: { ttl: 4h }
                """
        )
    }

    private static func found(_ files: LoadedFiles) -> [Finding] {
        files.findings.filter { $0.rule == .emptyTitle }
    }

    @Test(arguments: [
        "{ notification: { title: «\"\"», body: Stay off the pier } }",
        "{ notification: { title: Tides, body: «'   '» } }",
        "{ notification: { title: «\"\\t\\n\"», body: b } }",
        "{ notification: { title: «\"\\u200B\\u2060\\uFEFF\"», body: b } }",
        "{ notification: { title: «\"\\u00A0\\u3000\\u00AD\\u2800\"», body: b } }",
        "{ notification: { title: a, body: b }, android: { notification: { title: «\"\"» } } }",
        "{ notification: { title: a }, webpush: { notification: { body: «\" \"» } } }",
        "{ apns: { payload: { aps: { alert: «\"\"» } } } }",
        "{ apns: { payload: { aps: { alert: { title: «\" \"», body: b } } } } }",
        "{ android: { notification: { title: «\" \"», body_loc_key: k } } }",
    ])
    func `a blank text is a warning at its place`(message: String) {
        let files = Self.files(message)
        #expect(Self.found(files) == files.expected(.emptyTitle))
        #expect(files.diagnostics.first { $0.rule == .emptyTitle }?.severity == .warning)
    }

    @Test(arguments: [
        (
            "{ «notification»: { image: https://harbour.example/tide.png } }",
            "Android and Apple platforms and the web"
        ),
        ("{ android: { «notification»: { tag: tide } } }", "Android"),
        (
            "{ android: { «notification»: { tag: tide } }, apns: { payload: { aps: { alert: a } } } }",
            "Android"
        ),
        ("{ apns: { payload: { aps: { «alert»: { launch-image: a } } } } }", "Apple platforms"),
        ("{ webpush: { «notification»: { icon: a.png } } }", "the web"),
        (
            "{ «notification»: { image: https://harbour.example/tide.png }, "
                + "webpush: { notification: { title: a } } }", "Android and Apple platforms"
        ),
    ])
    func `a notification without text is a warning`(message: String, platforms: String) throws {
        let files = Self.files(message)
        #expect(Self.found(files) == files.expected(.emptyTitle))
        let finding = try #require(files.diagnostics.first { $0.rule == .emptyTitle })
        #expect(finding.message == "the notification has no title and no body on \(platforms)")
    }

    @Test(arguments: [
        "{ notification: { title: Tides } }", "{ notification: { body: Tides } }",
        "{ notification: { title: \"☂\" } }", "{ notification: { title: \".\" } }",
        "{ data: { title: \"\", body: \"\" } }", "{}",
        "{ android: { notification: { title: \"\", title_loc_key: k } } }",
        "{ android: { notification: { body_loc_key: k } } }",
        "{ apns: { payload: { aps: { badge: 3 } } } }",
        "{ apns: { payload: { aps: { sound: bell } } } }",
        "{ apns: { payload: { aps: { alert: { loc-key: k, body: \"\" } } } } }",
        "{ apns: { payload: { aps: { alert: { title: a, subtitle: \"\" } } } } }",
        "{ apns: { payload: { aps: { alert: Tides } } } }",
        "{ notification: { title: Tides }, android: { notification: { tag: tide } } }",
    ])
    func `a message with text or without notification is accepted`(message: String) {
        #expect(Self.found(Self.files(message)) == [])
    }

    @Test func `a misspelled text is not reported as missing`() {
        let files = Self.files("{ notification: { «titel»: Tides } }")
        #expect(files.findings == files.expected(.unknownKey))
    }

    @Test func `a blank notification from defaults names the campaigns and the effect`() throws {
        let silent = "audience: { topic: tides }\nmessage: { data: { a: b } }\n"
        let files = LoadedFiles([
            (
                "herald.yaml",
                """
                version: 1
                project: harbour
                topics: { tides: { reach: 90000 }, azores: {} }
                defaults:
                  message: { android: { «notification»: { channel_id: main } } }
                  delivery: { ttl: 4h }
                """
            ),
            ("campaigns/a.yaml", "campaign: ‹silent›\n" + silent),
            (
                "campaigns/b.yaml",
                "campaign: ‹other›\n" + silent.replacing("tides", with: "azores")
            ),
            (
                "campaigns/c.yaml",
                "campaign: shown\naudience: { topic: tides }\n"
                    + "message: { notification: { title: t, body: b } }\n"
            ),
        ])
        #expect(Self.found(files) == files.expected(.emptyTitle))
        let finding = try #require(files.diagnostics.first { $0.rule == .emptyTitle })
        #expect(
            finding.message == "a notification from `defaults` has no title and no body on "
                + "Android, in campaigns `silent` and `other`"
        )
        #expect(
            finding.related.map(\.message) == [
                "inherits it and reaches up to 90000 devices", "inherits it",
            ]
        )
        let places = finding.related.map { Finding.Place($0.span, files.loaded.catalog) }
        #expect(places == files.expectedSecondPlaces)
        #expect(
            finding.help.first?.hasSuffix("`message: { android: { notification: null } }`") == true
        )
    }

    @Test func `a finding that many campaigns inherit names three of them`() throws {
        let campaigns = (1...5).map { number in
            "campaign: c\(number)\naudience: { topic: tides }\nmessage: { data: { a: b } }\n"
        }
        let files = LoadedFiles([
            (
                "herald.yaml",
                LoadedFiles.smallProject + "\ndefaults: { delivery: { priority: «high» } }\n"
            ),
            ("campaigns/a.yaml", campaigns.joined(separator: "---\n")),
        ])
        let rule = RuleID.highPriorityShowsNothing
        #expect(files.findings.filter { $0.rule == rule } == files.expected(rule))
        let finding = try #require(files.diagnostics.first { $0.rule == rule })
        #expect(finding.message.hasSuffix(", in campaigns `c1`, `c2`, `c3` and 2 more"))
        #expect(finding.related.count == 3)
    }
}
