import CampaignModel
import Diagnostics
import JSON
import Testing
import Text

struct UpstreamTests {
    @Test func `a rule has conditions and actions`() throws {
        let files = LoadedFiles(
            campaign: """
                campaign: question
                audience: { topic: tides }
                message: { notification: { title: Is the pier dry? } }
                ---
                upstream: answer
                about: The pier is dry
                match: { category: com.example.harbour, data: { action: answer, pier: 1 } }
                subscribe: [tides]
                unsubscribe: [azores]
                event: dry
                campaign: question
                append: answers.csv
                ---
                upstream: leave
                match: { data: { action: leave } }
                opt_out: true
                """
        )
        #expect(files.findings == [])
        #expect(files.laterKeys == [])
        let rules = try #require(files.project?.upstream)
        #expect(rules.map(\.id.rawValue) == ["answer", "leave"])
        #expect(
            rules.first?.match
                == UpstreamMatch(
                    category: "com.example.harbour",
                    data: ["action": "answer", "pier": "1"]
                )
        )
        let file = try #require(UpstreamFile("answers.csv"))
        #expect(
            rules.first?.actions
                == UpstreamActions(
                    subscribe: [try #require(Topic("tides"))],
                    unsubscribe: [try #require(Topic("azores"))],
                    event: UpstreamEvent(
                        name: "dry",
                        campaign: try #require(CampaignID("question"))
                    ),
                    append: file
                )
        )
        #expect(rules.last?.actions == UpstreamActions(optsOut: true))
    }

    @Test func `a reply is a message without placeholders`() throws {
        let files = LoadedFiles(
            campaign: """
                upstream: thanks
                match: { data: { action: answer } }
                reply:
                  notification: { title: Thank you }
                  android: { ttl: 3600s }
                """
        )
        #expect(files.findings == [])
        let rule = try #require(files.project?.upstream.first)
        #expect(rule.actions.reply?.value(at: ["notification", "title"]) == "Thank you")
        #expect(rule.replies?.rawValue == "thanks")
    }

    @Test(arguments: [
        "reply: { notification: { title: «'Hi {{name}}'» } }",
        "reply: { notification: { title: Hi }, data: { text: «'{{ text }}'» } }",
        "reply: { webpush: { notification: { actions: [{ action: go, title: «'{{x}}'» }] } } }",
    ])
    func `a reply cannot have placeholders`(reply: String) {
        let files = LoadedFiles(campaign: "upstream: a\nmatch: { data: { a: b } }\n\(reply)\n")
        #expect(files.findings == files.expected(.unrenderedPlaceholder))
    }

    @Test func `a reply has content`() {
        let files = LoadedFiles(
            campaign:
                "upstream: a\nmatch: { data: { a: b } }\nreply: «{ fcm_options: { analytics_label: a } }»\n"
        )
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test func `a rule that opts out does not reply`() {
        let files = LoadedFiles(
            campaign: """
                upstream: both
                match: { data: { a: b } }
                opt_out: ‹true›
                reply: «{ notification: { title: Bye } }»
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    @Test func `a rule that replies and a campaign have different names`() {
        let files = LoadedFiles(
            campaign: """
                campaign: ‹thanks›
                audience: { topic: tides }
                message: { notification: { title: Is the pier dry? } }
                ---
                upstream: «thanks»
                match: { data: { a: b } }
                reply: { notification: { title: Thank you } }
                """
        )
        #expect(files.findings == files.expected(.duplicateName))
    }

    @Test func `a reply that FCM would refuse is too large`() {
        let text = String(repeating: "a", count: 4_090)
        for (more, rules) in [("", [RuleID]()), ("aaaaaaaa", [.payloadTooLarge])] {
            let files = LoadedFiles(
                campaign: """
                    upstream: a
                    match: { data: { a: b } }
                    reply: { data: { k: \(text + more) } }
                    """
            )
            #expect(files.findings.map(\.rule) == rules)
        }
    }

    @Test(arguments: [
        "match: «{}»", "match: «{ data: {} }»", "match: «{ x-note: 1 }»",
    ])
    func `a rule for every message is refused`(match: String) {
        let files = LoadedFiles(campaign: "upstream: all\n\(match)\nopt_out: true\n")
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test func `conditions that cannot be read are reported once`() {
        let files = LoadedFiles(
            campaign: "upstream: all\nmatch: { data: «[a]» }\nopt_out: true\n"
        )
        #expect(files.findings == files.expected(.wrongKind))
    }

    @Test(arguments: ["", "opt_out: false\n"])
    func `a rule that does nothing is refused`(action: String) {
        let files = LoadedFiles(
            campaign: "upstream: «idle»\nmatch: { data: { a: b } }\n\(action)"
        )
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test func `a message cannot subscribe to and unsubscribe from one topic`() {
        let files = LoadedFiles(
            campaign: """
                upstream: both
                match: { data: { a: b } }
                subscribe: [azores, «tides»]
                unsubscribe: [‹tides›]
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    @Test func `a rule that opts out does not subscribe`() {
        let files = LoadedFiles(
            campaign: """
                upstream: both
                match: { data: { a: b } }
                subscribe: «[tides]»
                opt_out: ‹true›
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    @Test(arguments: ["event: dry", "campaign: question"])
    func `an event belongs to a campaign`(key: String) {
        let name = key.split(separator: ":")[0]
        let files = LoadedFiles(
            campaign: """
                campaign: question
                audience: { topic: tides }
                message: { notification: { title: Is the pier dry? } }
                ---
                upstream: answer
                match: { data: { a: b } }
                append: answers.csv
                «\(name)»\(key.dropFirst(name.count))
                """
        )
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test func `a rule and an audience have different names`() {
        let files = LoadedFiles(
            campaign: """
                audience: ‹anglers›
                registrations: [angler:1]
                ---
                upstream: «anglers»
                match: { data: { a: b } }
                opt_out: true
                """
        )
        #expect(files.findings == files.expected(.duplicateName))
    }

    @Test func `an unknown campaign is reported with the nearest name`() {
        let files = LoadedFiles(
            campaign: """
                campaign: question
                audience: { topic: tides }
                message: { notification: { title: Is the pier dry? } }
                ---
                upstream: answer
                match: { data: { a: b } }
                event: dry
                campaign: «qestion»
                """
        )
        #expect(files.findings == files.expected(.unknownValue))
        #expect(files.diagnostics.first?.help == ["did you mean `question`?"])
    }

    @Test(arguments: [
        ("com.example.harbour", ["action": "leave", "extra": "1"], true),
        ("com.example.other", ["action": "leave"], false),
        ("com.example.harbour", ["action": "Leave"], false),
        ("com.example.harbour", [:], false),
    ])
    func `all conditions have to hold`(category: String, data: [String: String], applies: Bool) {
        let match = UpstreamMatch(category: "com.example.harbour", data: ["action": "leave"])
        #expect(match.applies(toCategory: category, data: data) == applies)
    }
}
