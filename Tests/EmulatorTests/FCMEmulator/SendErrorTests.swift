import FCMWire
import TestSupport
import Testing

struct SendErrorTests {
    /// A `message` that FCM can't read, the field it blames, and what it says.
    static let unreadable: [(String, field: String?, message: String)] = [
        (
            #""token":"pixel","data":{"a":"1","b":12}"#, "message.data[1].value",
            "Invalid value at 'message.data[1].value' (TYPE_STRING), 12"
        ),
        (
            #""token":"pixel","colour":"red""#, "message",
            #"Invalid JSON payload received. Unknown name "colour" at 'message': Cannot find field."#
        ),
        (
            #""token":"pixel","android":{"notification":{"titel":"x"}}"#,
            "message.android.notification",
            #"Invalid JSON payload received. Unknown name "titel" at "#
                + "'message.android.notification': Cannot find field."
        ),
        (
            #""token":"pixel","notification":{"title":["x"]}"#, "message.notification.title",
            #"Invalid value at 'message.notification.title' (TYPE_STRING), ["x"]"#
        ),
        (
            #""token":"pixel","android":{"priority":"urgent"}"#, "message.android.priority",
            "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm"
                + #".v1.AndroidConfig.AndroidMessagePriority), "urgent""#
        ),
        (
            #""token":"pixel","android":{"ttl":"4h"}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration)"
                + ", Field 'ttl', Illegal duration format; duration must end with 's'"
        ),
        (
            #""token":"pixel","topic":"tides""#, "message",
            "Invalid value at 'message' (oneof), oneof field 'target' is already set. "
                + "Cannot set 'topic'"
        ),
        (
            #""token":"pixel","android":{"notification":{"notification_count":2147483648}}"#,
            "message.android.notification.notification_count",
            "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), "
                + "2147483648"
        ),
    ]

