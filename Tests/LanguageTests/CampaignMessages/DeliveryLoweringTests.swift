import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import TestSupport
import Testing
import Time

struct DeliveryLoweringTests {
    private let noon = Instant(secondsSince1970: 2_000_000_000)

    private func sent(_ campaign: Campaign) -> JSONObject {
        DeliveryLowering(campaign).template.message(sentAt: noon).message
    }

    @Test func `without delivery settings the message is unchanged`() throws {
        let message: JSONObject = ["data": ["a": "b"], "android": ["ttl": "1s"]]
        let campaign = try CampaignFixture.campaign(message)
        #expect(sent(campaign) == message)
        #expect(DeliveryLowering(campaign).notes == [])
    }

    @Test(.covers("C27", "C28", "M06"))
    func `a time to live becomes a duration, a time, and seconds`() throws {
        let campaign = try CampaignFixture.campaign(["notification": ["title": "T"]], ttl: 90)
        #expect(
            sent(campaign) == [
                "notification": ["title": "T"],
                "android": ["ttl": "90s"],
                "apns": ["headers": ["apns-expiration": "2000000090"]],
                "webpush": ["headers": ["TTL": "90"]],
            ]
        )
    }

    @Test(.covers("C53")) func `a time to live of 0 is now or never on every platform`() throws {
        let campaign = try CampaignFixture.campaign(["data": ["a": "b"]], ttl: 0)
        #expect(
            sent(campaign) == [
                "data": ["a": "b"],
                "android": ["ttl": "0s"],
                "apns": ["headers": ["apns-expiration": "0"]],
                "webpush": ["headers": ["TTL": "0"]],
            ]
        )
        #expect(DeliveryLowering(campaign).template.appleTimeToLive == nil)
    }

    @Test(.covers("C51", "C51-expires"), arguments: [(-90, "90"), (-3_000_000, "2419200")])
    func `an expiry becomes the remaining time at the send time`(
        moment: Int64,
        left: String
    ) throws {
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "T"]],
            expires: noon
        )
        let lowering = DeliveryLowering(campaign)
        #expect(
            lowering.template.message(sentAt: noon.advanced(bySeconds: moment)).message == [
                "notification": ["title": "T"],
                "android": ["ttl": .string(left + "s")],
                "apns": ["headers": ["apns-expiration": "2000000000"]],
                "webpush": ["headers": ["TTL": .string(left)]],
            ]
        )
        #expect(lowering.written.values.allSatisfy { $0 == .expires })
        #expect(lowering.template.isOver(at: noon, due: noon))
        #expect(!lowering.template.isOver(at: noon.advanced(bySeconds: -1), due: .distantlyPast))
    }

    @Test func `an expiry survives storage and the author's own lifetime wins`() throws {
        let message: JSONObject = ["data": ["a": "b"], "android": ["ttl": "60s"]]
        let template = DeliveryLowering(
            try CampaignFixture.campaign(message, expires: noon)
        ).template
        let stored = try #require(MessageTemplate(stored: template.stored))
        #expect(stored == template)
        let sent = stored.message(sentAt: noon.advanced(bySeconds: -5)).message
        #expect(sent["android"] == ["ttl": "60s"])
        #expect(sent["webpush"] == ["headers": ["TTL": "5"]])
        #expect(Platform.allCases.map { template.end(on: $0) } == [nil, noon, noon])
    }

    @Test(arguments: [
        (Delivery.Priority.high, "HIGH", "10", "high"), (.normal, "NORMAL", "5", "normal"),
    ])
    func `a notification's priority is written for each platform`(
        priority: Delivery.Priority,
        android: String,
        apple: String,
        web: String
    ) throws {
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "T"]],
            priority: priority
        )
        #expect(
            sent(campaign) == [
                "notification": ["title": "T"],
                "android": ["priority": .string(android)],
                "apns": ["headers": ["apns-priority": .string(apple)]],
                "webpush": ["headers": ["Urgency": .string(web)]],
            ]
        )
        #expect(DeliveryLowering(campaign).notes == [])
    }

    @Test(.covers("C45-apple", "F1.3-data-apple"))
    func `data uses priority 5 on Apple platforms with a note`() throws {
        let campaign = try CampaignFixture.campaign(["data": ["a": "b"]], priority: .high)
        let lowering = DeliveryLowering(campaign)
        #expect(lowering.notes == [.dataPriorityOnApple])
        let message = JSONValue.object(lowering.template.message(sentAt: noon).message)
        #expect(message["apns"]?["headers"]?["apns-priority"] == "5")
        #expect(message["android"]?["priority"] == "HIGH")
        #expect(message["webpush"]?["headers"]?["Urgency"] == "high")
    }

    @Test(
        .covers("F1.5-live-activity"),
        arguments: [(Delivery.Priority.high, "10"), (.normal, "5")]
    )
    func `delivery applies to a Live Activity that shows no alert`(
        priority: Delivery.Priority,
        written: String
    ) throws {
        let activity: JSONObject = [
            "live_activity_token": "t", "payload": ["aps": ["event": "update", "timestamp": 1]],
        ]
        let lowering = DeliveryLowering(
            try CampaignFixture.campaign(
                ["apns": .object(activity)],
                ttl: 90,
                priority: priority,
                collapse: "tide"
            )
        )
        let headers: JSONObject = [
            "apns-priority": .string(written), "apns-collapse-id": "tide",
            "apns-expiration": "2000000090",
        ]
        var expected = activity
        expected["headers"] = .object(headers)
        let message = lowering.template.message(sentAt: noon).message
        #expect(message.members.map(\.key) == ["apns"])
        #expect(message["apns"]?.objectValue == expected)
        #expect(lowering.notes == [])
        #expect(lowering.keyed == [])
    }

    @Test func `data of normal priority has no note`() throws {
        let campaign = try CampaignFixture.campaign(["data": ["a": "b"]], priority: .normal)
        #expect(DeliveryLowering(campaign).notes == [])
    }

    @Test(.covers("C39")) func `a notification's collapse key is its tag`() throws {
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "T"]],
            collapse: "tide"
        )
        #expect(
            sent(campaign) == [
                "notification": ["title": "T"],
                "android": ["notification": ["tag": "tide"]],
                "apns": ["headers": ["apns-collapse-id": "tide"]],
                "webpush": ["headers": ["Topic": "tide"], "notification": ["tag": "tide"]],
            ]
        )
    }

    @Test(.covers("C27", "C30", "F1.4-collapse-key", "M06"))
    func `a data message's collapse key is the collapse key`() throws {
        let campaign = try CampaignFixture.campaign(["data": ["a": "b"]], collapse: "tide")
        #expect(
            sent(campaign) == [
                "data": ["a": "b"],
                "android": ["collapse_key": "tide"],
                "apns": ["headers": ["apns-collapse-id": "tide"]],
                "webpush": ["headers": ["Topic": "tide"]],
            ]
        )
    }

    @Test func `a platform without content gets no fields`() throws {
        let campaign = try CampaignFixture.campaign(
            ["android": ["data": ["a": "b"]]],
            ttl: 60,
            priority: .high,
            collapse: "tide"
        )
        #expect(
            sent(campaign) == [
                "android": [
                    "data": ["a": "b"], "ttl": "60s", "priority": "HIGH", "collapse_key": "tide",
                ]
            ]
        )
    }

    @Test(arguments: [
        (["android", "ttl"], "1s"), (["apns", "headers", "apns-expiration"], "0"),
        (["webpush", "headers", "TTL"], "1"), (["android", "priority"], "normal"),
        (["apns", "headers", "apns-priority"], "1"), (["webpush", "headers", "Urgency"], "low"),
        (["android", "notification", "tag"], "own"),
        (["apns", "headers", "apns-collapse-id"], "own"), (["webpush", "headers", "Topic"], "own"),
        (["webpush", "notification", "tag"], "own"),
    ])
    func `the author's platform field wins with a note`(
        path: [String],
        value: String
    ) throws {
        let own = path.reversed().reduce(JSONValue.string(value)) { inner, key in
            .object(JSONObject([JSONObject.Member(key: key, value: inner)]))
        }
        var message = try #require(own.objectValue)
        message["notification"] = ["title": "T"]
        let lowering = DeliveryLowering(
            try CampaignFixture.campaign(message, ttl: 60, priority: .high, collapse: "tide")
        )
        #expect(lowering.notes == [.authorWins(field: path.joined(separator: "."))])
        let sent = JSONValue.object(lowering.template.message(sentAt: noon).message)
        #expect(path.reduce(sent as JSONValue?) { $0?[$1] } == .string(value))
    }

    @Test func `before the send time the expiry is shown as text`() throws {
        let campaign = try CampaignFixture.campaign(["data": ["a": "b"]], ttl: 14_400)
        let preview = JSONValue.object(DeliveryLowering(campaign).template.preview.message)
        #expect(
            preview["apns"]?["headers"]?["apns-expiration"] == "moment of sending + 14400 s"
        )
    }
}

extension Instant {
    fileprivate static let distantlyPast = Instant(secondsSince1970: 0)
}
