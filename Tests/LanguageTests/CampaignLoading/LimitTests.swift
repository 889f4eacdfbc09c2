import Diagnostics
import TestSupport
import Testing

/// Tests each limit that FCM documents, at its value and one beyond.
struct LimitTests {
    /// Expects no finding with `inside` in place of `¶`, and one at `outside`.
    func expect(
        _ inside: String,
        not outside: String,
        _ rule: RuleID,
        in campaign: String,
        topics: [String] = ["tides"],
        at location: SourceLocation = #_sourceLocation
    ) {
        func files(_ value: String) -> LoadedFiles {
            let registry = topics.map { "\($0): {}" }.joined(separator: ", ")
            let text = campaign.replacing("¶", with: value)
            return LoadedFiles([
                ("herald.yaml", "version: 1\nproject: p\ntopics: { \(registry) }\n"),
                ("campaigns/a.yaml", "campaign: a\n" + text + "\n"),
            ])
        }
        #expect(files(inside).errors == [], sourceLocation: location)
        let broken = files("«\(outside)»")
        #expect(broken.findings == broken.expected(rule), sourceLocation: location)
    }

    /// Does the same for a field of a message to a topic; `field` is in flow style.
    func expect(
        _ inside: String,
        not outside: String,
        _ rule: RuleID,
        inField field: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        let campaign = "audience: { topic: tides }\nmessage: \(field)"
        expect(inside, not: outside, rule, in: campaign, at: location)
    }

    func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private func condition(_ topics: ArraySlice<String>) -> String {
        topics.map { "'\($0)' in topics" }.joined(separator: " || ")
    }

    @Test(.covers("A55", "F3-max-topics")) func `a condition names at most five topics`() {
        let topics = ["a", "b", "c", "d", "e", "f"]
        expect(
            condition(topics[..<5]),
            not: condition(topics[..<6]),
            .conditionTopics,
            in: "audience: { condition: \"¶\" }\nmessage: {}",
            topics: topics
        )
    }

    @Test(.covers("F2.2-topic-name")) func `a topic's name has at most 900 characters`() {
        expect(
            letters(900),
            not: letters(901),
            .topicName,
            in: "audience: { topic: ¶ }\nmessage: {}",
            topics: [letters(900)]
        )
    }

    @Test(.covers("C49", "F4-ttl")) func `a message's lifetime is at most 2,419,200 seconds`() {
        let campaign = "audience: { topic: tides }\nmessage: {}\ndelivery: { ttl: ¶ }"
        expect("2419200s", not: "2419201s", .ttlOutOfRange, in: campaign)
        expect("0", not: "-1s", .durationSyntax, in: campaign)
    }

    @Test(.covers("C49", "F1.4-ttl")) func `the limit applies to Android's own ttl`() {
        expect("2419200s", not: "2419201s", .ttlOutOfRange, inField: "{ android: { ttl: ¶ } }")
        expect("0s", not: "-1s", .ttlOutOfRange, inField: "{ android: { ttl: ¶ } }")
    }

    @Test(.covers("C49", "F1.6-ttl")) func `the limit applies to the web's own header`() {
        let field = "{ webpush: { headers: { TTL: ¶ } } }"
        expect("2419200", not: "2419201", .ttlOutOfRange, inField: field)
        expect("0", not: "-1", .ttlOutOfRange, inField: field)
    }

    @Test(.covers("F1.5-collapse-id")) func `Apple's collapse ID has at most 64 bytes`() {
        let field = "{ apns: { headers: { apns-collapse-id: ¶ } } }"
        let accents = String(repeating: "é", count: 32)
        expect(letters(64), not: letters(65), .collapseIDTooLong, inField: field)
        expect(accents, not: accents + "a", .collapseIDTooLong, inField: field)
    }

    @Test(.covers("F1.6-topic")) func `the web's Topic has at most 32 characters`() {
        expect(
            letters(32),
            not: letters(33),
            .webTopicSyntax,
            inField: "{ webpush: { headers: { Topic: ¶ } } }"
        )
    }

    @Test(.covers("F1.3-label")) func `an analytics label has at most 50 characters`() {
        let field = "{ fcm_options: { analytics_label: ¶ } }"
        expect(letters(50), not: letters(51), .invalidName, inField: field)
        expect("a-B_9.~%", not: "a/b", .invalidName, inField: field)
    }

    @Test(.covers("F1.4-label", "F1.6-label"), arguments: ["android", "apns", "webpush"])
    func `the label limit applies to each platform's options`(platform: String) {
        expect(
            letters(50),
            not: letters(51),
            .invalidName,
            inField: "{ \(platform): { fcm_options: { analytics_label: ¶ } } }"
        )
    }

    @Test(.covers("C05", "F4-console"), arguments: [1_024, 1_025])
    func `the console's 1,024 characters are not a limit`(count: Int) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { notification: { body: \(letters(count)) } }
                """
        )
        #expect(files.findings == [])
    }
}

// MARK: - Enumerated values

extension LimitTests {
    @Test(.covers("F1.5-priority"), arguments: ["1", "5", "10"])
    func `Apple's priority has three values`(priority: String) {
        expect(
            priority,
            not: "2",
            .invalidHeader,
            inField: "{ apns: { headers: { apns-priority: ¶ }, payload: { aps: { badge: 1 } } } }"
        )
    }

    @Test(.covers("F1.5-expiration")) func `Apple's expiry is a number of seconds`() {
        let field = "{ apns: { headers: { apns-expiration: ¶ } } }"
        expect("0", not: "-1", .invalidHeader, inField: field)
        expect("4102444800", not: "1h", .invalidHeader, inField: field)
    }

    @Test(.covers("F1.5-flags"), arguments: ["content-available", "mutable-content"])
    func `Apple's flags are 0 or 1`(flag: String) {
        let field = "{ apns: { payload: { aps: { \(flag): ¶ } } } }"
        expect("0", not: "2", .numberOutOfRange, inField: field)
        expect("1", not: "-1", .numberOutOfRange, inField: field)
    }

    @Test(.covers("F1.6-urgency"), arguments: ["very-low", "low", "normal", "high"])
    func `the web's urgency has four values`(urgency: String) {
        let field = "{ webpush: { headers: { Urgency: ¶ } } }"
        expect(urgency, not: "medium", .invalidHeader, inField: field)
    }

    @Test(.covers("F1.6-link")) func `a link must use https`() {
        expect(
            "\"https://a\"",
            not: "\"http://a\"",
            .invalidURL,
            inField: "{ webpush: { fcm_options: { link: ¶ } } }"
        )
    }
}