    @Test(
        .covers("F1.3-data", "F1.3-target", "F1.7-bad-request", "F1.7-shape", "F1.7-text-data"),
        arguments: unreadable
    )
    func `blames the field that cannot be read`(
        message: String,
        field: String?,
        text: String
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(message)}}"#)
            #expect(answer.status == 400)
            let error = try #require(answer.json?["error"])
            #expect(error["code"] == 400)
            #expect(error["status"] == "INVALID_ARGUMENT")
            #expect(error["message"] == .string(text))
            let violation: JSONValue = [
                "field": .string(field ?? ""), "description": .string(text),
            ]
            #expect(
                error["details"] == [
                    [
                        "@type": "type.googleapis.com/google.rpc.BadRequest",
                        "fieldViolations": [violation],
                    ]
                ]
            )
            #expect(try emulator.received(by: "pixel").isEmpty)
        }
    }

    @Test(
        .covers("A48", "F1.1-body"),
        arguments: ["", "{", "[]", "{}", "{\"message\":null}", "\"x\"", "{\"mesage\":{}}"]
    )
    func `refuses a body without a message`(body: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(body)
            #expect(answer.status == 400)
            let details = answer.json?["error"]?["details"]?.arrayValue
            #expect(details?.map { $0["@type"] } == ["type.googleapis.com/google.rpc.BadRequest"])
        }
    }

    /// A `message` that FCM reads and refuses, and the field it blames.
    static let refused: [(String, field: String)] = [
        (#""data":{"a":"1"}"#, "message"),
        (#""token":"pixel","data":{"x":"1","from":"1"}"#, "message.data[1].key"),
        (#""token":"pixel","data":{"message_type":"1"}"#, "message.data[0].key"),
        (#""token":"pixel","data":{"google.x":"1"}"#, "message.data[0].key"),
        (#""token":"pixel","data":{"gcm.notification.x":"1"}"#, "message.data[0].key"),
        (#""token":"pixel","android":{"data":{"from":"1"}}"#, "message.android.data[0].key"),
        (#""token":"pixel","webpush":{"data":{"from":"1"}}"#, "message.webpush.data[0].key"),
        (#""token":"pixel","android":{"ttl":"2419201s"}"#, "message.android.ttl"),
        (#""token":"pixel","android":{"ttl":"-1s"}"#, "message.android.ttl"),
        (#""token":"pixel","webpush":{"headers":{"TTL":"2419201"}}"#, "message.webpush.headers"),
        (#""token":"pixel","webpush":{"headers":{"TTL":"1h"}}"#, "message.webpush.headers"),
        (#""token":"pixel","apns":{"headers":{"apns-expiration":"1h"}}"#, "message.apns.headers"),
        (
            #""token":"pixel","apns":{"headers":{"apns-collapse-id":"\#(String(repeating: "é", count: 33))"}}"#,
            "message.apns.headers"
        ),
        (#""topic":"/topics/tides""#, "message.topic"),
        (#""topic":"ti des""#, "message.topic"),
        (#""topic":"""#, "message.topic"),
        (#""condition":"tides in topics""#, "message.condition"),
        (#""condition":"!('a' in topics)""#, "message.condition"),
    ]

    @Test(
        .covers(
            "A42",
            "A60",
            "C09",
            "C49",
            "F1.3-data-reserved",
            "F1.3-target",
            "F1.3-topic",
            "F1.4-ttl",
            "F1.5-collapse-id",
            "F1.6-ttl",
            "F1.7-fcm-error",
            "F3-syntax"
        ),
        arguments: refused
    )
    func `refuses as FCM does`(message: String, field: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(message)}}"#)
            #expect(answer.status == 400)
            let details = try #require(answer.json?["error"]?["details"]?.arrayValue)
            #expect(
                details.first == [
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "INVALID_ARGUMENT",
                ]
            )
            let violations = details.last?["fieldViolations"]?.arrayValue
            #expect(violations?.map { $0["field"] } == [.string(field)])
        }
    }

    @Test(
        .covers(
            "C49",
            "F1.3-android-v2",
            "F1.3-data-collapse-key",
            "F1.5-collapse-id",
            "F1.6-ttl",
            "F2.2-topic-name"
        )
    ) func `takes what is just allowed`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for message in [
                #""token":"pixel","android":{"ttl":"2419200s"}"#,
                #""token":"pixel","android":{"ttl":"0s"}"#,
                #""token":"pixel","webpush":{"headers":{"TTL":"2419200"}}"#,
                #""token":"pixel","apns":{"headers":{"apns-collapse-id":"\#(String(repeating: "é", count: 32))"}}"#,
                #""token":"pixel","data":{"googlex":"1","collapse_key":"1"}"#,
                #""topic":"\#(String(repeating: "t", count: 900))""#,
                #""token":"pixel","android_v2":{"remote_notification":{}}"#,
            ] {
                #expect(
                    try emulator.send(#"{"message":{\#(message)}}"#).status == 200,
                    "\(message)"
                )
            }
        }
    }

    @Test(
        .covers("F1.7-text-token"),
        arguments: ["", "pi xel", "pixel/1", "é", String(repeating: "x", count: 4_097)]
    )
    func `knows a registration that cannot be one`(token: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{"token":"\#(token)"}}"#)
            #expect(answer.status == 400)
            #expect(
                answer.json?["error"] == [
                    "code": 400, "status": "INVALID_ARGUMENT",
                    "message": "The registration token is not a valid FCM registration token",
                    "details": [
                        [
                            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                            "errorCode": "INVALID_ARGUMENT",
                        ]
                    ],
                ]
            )
        }
    }

    @Test(.covers("F1.7-unregistered")) func `an unknown registration is UNREGISTERED`()
        async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{"token":"nobody"}}"#)
            #expect(answer.status == 404)
            #expect(
                answer.json?["error"] == [
                    "code": 404, "status": "NOT_FOUND",
                    "message": "Requested entity was not found.",
                    "details": [
                        [
                            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                            "errorCode": "UNREGISTERED",
                        ]
                    ],
                ]
            )
        }
    }

    @Test(
        .covers("C89-refused", "F1.7-401"),
        arguments: [nil, "Bearer", "Bearer  ", "Basic b3duZXI=", "key=abc"]
    )
    func `asks for a bearer token`(authorization: String?) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "POST",
                "/v1/projects/p/messages:send",
                #"{"message":{"token":"pixel"}}"#,
                authorization: authorization
            )
            #expect(answer.status == 401)
            #expect(answer.json?["error"]?["status"] == "UNAUTHENTICATED")
            #expect(try emulator.received(by: "pixel").isEmpty)
        }
    }
}
