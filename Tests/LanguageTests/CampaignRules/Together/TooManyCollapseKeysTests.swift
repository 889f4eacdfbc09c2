import Diagnostics
import TestSupport
import Testing
import Text

struct TooManyCollapseKeysTests {
    private static func keys(_ count: Int, marked: Bool = true) -> [String] {
        (1...count).map { number in
            let key =
                marked && number == 5 ? "«k\(number)»" : marked ? "‹k\(number)›" : "k\(number)"
            return TogetherFiles.campaign(
                "c\(number)",
                "{ topic: tides }",
                "data: { a: b }",
                "delivery: { ttl: 4h, collapse: \(key) }"
            )
        }
    }

    @Test(.covers("C42", "F4-collapse-keys"))
    func `the fifth stored key of a device is a warning at the key`() throws {
        let files = TogetherFiles.files(Self.keys(5))
        #expect(files.findings == files.expected(.tooManyCollapseKeys))
        #expect(Set(files.secondPlaces) == Set(files.expectedSecondPlaces))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(
            diagnostic.message
                == "a device in `tides` would have five collapse keys at once; FCM keeps 4"
        )
        #expect(diagnostic.label == "the fifth, now: the key `k5`")
        #expect(TogetherFiles.files(Self.keys(4, marked: false)).findings == [])
    }

    @Test(arguments: [("staging", false), ("production", true)])
    func `keys count per environment`(environment: String, isFound: Bool) {
        let campaigns = Self.keys(5, marked: false).enumerated().map { number, text in
            text + "\nenvironments: [\(number < 3 ? "production" : environment)]"
        }
        let files = TogetherFiles.files(campaigns, project: TogetherFiles.environments(""))
        #expect(files.findings(of: .tooManyCollapseKeys).count == (isFound ? 1 : 0))
    }

    @Test(.covers("C07")) func `all notifications together use one key`() {
        let notifications = (1...3).map { number in
            TogetherFiles.campaign(
                "n\(number)",
                number == 1 ? "«{ topic: tides }»" : "{ topic: tides }",
                "android: { notification: { title: T }, collapse_key: x\(number) }",
                "delivery: { ttl: 4h }"
            )
        }
        let files = TogetherFiles.files(Self.keys(4, marked: false) + notifications)
        let found = files.findings(of: .tooManyCollapseKeys)
        #expect(found == files.expected(.tooManyCollapseKeys))
        let three = TogetherFiles.files(Self.keys(3, marked: false) + notifications)
        #expect(three.findings(of: .tooManyCollapseKeys) == [])
    }

    /// The four keys are stored from 00:00 to 04:00.
    @Test(arguments: [("03:59", true), ("04:00", false)])
    func `a key is stored while a message with it may wait`(time: String, isFound: Bool) {
        let key = isFound ? "«late»" : "late"
        let late = TogetherFiles.campaign(
            "late",
            "{ topic: madeira }",
            "data: { a: b }",
            "delivery: { ttl: 4h, collapse: \(key) }",
            "schedule: { at: \"2037-01-01 \(time)\" }"
        )
        let documents = (Self.keys(4, marked: false) + [late])
            .map { $0.replacing("tides", with: "madeira") }
        let files = TogetherFiles.files(documents)
        #expect(files.findings == (isFound ? files.expected(.tooManyCollapseKeys) : []))
    }

    @Test func `a newer message replaces the older one, and its own lifetime counts`() {
        let again = TogetherFiles.campaign(
            "again",
            "{ topic: madeira }",
            "data: { a: b }",
            "delivery: { ttl: 1h, collapse: k1 }",
            "schedule: { at: \"2037-01-01 01:00\" }"
        )
        let fifth = TogetherFiles.campaign(
            "fifth",
            "{ topic: madeira }",
            "data: { a: b }",
            "delivery: { ttl: 1h, collapse: k5 }",
            "schedule: { at: \"2037-01-01 02:30\" }"
        )
        let documents = (Self.keys(4, marked: false)).map {
            $0.replacing("tides", with: "madeira")
        }
        #expect(TogetherFiles.files(documents + [again, fifth]).findings == [])
        #expect(
            TogetherFiles.files(documents + [fifth]).findings.map(\.rule) == [.tooManyCollapseKeys]
        )
    }

    @Test(arguments: [
        ("madeira", "collapse: k5, ttl: 4h", "data: { a: b }"),
        ("tides", "collapse: k4, ttl: 4h", "data: { a: b }"),
        ("tides", "ttl: 4h", "data: { a: b }"),
        ("tides", "collapse: k5, ttl: 4h", "webpush: { data: { a: b } }"),
    ])
    func `other devices, the same key, no key and other platforms are accepted`(
        topic: String,
        delivery: String,
        message: String
    ) {
        let other = TogetherFiles.campaign(
            "other",
            "{ topic: \(topic) }",
            message,
            "delivery: { \(delivery) }"
        )
        let files = TogetherFiles.files(Self.keys(4, marked: false) + [other])
        #expect(files.findings(of: .tooManyCollapseKeys) == [])
    }

    @Test func `a now-or-never message uses no key`() {
        let call = TogetherFiles.campaign(
            "call",
            "{ registrations: [x:1] }",
            "data: { a: b }",
            "delivery: { ttl: 0, collapse: k5 }"
        )
        let documents = Self.keys(4, marked: false)
            .map { $0.replacing("{ topic: tides }", with: "{ registrations: [x:1] }") }
        #expect(TogetherFiles.files(documents + [call]).findings == [])
        let kept = call.replacing("ttl: 0", with: "ttl: 1s")
        #expect(
            TogetherFiles.files(documents + [kept]).findings.map(\.rule) == [.tooManyCollapseKeys]
        )
    }

    @Test func `a key in the author's own message is marked there`() {
        let own = TogetherFiles.campaign(
            "own",
            "{ topic: tides }",
            "data: { a: b }, android: { collapse_key: «mine» }",
            "delivery: { ttl: 4h }"
        )
        let files = TogetherFiles.files(Self.keys(4, marked: false) + [own])
        #expect(files.findings == files.expected(.tooManyCollapseKeys))
    }

    @Test func `apps with different packages are different devices`() {
        func documents(_ names: [String]) -> [String] {
            zip(1..., names).map { number, name in
                TogetherFiles.campaign(
                    "c\(number)",
                    "{ topic: tides }",
                    "data: { a: b }, android: { restricted_package_name: example.\(name) }",
                    "delivery: { ttl: 4h, collapse: k\(number) }"
                )
            }
        }
        #expect(TogetherFiles.files(documents(["a", "b", "a", "b", "a"])).findings == [])
        #expect(
            TogetherFiles.files(documents(["a", "a", "a", "a", "a", "b"])).findings.map(\.rule)
                == [.tooManyCollapseKeys]
        )
    }

    // MARK: Apple platforms

    private static func shown(_ count: Int, _ more: String, marked: Int? = nil) -> [String] {
        (1...count).map { number in
            TogetherFiles.campaign(
                "c\(number)",
                number == marked ? "«{ topic: tides }»" : "{ topic: tides }",
                "notification: { title: T }",
                more
            )
        }
    }

    @Test func `on Apple platforms each occurrence has its own key`() throws {
        let files = TogetherFiles.files(Self.shown(5, "delivery: { ttl: 4h }", marked: 5))
        #expect(
            files.findings(of: .tooManyCollapseKeys) == files.expected(.tooManyCollapseKeys)
        )
        let diagnostic = try #require(files.diagnostics(of: .tooManyCollapseKeys).first)
        #expect(
            diagnostic.message == "a device in `tides` would have five collapse keys at once on "
                + "Apple platforms; FCM keeps 4"
        )
        #expect(diagnostic.label == "the fifth, now: the key of the occurrence")
    }

    @Test(arguments: [
        (4, "delivery: { ttl: 4h }"), (6, "delivery: { ttl: 4h, collapse: k }"),
        (6, "delivery: { ttl: 0 }"),
    ])
    func `four keys, one of them the author's, and now-or-never are accepted`(
        count: Int,
        more: String
    ) {
        let files = TogetherFiles.files(Self.shown(count, more))
        #expect(files.findings(of: .tooManyCollapseKeys) == [])
    }

    /// One message per day, each stored for the given time.
    @Test(arguments: [("4d", false), ("5d", true)])
    func `a repeating campaign uses one key per due time`(life: String, isFound: Bool) {
        let daily = TogetherFiles.campaign(
            "daily",
            "{ topic: tides }",
            "notification: { title: T }",
            "delivery: { ttl: \(life) }",
            "schedule: «{ cron: 30 7 * * * }»"
        )
        let files = TogetherFiles.files([
            isFound ? daily : daily.replacing("«", with: "").replacing("»", with: "")
        ])
        #expect(
            files.findings(of: .tooManyCollapseKeys)
                == (isFound ? files.expected(.tooManyCollapseKeys) : [])
        )
    }

    @Test func `Apple's own collapse header counts and is marked`() {
        let documents = (1...5).map { number in
            let key = number == 5 ? "«k5»" : "k\(number)"
            return TogetherFiles.campaign(
                "c\(number)",
                "{ topic: tides }",
                "apns: { payload: { aps: { content-available: 1 } }, "
                    + "headers: { apns-collapse-id: \(key) } }",
                "delivery: { ttl: 4h }"
            )
        }
        let files = TogetherFiles.files(documents)
        #expect(
            files.findings(of: .tooManyCollapseKeys) == files.expected(.tooManyCollapseKeys)
        )
    }

    @Test func `a campaign with errors does not count`() {
        let files = TogetherFiles.files(
            Self.keys(4, marked: false) + [Self.keys(5)[4] + "\nowne: x"]
        )
        #expect(files.findings.map(\.rule) == [.unknownKey])
    }
}
