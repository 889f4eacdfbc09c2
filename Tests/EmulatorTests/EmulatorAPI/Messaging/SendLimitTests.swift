import DeliveryModel
import EmulatorAPI
import EmulatorServer
import JSON
import TestSupport
import Testing

/// Tests of limits that depend on the target, and of configurable limits.
struct SendLimitTests {
    private static func message(_ target: String, bytes: Int) -> String {
        #"{"message":{\#(target),"data":{"k":"\#(String(repeating: "x", count: bytes - 1))"}}}"#
    }

    private static func tooLarge(_ text: String) -> JSONValue {
        [
            "error": [
                "code": 400, "message": .string(text), "status": "INVALID_ARGUMENT",
                "details": [
                    ["@type": "type.googleapis.com/google.rpc.BadRequest"],
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "INVALID_ARGUMENT",
                    ],
                ],
            ]
        ]
    }

    @Test(.covers("F1.7-text-size", "F4-payload-live", "F4-payload-reference"))
    func `a message that is too large gets FCM's error text`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let pixel = #""token":"pixel""#
            #expect(try emulator.send(Self.message(pixel, bytes: 4_096)).status == 200)
            let large = try emulator.send(Self.message(pixel, bytes: 4_097))
            #expect(
                large.json
                    == Self.tooLarge("Message is too large. The maximum is 4K (4096 bytes).")
            )
            for target in [#""topic":"t""#, #""condition":"'t' in topics""#] {
                #expect(try emulator.send(Self.message(target, bytes: 2_048)).status == 200)
                let answer = try emulator.send(Self.message(target, bytes: 2_049))
                #expect(answer.status == 400)
                #expect(
                    answer.json
                        == Self.tooLarge("Message is too large. The maximum is 2048 bytes.")
                )
            }
        }
    }

    @Test(.covers("F4-payload-reference"))
    func `the limit of topic messages is configurable`() async throws {
        let limits = DeliveryLimits(topicPayloadBytes: 4_096)
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory, limits: limits)
        try emulator.subscribe("t", "pixel")
        let topic = #""topic":"t""#
        #expect(try emulator.send(Self.message(topic, bytes: 4_096)).status == 200)
        let answer = try emulator.send(Self.message(topic, bytes: 4_097))
        #expect(
            answer.json == Self.tooLarge("Message is too large. The maximum is 4K (4096 bytes).")
        )
        await emulator.server.stop()
        // A lower limit does not undo earlier deliveries.
        let restarted = try await TestEmulator(directory)
        let received = try restarted.received(by: "pixel").count
        let status = try restarted.send(Self.message(topic, bytes: 4_096)).status
        await restarted.server.stop()
        #expect(received == 1)
        #expect(status == 400)
    }

    @Test(.covers("F1.7-sender-id", "F1.1-project-number"))
    func `a registration of another project is a mismatch`() async throws {
        let devices: [DeviceSpecification] = [
            .phone("ours", project: "tidewatch"), .phone("theirs", project: "elsewhere"),
            .phone("anyone"), .phone("numbered", project: "906714216210"),
        ]
        try await TestEmulator.run(devices: devices) { (emulator, _) async throws in
            func send(_ token: String, project: String = "tidewatch") throws -> HTTPAnswer {
                try emulator.post(
                    "/v1/projects/\(project)/messages:send",
                    #"{"validate_only":true,"message":{"token":"\#(token)"}}"#
                )
            }
            #expect(try send("ours").status == 200)
            for token in ["ours", "anyone", "numbered"] {
                #expect(try send(token, project: "906714216210").status == 200)
            }
            #expect(try send("numbered", project: "906714216211").status == 403)
            #expect(try send("numbered").status == 200)
            let answer = try send("theirs")
            #expect(answer.status == 403)
            #expect(
                answer.json == [
                    "error": [
                        "code": 403, "message": "SenderId mismatch",
                        "status": "PERMISSION_DENIED",
                        "details": [
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                "errorCode": "SENDER_ID_MISMATCH",
                            ]
                        ],
                    ]
                ]
            )
        }
    }

    @Test(.covers("F1.4-package"))
    func `a message restricted to a package reaches only that package`() async throws {
        let topics = [TopicName("t")].compactMap(\.self)
        let devices: [DeviceSpecification] = [
            .phone("tides", topics: topics, package: "com.example.tides"),
            .phone("other", topics: topics, package: "com.example.other"),
            .phone("iphone", platform: .apple, topics: topics, package: "com.example.other"),
        ]
        try await TestEmulator.run(devices: devices) { (emulator, _) async throws in
            func send(_ target: String) throws -> HTTPAnswer {
                try emulator.send(
                    #"{"message":{\#(target),"data":{"a":"1"},"android":{"restrictedPackageName":"com.example.tides"}}}"#
                )
            }
            #expect(try send(#""token":"tides""#).status == 200)
            #expect(try send(#""token":"iphone""#).status == 200)
            let answer = try send(#""token":"other""#)
            #expect(answer.status == 400)
            let violation = answer.json?["error"]?["details"]?.arrayValue?.first?[
                "fieldViolations"
            ]?.arrayValue?.first
            #expect(violation?["field"] == "message.android.restricted_package_name")
            #expect(try send(#""topic":"t""#).status == 200)
            let received = try emulator.inboxes().map { $0["received"]?.arrayValue?.count }
            #expect(received == [2, 0, 2])
        }
    }

    @Test(.covers("C71", "F4-apple-rate"))
    func `an Apple device's rate includes its groups and survives the removal of other devices`()
        async throws
    {
        let limits = DeliveryLimits(appleMessagesPerMinute: 2)
        try await TestEmulator.run(limits: limits) { (emulator, _) async throws in
            func send(_ token: String) throws -> Int {
                try emulator.send(#"{"message":{"token":"\#(token)","data":{"a":"1"}}}"#).status
            }
            let group = try emulator.request(
                "POST",
                "/fcm/notification",
                #"{"operation":"create","notification_key_name":"g","registration_ids":["pixel","iphone"]}"#,
                projectID: "1"
            ).json
            let key = try #require(group?["notification_key"]?.stringValue)
            #expect(try send("iphone") == 200)
            #expect(try send(key) == 200)
            #expect(try send(key) == 429)
            #expect(try emulator.received(by: "pixel").count == 1)
            #expect(try emulator.request("DELETE", "/emulator/v1/devices/browser").status == 200)
            #expect(try send("iphone") == 429)
            #expect(try emulator.request("DELETE", "/emulator/v1/devices/pixel").status == 200)
            #expect(try send("iphone") == 429)
            #expect(try emulator.received(by: "iphone").count == 2)
        }
    }

    @Test(.covers("C71", "F4-apple-rate"))
    func `a message to an Apple device above its rate fails with the APNs error`() async throws {
        let limits = DeliveryLimits(appleMessagesPerMinute: 2)
        try await TestEmulator.run(limits: limits) { (emulator, _) async throws in
            func send(_ token: String) throws -> HTTPAnswer {
                try emulator.send(#"{"message":{"token":"\#(token)","data":{"a":"1"}}}"#)
            }
            #expect(try send("iphone").status == 200)
            #expect(try send("iphone").status == 200)
            let answer = try send("iphone")
            #expect(answer.status == 429)
            #expect(
                answer.json == [
                    "error": [
                        "code": 429,
                        "message": "The device's message rate exceeds the limit of APNs.",
                        "status": "RESOURCE_EXHAUSTED",
                        "details": [
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                "errorCode": "QUOTA_EXCEEDED",
                            ],
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                                "statusCode": 429, "reason": "TooManyRequests",
                            ],
                        ],
                    ]
                ]
            )
            #expect(try emulator.received(by: "iphone").count == 2)
            for _ in 0..<3 { #expect(try send("pixel").status == 200) }
        }
    }

    @Test(.covers("F1.1-query", "F1.1-dead"))
    func `accepts Google's query parameters and no others`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            func send(_ query: String) throws -> HTTPAnswer {
                try emulator.post(
                    "/v1/projects/tidewatch/messages:send" + query,
                    #"{"message":{"token":"pixel"}}"#
                )
            }
            let usual = "?$.xgafv=2&alt=json&fields=name&prettyPrint=false&key=k&quotaUser=q"
            #expect(try send(usual).status == 200)
            let answer = try send("?alt=json&dryRun=true")
            #expect(answer.status == 400)
            #expect(
                answer.json?["error"]?["message"]
                    == .string(
                        "Invalid JSON payload received. Unknown name \"dryRun\": Cannot bind "
                            + "query parameter. Field 'dryRun' could not be found in request "
                            + "message."
                    )
            )
            for dead in ["/batch", "/fcm/send", "/v1/projects//messages:send", "/iid/v1:x"] {
                #expect(try emulator.post(dead, "{}").status == 404)
            }
        }
    }

    @Test(arguments: [("1", "HIGH"), ("0", "NORMAL")])
    func `a number stands for the name of an enum value`(number: String, name: String) async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            let android = #"{"priority":\#(number)}"#
            let answer = try emulator.send(
                #"{"message":{"token":"pixel","data":{"a":"1"},"android":\#(android)}}"#
            )
            #expect(answer.status == 200)
            let received = try emulator.received(by: "pixel")
            #expect(received.first?["priority"] == .string(name))
        }
    }

    @Test(.covers("F1.4-v2"))
    func `android_v2 reaches Android devices according to its kind`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(
                #"{"message":{"token":"pixel","notification":{"title":"T","body":"B"},"android_v2":{"collapse_key":"k","remote_notification":{"notification":{"body":"C"}}}}}"#
            )
            #expect(answer.status == 200)
            _ = try emulator.send(
                #"{"message":{"token":"pixel","notification":{"title":"T"},"data":{"a":"1"},"android_v2":{"background_sync":{},"data":{"b":"2"}}}}"#
            )
            let received = try emulator.received(by: "pixel")
            #expect(received.first?["title"] == "T")
            #expect(received.first?["body"] == "C")
            #expect(received.first?["priority"] == "HIGH")
            #expect(received.first?["collapse_key"] == "k")
            #expect(received.last?["title"] == nil)
            #expect(received.last?["how"] == "callback")
            #expect(received.last?["data"] == ["b": "2"])
            #expect(received.last?["priority"] == "NORMAL")
        }
    }
}
