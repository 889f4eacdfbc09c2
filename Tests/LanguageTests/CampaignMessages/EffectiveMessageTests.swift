import CampaignMessages
import CampaignModel
import JSON
import Testing

struct EffectiveMessageTests {
    /// A message in which every platform overrides all possible fields.
    private static let overridden: JSONObject = [
        "fcm_options": ["analytics_label": "all"],
        "webpush": [
            "headers": ["Urgency": "low"],
            "notification": ["title": "web title", "image": "w.png", "actions": [["action": "a"]]],
            "data": ["w": "3"],
            "fcm_options": ["link": "https://example.com/", "analytics_label": "web"],
        ],
        "apns": [
            "headers": ["apns-topic": "com.example"],
            "payload": [
                "aps": ["alert": ["title": "apple title", "subtitle": "sub"], "badge": 2],
                "tide": ["height": 4],
            ],
            "fcm_options": ["image": "a.png", "analytics_label": "apple"],
        ],
        "android": [
            "restricted_package_name": "com.example",
            "notification": ["body": "android body", "image": "i.png", "icon": "wave"],
            "data": ["x": "1", "y": "2"],
            "fcm_options": ["analytics_label": "android"],
        ],
        "data": ["a": "0", "x": "0"],
        "notification": ["title": "title", "body": "body", "image": "c.png"],
    ]

    private static func effective(
        _ message: JSONObject,
        on platform: Platform,
        ttl: Int64? = nil,
        priority: Delivery.Priority? = nil,
        collapse: String? = nil
    ) throws -> EffectiveMessage {
        let campaign = try CampaignFixture.campaign(
            message,
            ttl: ttl,
            priority: priority,
            collapse: collapse
        )
        return EffectiveMessage(DeliveryLowering(campaign), on: platform)
    }

    /// Each field as `path = value < origin`.
    private static func rows(_ message: EffectiveMessage) -> [String] {
        message.fields.map {
            "\($0.path.joined(separator: ".")) = \($0.value.compactText) < \($0.origin)"
        }
    }

