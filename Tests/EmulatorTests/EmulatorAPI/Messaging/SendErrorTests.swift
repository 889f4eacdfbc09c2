import JSON
import TestSupport
import Testing

struct SendErrorTests {
    /// A malformed `message`, the field that FCM names, and FCM's error text.
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
            #""token":"pixel","notification":{"title":["x"]}"#, "message.notification",
            #"Invalid JSON payload received. Unknown name "title" at 'message.notification': "#
                + "Proto field is not repeating, cannot start list."
        ),
        (
            #""token":["pixel"]"#, "message",
            #"Invalid JSON payload received. Unknown name "token" at 'message': "#
                + "Proto field is not repeating, cannot start list."
        ),
        (
            #""token":"pixel","data":[]"#, "message",
            "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."
        ),
        (
            #""token":"pixel","android":{"data":{"a":"1","b":{"metadata":"1"}}}"#,
            "message.android.data[1].value",
            #"Invalid JSON payload received. Unknown name "metadata" at "#
                + "'message.android.data[1].value': Cannot find field."
        ),
        (
            #""token":"pixel","data":{"a":["1"]}"#, "message.data[0]",
            #"Invalid JSON payload received. Unknown name "value" at 'message.data[0]': "#
                + "Proto field is not repeating, cannot start list."
        ),
        (
            #""token":"pixel","data":{"a":{}}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (TYPE_STRING), {}"
        ),
        (
            #""token":"pixel","data":{"a":null}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (TYPE_STRING), null"
        ),
        (
            #""token":"pixel","data":{"a":true}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (TYPE_STRING), true"
        ),
        (
            #""token":"pixel","data":{"a":1.50}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (TYPE_STRING), 1.5"
        ),
        (
            #""token":"pixel","notification":"Hello""#, "message.notification",
            "Invalid value at 'message.notification' (type.googleapis.com/google.firebase.fcm.v1"
                + #".Notification), "Hello""#
        ),
        (
            #""token":"pixel","android":{"priority":"urgent"}"#, "message.android.priority",
            "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm"
                + #".v1.AndroidConfig.AndroidMessagePriority), "urgent""#
        ),
        (
            #""token":"pixel","android":{"priority":2}"#, "message.android.priority",
            "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm"
                + ".v1.AndroidConfig.AndroidMessagePriority), 2"
        ),
        (
            #""token":"pixel","android":{"ttl":"4h"}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration)"
                + ", Field 'ttl', Illegal duration format; duration must end with 's'"
        ),
        (
            #""token":"pixel","android":{"notification":{"event_time":"2037-03-20 07:30"}}"#,
            "message.android.notification.event_time",
            "Invalid value at 'message.android.notification.event_time' (type.googleapis.com/"
                + "google.protobuf.Timestamp), Field 'event_time', Illegal timestamp format; "
                + "timestamps must end with 'Z' or have a valid timezone offset."
        ),
        (
            #""token":"pixel","android":{"notification":{"vibrate_timings":["1s","2"]}}"#,
            "message.android.notification.vibrate_timings[1]",
            "Invalid value at 'message.android.notification.vibrate_timings[1]' "
                + #"(type.googleapis.com/google.protobuf.Duration), "2""#
        ),
        (
            #""token":"pixel","android_v2":{"priority":"high"}"#, "message.android_v2",
            #"Invalid JSON payload received. Unknown name "priority" at 'message.android_v2': "#
                + "Cannot find field."
        ),
        (
            #""token":"pixel","android_v2":{"remote_notification":{},"backgroundSync":{}}"#,
            "message.android_v2",
            "Invalid value at 'message.android_v2' (oneof), oneof field 'message_type' is already "
                + "set. Cannot set 'background_sync'"
        ),
        (
            #""token":"pixel","android":{"direct_boot_ok":1}"#, "message.android.direct_boot_ok",
            "Invalid value at 'message.android.direct_boot_ok' (TYPE_BOOL), 1"
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
    func `names the field that cannot be parsed`(
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

    @Test(.covers("F1.7-bad-request"))
    func `names every field that cannot be parsed`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(
                #"{"validate_only":"yes","message":{"token":"pixel","data":{"a":1,"b":2},"x":1}}"#
            )
            let violations = answer.json?["error"]?["details"]?.arrayValue?.first?[
                "fieldViolations"
            ]?.arrayValue
            #expect(
                violations?.map { $0["field"] } == [
                    "validate_only", "message.data[0].value", "message.data[1].value", "message",
                ]
            )
            #expect(
                answer.json?["error"]?["message"]
                    == .string(
                        (violations ?? []).compactMap { $0["description"]?.stringValue }
                            .joined(separator: "\n")
                    )
            )
        }
    }

    @Test(
        .covers("F1.7-text-token"),
        arguments: ["", "pi xel", "pixel/1", "é", String(repeating: "x", count: 4_097)]
    )
    func `refuses malformed registrations`(token: String) async throws {
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
                        ],
                        [
                            "@type": "type.googleapis.com/google.rpc.BadRequest",
                            "fieldViolations": [
                                [
                                    "field": "message.token",
                                    "description":
                                        "The registration token is not a valid FCM registration token",
                                ]
                            ],
                        ],
                    ],
                ]
            )
        }
    }

    @Test(
        .covers("F1.7-unregistered", "F1.3-fid"),
        arguments: [
            #""token":"nobody:APA91b""#, #""fid":"nobody""#, #""fid":"not an installation""#,
        ]
    ) func `an unknown registration is UNREGISTERED`(
        target: String
    )
        async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(target)}}"#)
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
    func `requires a bearer token`(authorization: String?) async throws {
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
