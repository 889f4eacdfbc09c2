import Diagnostics
import TestSupport
import Testing
import Text

/// Tests the rules for lifetimes.
///
/// These are `apns-expiration-in-past`, `expires-in-past`, `lifetimes-disagree` and
/// `dated-content-without-ttl`.
struct LifetimeRuleTests {
    private static func files(
        _ message: String,
        more: String = "about: nothing more"
    ) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { \(message) }
                \(more)
                """
        )
    }

    private static func expiring(_ expiry: String, more: String = "about: x") -> LoadedFiles {
        files(
            "notification: { title: Tides }, apns: { headers: { apns-expiration: \(expiry) } }",
            more: more
        )
    }

    /// 2037-01-01T00:00:00Z is 2114380800.
    @Test(.covers("C54-past"), arguments: ["«1604750400»", "«1»", "«2114380799»", "«2114380800»"])
    func `a past expiry is a warning`(expiry: String) {
        let files = Self.expiring(expiry)
        #expect(files.findings == files.expected(.apnsExpirationInPast))
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test func `the time is shown`() {
        #expect(
            Self.expiring("1604750400").diagnostics.first?.label
                == "expires at 2020-11-07T12:00:00Z"
        )
    }

    @Test(arguments: ["0", "2114380801", "99999999999"])
    func `a future expiry and now-or-never are accepted`(expiry: String) {
        #expect(Self.expiring(expiry).findings.filter { $0.rule != .urgentSendToTopic } == [])
    }

    @Test(arguments: [
        "«\"2036-12-31 23:59\"»", "«\"2037-01-01 00:00\"»", "«\"2020-11-07 12:00\"»",
    ])
    func `a message with a past expires is a warning`(expiry: String) {
        let files = Self.files("data: { a: b }", more: "delivery: { expires: \(expiry) }")
        #expect(files.findings == files.expected(.expiresInPast))
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test func `a future expires and one after the due time are accepted`() {
        let coming = "delivery: { expires: \"2037-01-01 00:01\" }"
        #expect(Self.files("data: { a: b }", more: coming).findings == [])
        let sent = """
            delivery: { expires: "2036-03-21 07:30" }
            schedule: { at: "2036-03-20 07:30" }
            """
        #expect(Self.files("data: { a: b }", more: sent).findings == [])
    }

    @Test func `an expires before the due time is reported only for the schedule`() {
        let files = Self.files(
            "data: { a: b }",
            more: "delivery: { expires: «\"2036-03-19 07:30\"» }\n"
                + "schedule: { at: \"2036-03-20 07:30\" }"
        )
        #expect(files.findings == files.expected(.scheduleBounds))
    }

    @Test func `an expires of a rule is reported only for the rule`() {
        let files = Self.files(
            "data: { a: b }",
            more: "delivery: { expires: «\"2036-03-19 07:30\"», priority: high }\n"
                + "schedule: { cron: \"30 7 * * *\" }"
        )
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    /// 2037-03-20T07:30:00Z is 2121147000.
    @Test(arguments: [
        ("2037-01-29 00:00", "at: \"2037-01-01 00:00\"", false),
        ("2037-01-29 00:01", "at: \"2037-01-01 00:00\"", true),
        ("2037-03-20 07:30", "at: \"2037-03-19 07:30\"", false),
    ])
    func `FCM keeps a message at most 28 days`(
        expires: String,
        at: String,
        isFound: Bool
    ) {
        let mark = isFound ? "«\"\(expires)\"»" : "\"\(expires)\""
        let files = Self.files(
            "data: { a: b }",
            more: "delivery: { expires: \(mark) }\nschedule: { \(at) }"
        )
        #expect(files.findings == (isFound ? files.expected(.expiresBeyondLife) : []))
    }

    @Test(.covers("C41")) func `repeated data without a collapse key are a note at the data`() {
        let schedule = "schedule: { cron: 0 * * * * }"
        let files = Self.files("data: «{ score: 850 }»", more: schedule)
        #expect(files.findings == files.expected(.repeatedDataWithoutCollapse))
        for message in [
            "notification: { title: T }", "data: { a: b }, android: { collapse_key: a }",
        ] {
            let files = Self.files(message, more: schedule + "\ndelivery: { ttl: 1h }")
            #expect(files.findings == [])
        }
        let collapsing = Self.files(
            "data: { a: b }",
            more: schedule + "\ndelivery: { collapse: a }"
        )
        #expect(collapsing.findings == [])
        let unstored = Self.files("data: { a: b }", more: schedule + "\ndelivery: { ttl: 0 }")
        #expect(!unstored.findings.contains { $0.rule == .repeatedDataWithoutCollapse })
        #expect(Self.files("data: { a: b }").findings == [])
    }

    @Test func `a scheduled message expires after its due time`() {
        let schedule = "schedule: { at: \"2037-03-20 07:30\" }"
        let late = Self.expiring("«2121147000»", more: schedule)
        #expect(late.findings == late.expected(.apnsExpirationInPast))
        #expect(Self.expiring("2121147001", more: schedule).findings == [])
    }

    @Test func `a campaign that was correct when it was sent has no findings later`() {
        let sent = "schedule: { at: \"2036-03-20 07:30\" }"
        #expect(Self.expiring("2110000000", more: sent).findings == [])
    }

    @Test(
        .covers("C54-disagree"),
        arguments: [
            "android: { ttl: ‹86400s› }, webpush: { headers: { TTL: «86399» } }",
            "android: { ttl: ‹86400s› }, apns: { headers: { apns-expiration: «0» } }",
        ]
    )
    func `different lifetimes are a warning at the second`(blocks: String) {
        let files = Self.files(
            "data: { a: b }, \(blocks)",
            more: "schedule: { at: \"2037-03-20 07:30\" }"
        )
        let found = files.findings.filter { $0.rule == .lifetimesDisagree }
        #expect(found == files.expected(.lifetimesDisagree))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test(arguments: [
        (2_121_150_539, true), (2_121_150_540, false), (2_121_150_660, false),
        (2_121_150_661, true),
    ])
    func `compares the expiry with other lifetimes to the minute, from the send time`(
        expiry: Int,
        isFound: Bool
    ) {
        let message = """
            data: { a: b }, android: { ttl: 3600s },
              apns: { headers: { apns-expiration: \(expiry) } }
            """
        let scheduled = Self.files(message, more: "schedule: { at: \"2037-03-20 07:30\" }")
        #expect(scheduled.diagnostics.map(\.rule) == (isFound ? [.lifetimesDisagree] : []))
        #expect(Self.files(message).findings == [])
    }

    @Test func `three lifetimes are one finding`() {
        let files = Self.files(
            """
            data: { a: b }, android: { ttl: 1h }, webpush: { headers: { TTL: 60 } },
              apns: { headers: { apns-expiration: 0 } }
            """
            .replacing("1h", with: "3600s")
        )
        #expect(files.findings.filter { $0.rule == .lifetimesDisagree }.count == 1)
    }

    @Test(arguments: [
        "android: { ttl: 86400.5s }, webpush: { headers: { TTL: 86400 } }",
        "android: { ttl: 86400s }",
        "webpush: { headers: { TTL: 86400 } }",
    ])
    func `equal and single lifetimes are accepted`(blocks: String) {
        #expect(Self.files("data: { a: b }, \(blocks)").findings == [])
    }

    @Test func `an exception next to the common lifetime is accepted`() {
        let files = Self.files(
            "data: { a: b }, webpush: { headers: { TTL: 900 } }",
            more: "delivery: { ttl: 4h }"
        )
        #expect(files.findings == [])
    }

    @Test(
        .covers("C50-date"),
        arguments: [
            ("Spring tide on Saturday", "Saturday"), ("High water at 09:00.", "09:00"),
            ("Regatta 2037-03-20", "2037-03-20"), ("Free tonight", "tonight"),
            ("Tomorrow: dinner", "Tomorrow"), ("Dinner at 5 pm", "5 pm"), ("From 9am", "9am"),
            ("Opens 10:30am", "10:30am"),
            ("Closes at 11 p.m.", "11 p.m"), ("On 20 March", "20 March"),
            ("March 3rd", "March 3rd"),
            ("23:59", "23:59"),
        ]
    )
    func `text with a day or an hour but no time to live is a note`(
        text: String,
        moment: String
    ) {
        let files = Self.files("notification: { title: Tides, body: «\"\(text)\"» }")
        #expect(files.findings == files.expected(.datedContentWithoutTTL))
        #expect(files.diagnostics.first?.severity == .note)
        #expect(files.diagnostics.first?.message.contains("`\(moment)`") == true)
    }

    @Test(arguments: [
        "2:45 for the first leg", "1:09:00", "24:00", "12:60", "0.9.10", "3.10:15", "saturday",
        "Mondays", "may 5", "March 2037", "In 2037", "850 pm", "I am 60 and pm", "2037-13-20",
        "32 March", "850", "tonightly",
    ])
    func `other texts are accepted`(text: String) {
        #expect(Self.files("notification: { title: \"\(text)\" }").findings == [])
    }

    @Test(arguments: [
        "apns: { payload: { aps: { alert: «Tonight» } } }",
        "apns: { payload: { aps: { alert: { subtitle: «Tonight» } } } }",
        "android: { notification: { body: «Tonight» } }",
        "webpush: { notification: { title: «Tonight», body: Tonight } }",
    ])
    func `every notification is checked and reported at most once`(block: String) {
        let files = Self.files("notification: { title: Tides }, \(block)")
        #expect(files.findings == files.expected(.datedContentWithoutTTL))
    }

    @Test(arguments: [
        ("android: { ttl: 86400s }", "about: x"), ("webpush: { headers: { TTL: 60 } }", "about: x"),
        ("apns: { headers: { apns-expiration: 2114380801 } }", "about: x"),
        ("data: { a: b }", "delivery: { expires: \"2037-01-01 18:00\" }"),
        ("data: { a: Tonight }", "delivery: { ttl: 4w }".replacing("4w", with: "28d")),
    ])
    func `any time to live is sufficient`(block: String, more: String) {
        let files = Self.files("notification: { title: Tonight }, \(block)", more: more)
        #expect(files.findings == [])
    }

    @Test func `data are not searched for times`() {
        #expect(Self.files("data: { text: Tonight at 09:00 }").findings == [])
    }
}