    @Test func `Android's data replaces common data, and its notification overrides fields`()
        throws
    {
        let message = try Self.effective(Self.overridden, on: .android)
        #expect(
            Self.rows(message) == [
                #"notification.title = "title" < notification.title"#,
                #"notification.body = "android body" < android.notification.body"#,
                #"notification.image = "i.png" < android.notification.image"#,
                #"data.x = "1" < android.data.x"#,
                #"data.y = "2" < android.data.y"#,
                #"android.restricted_package_name = "com.example" "#
                    + "< android.restricted_package_name",
                #"android.notification.icon = "wave" < android.notification.icon"#,
                #"android.notification.tag = "<16 digits each>" < the occurrence"#,
                #"fcm_options.analytics_label = "android" < android.fcm_options.analytics_label"#,
            ]
        )
        #expect(message.kind == .notificationAndData)
    }

    @Test func `Apple's alert overrides title and body, and its keys are added to the data`()
        throws
    {
        let message = try Self.effective(Self.overridden, on: .apple)
        #expect(
            Self.rows(message) == [
                #"notification.title = "apple title" < apns.payload.aps.alert.title"#,
                #"notification.body = "body" < notification.body"#,
                #"notification.image = "a.png" < apns.fcm_options.image"#,
                #"data.a = "0" < data.a"#,
                #"data.x = "0" < data.x"#,
                #"apns.headers.apns-topic = "com.example" < apns.headers.apns-topic"#,
                #"apns.headers.apns-collapse-id = "<16 digits each>" < the occurrence"#,
                #"apns.payload.aps.alert.subtitle = "sub" < apns.payload.aps.alert.subtitle"#,
                #"apns.payload.aps.badge = 2 < apns.payload.aps.badge"#,
                #"apns.payload.tide = {"height":4} < apns.payload.tide"#,
                #"fcm_options.analytics_label = "apple" < apns.fcm_options.analytics_label"#,
            ]
        )
    }

    @Test func `the web's data replaces common data, and its notification overrides fields`()
        throws
    {
        let message = try Self.effective(Self.overridden, on: .web)
        #expect(
            Self.rows(message) == [
                #"notification.title = "web title" < webpush.notification.title"#,
                #"notification.body = "body" < notification.body"#,
                #"notification.image = "w.png" < webpush.notification.image"#,
                #"data.w = "3" < webpush.data.w"#,
                #"webpush.headers.Urgency = "low" < webpush.headers.Urgency"#,
                #"webpush.notification.actions = [{"action":"a"}] < webpush.notification.actions"#,
                #"webpush.notification.tag = "<16 digits each>" < the occurrence"#,
                #"webpush.fcm_options.link = "https://example.com/" < webpush.fcm_options.link"#,
                #"fcm_options.analytics_label = "web" < webpush.fcm_options.analytics_label"#,
            ]
        )
    }

    @Test func `is a v1 message with the same meaning for its platform`() throws {
        let message = try Self.effective(Self.overridden, on: .apple)
        #expect(
            message.message == [
                "notification": ["title": "apple title", "body": "body", "image": "a.png"],
                "data": ["a": "0", "x": "0"],
                "apns": [
                    "headers": [
                        "apns-topic": "com.example", "apns-collapse-id": "<16 digits each>",
                    ],
                    "payload": [
                        "aps": ["alert": ["subtitle": "sub"], "badge": 2],
                        "tide": ["height": 4],
                    ],
                ],
                "fcm_options": ["analytics_label": "apple"],
            ]
        )
        for platform in Platform.allCases {
            let once = try Self.effective(Self.overridden, on: platform)
            let twice = try Self.effective(once.message, on: platform)
            #expect(twice.message == once.message)
            #expect(twice.kind == once.kind)
        }
    }

    @Test func `an alert that is a text is the body`() throws {
        let message = try Self.effective(
            [
                "notification": ["title": "title", "body": "body"],
                "apns": ["payload": ["aps": ["alert": "text"]]],
            ],
            on: .apple
        )
        #expect(
            Self.rows(message) == [
                #"notification.title = "title" < notification.title"#,
                #"notification.body = "text" < apns.payload.aps.alert"#,
                #"apns.headers.apns-collapse-id = "<16 digits each>" < the occurrence"#,
            ]
        )
    }

    @Test func `a platform without a block gets the common fields`() throws {
        let message: JSONObject = [
            "data": ["a": "b"], "notification": ["title": "T"],
            "fcm_options": ["analytics_label": "all"],
        ]
        let keys: [(Platform, String, JSONValue)] = [
            (.android, "android", ["notification": ["tag": "<16 digits each>"]]),
            (.apple, "apns", ["headers": ["apns-collapse-id": "<16 digits each>"]]),
            (.web, "webpush", ["notification": ["tag": "<16 digits each>"]]),
        ]
        for (platform, block, key) in keys {
            var expected = message
            expected[block] = key
            #expect(try Self.effective(message, on: platform).message == expected)
        }
    }

    @Test func `empty data of a platform removes the common data`() throws {
        let message: JSONObject = ["data": ["a": "b"], "android": ["data": [:]]]
        #expect(try Self.effective(message, on: .android).fields == [])
        #expect(try Self.effective(message, on: .android).kind == .nothing)
        #expect(try Self.effective(message, on: .web).message == ["data": ["a": "b"]])
    }

    @Test func `fields from delivery have its key as origin`() throws {
        func rows(_ platform: Platform) throws -> [String] {
            Self.rows(
                try Self.effective(
                    ["notification": ["title": "T"], "android": ["priority": "normal"]],
                    on: platform,
                    ttl: 90,
                    priority: .high,
                    collapse: "tide"
                )
            )
        }
        let title = #"notification.title = "T" < notification.title"#
        #expect(
            try rows(.android) == [
                title,
                #"android.priority = "normal" < android.priority"#,
                #"android.ttl = "90s" < delivery.ttl"#,
                #"android.notification.tag = "tide" < delivery.collapse"#,
            ]
        )
        #expect(
            Set(try rows(.apple)) == [
                title,
                #"apns.headers.apns-expiration = "moment of sending + 90 s" < delivery.ttl"#,
                #"apns.headers.apns-priority = "10" < delivery.priority"#,
                #"apns.headers.apns-collapse-id = "tide" < delivery.collapse"#,
            ]
        )
        #expect(
            try rows(.web) == [
                title,
                #"webpush.headers.TTL = "90" < delivery.ttl"#,
                #"webpush.headers.Urgency = "high" < delivery.priority"#,
                #"webpush.headers.Topic = "tide" < delivery.collapse"#,
                #"webpush.notification.tag = "tide" < delivery.collapse"#,
            ]
        )
    }

    @Test func `a data collapse key and an expiry of 0 originate in delivery`() throws {
        let data: JSONObject = ["data": ["a": "b"]]
        let android = try Self.effective(data, on: .android, collapse: "tide")
        #expect(Self.rows(android).last == #"android.collapse_key = "tide" < delivery.collapse"#)
        let apple = try Self.effective(data, on: .apple, ttl: 0)
        #expect(
            Self.rows(apple).last == #"apns.headers.apns-expiration = "0" < delivery.ttl"#
        )
    }
}
