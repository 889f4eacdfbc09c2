import Diagnostics
import TestSupport
import Testing

@Suite(.covers("A05"))
struct PrivateContentToTopicTests {
    private static func files(
        _ message: String,
        audience: String = "topic: tides",
        owner: String = "club@tidewatch.example"
    ) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                owner: \(owner)
                audience: { \(audience) }
                message: \(message)
                delivery: { ttl: 4h }
                """
        )
    }

    @Test(arguments: [
        ("write to ana.silva+1@mail.example now", "an email address"),
        ("<a@b.co>", "an email address"),
        ("call +351292123456", "a phone number"),
        ("call +351 (292) 123-456.", "a phone number"),
        ("+12345678", "a phone number"),
        ("call 912 345 678, Ana", "a phone number"),
        ("(0) 292-123-456", "a phone number"),
        ("482913 is your Tidewatch code", "a one-time code"),
        ("Your code is 4829", "a one-time code"),
        ("Your PIN: 47110815", "a one-time code"),
        ("verification code 482 913, valid for ten minutes", "a one-time code"),
        ("OTP 482913", "a one-time code"),
        ("bk3RNwTe3H0:APA91bFoSo", "a token"),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJlMQ", "a token"),
    ])
    func `private content is a warning at its text`(text: String, what: String) {
        let files = Self.files("{ notification: { title: Tides, body: «\"\(text)\"» } }")
        #expect(files.findings == files.expected(.privateContentToTopic))
        #expect(files.diagnostics.first?.severity == .warning)
        #expect(files.diagnostics.first?.message == "a message to a topic contains \(what)")
    }

    @Test(arguments: [
        "Up 1.43% to 8.35, 1 250 000 sold", "€ 912 345 678 a year", "912 345 678 € a year",
        "10:30-11:45 12:00", "2037-03-20 17", "20-03-2037 21-03-2037", "2019 2021 2023 2025",
        "3.21.15", "192.168.100.200", "978-3-16-148410-0", "lot 912345678", "912 345 67",
        "+1234567", "+1.43 points", "4111 1111 1111 1111", "6-4 7-5 6-3 7-6 6-2",
        "https://tidewatch.example/magazine/21659772-123-456",
        "@ana and @club@social.example", "https://unpkg.example/react@18.2.0", "tide@2x.png",
        "ask club@tidewatch.example", "ask info@other.example", "ana@home",
        "Use code 482913 for 10 % off", "your discount code: 482913", "Your code is 482",
        "Your code is 482913555", "verification code of 2037", "postal code 9900-123",
        "eyJhbGciOiJub25lIn0.notclaims", "error code 4041",
    ])
    func `text that only resembles private content is accepted`(text: String) {
        #expect(Self.files("{ notification: { title: \"\(text)\" } }").findings == [])
    }

    @Test(arguments: [
        "email", "e-mail", "eMail", "user_email", "userEmail", "PhoneNumber", "first_name",
        "lastName",
        "iban", "password", "access_token", "otp", "date-of-birth",
    ])
    func `data under a personal name is a warning at the name`(key: String) {
        let files = Self.files("{ data: { «\(key)»: x } }")
        #expect(files.findings == files.expected(.privateContentToTopic))
    }

    @Test(arguments: [
        "email_subject", "iPhone", "support_email", "names", "tokens", "phones", "station", "build",
    ])
    func `data under other names is accepted`(key: String) {
        #expect(Self.files("{ data: { \(key): x } }").findings == [])
    }

    @Test func `a name with its value is one finding, and a name with an empty value is none`() {
        let files = Self.files("{ data: { «email»: ana@mail.example, phone: \"\" } }")
        #expect(files.findings == files.expected(.privateContentToTopic))
    }

    @Test func `data and text of every platform are checked, for conditions too`() {
        let files = Self.files(
            """

              notification: { title: Tides }
              android: { data: { «otp»: 1 }, notification: { body: «call 912 345 678» } }
              apns: { payload: { member: { «phone»: 912345678 }, aps: { alert: «+351292123456» } } }
              webpush: { data: { «iban»: x }, notification: { data: { «token»: x } } }
            """,
            audience: "condition: \"'tides' in topics && 'azores' in topics\""
        )
        let rules = [RuleID](repeating: .privateContentToTopic, count: 6)
        #expect(files.findings.count == 6)
        #expect(
            files.findings
                == files.expected(rules[0], rules[1], rules[2], rules[3], rules[4], rules[5])
        )
    }

    /// Linear work takes about a second; quadratic work would take many minutes.
    @Test(.timeLimit(.minutes(5))) func `many numbers take linear time`() {
        let numbers = String(repeating: "tide 4711 ", count: 30_000)
        let files = Self.files("{ data: { text: \"\(numbers)482913 is your code\" } }")
        #expect(files.diagnostics.map(\.rule).contains(.privateContentToTopic))
    }

    @Test func `messages to registrations may contain private content`() {
        let files = Self.files(
            "{ data: { otp: \"482913\", text: ana@mail.example } }",
            audience: "registrations: [angler:1]"
        )
        #expect(files.findings == [])
    }

    @Test func `no domain counts as the sender's if the campaign has no owner`() {
        let message = "{ notification: { title: «ask ana@tidewatch.example» } }"
        let files = Self.files(message, owner: "the club")
        #expect(files.findings == files.expected(.privateContentToTopic))
    }
}
