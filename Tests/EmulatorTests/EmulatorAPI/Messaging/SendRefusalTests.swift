import JSON
import TestSupport
import Testing

/// Tests of messages that FCM refuses, each just above a limit.
struct SendRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let message: String
        let field: String
        let text: String

        init(_ message: String, _ field: String, _ text: String) {
            self.message = message
            self.field = field
            self.text = text
        }

        var testDescription: String { String(message.prefix(120)) }
    }

    private static let letters51 = String(repeating: "l", count: 51)
    private static let letters901 = String(repeating: "t", count: 901)
    private static let badTopic = "Topic name contains invalid characters."
    static let badLife =
        "Invalid time to live: it must be between 0s and 2419200s."
    static let badLabel =
        "Invalid analytics label: it must match \"^[a-zA-Z0-9-_.~%]{1,50}$\"."

    static let targets = [
        Refusal(#""data":{"a":"1"}"#, "message", "Recipient of the message is not set."),
        Refusal(#""topic":"/topics/tides""#, "message", badTopic),
        Refusal(#""topic":"ti des""#, "message", badTopic),
        Refusal(#""topic":"tides\n""#, "message", badTopic),
        Refusal(#""topic":"private/tides""#, "message", badTopic),
        Refusal(#""topic":"""#, "message", badTopic),
        Refusal(#""topic":"\#(letters901)""#, "message", badTopic),
    ]

    static let common = [
        Refusal(
            #""token":"pixel","data":{"x":"1","from":"1"}"#,
            "message.data[1].key",
            "Invalid data payload key: from"
        ),
        Refusal(
            #""token":"pixel","data":{"message_type":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: message_type"
        ),
        Refusal(
            #""token":"pixel","data":{"google.x":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: google.x"
        ),
        Refusal(
            #""token":"pixel","data":{"gcm.notification.x":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: gcm.notification.x"
        ),
        Refusal(
            #""token":"pixel","fcm_options":{"analytics_label":"spring sale"}"#,
            "message.fcm_options.analytics_label",
            badLabel
        ),
        Refusal(
            #""token":"pixel","fcm_options":{"analytics_label":"\#(letters51)"}"#,
            "message.fcm_options.analytics_label",
            badLabel
        ),
    ]

    @Test(
        .covers(
            "A42",
            "A60",
            "C09",
            "C49",
            "F1.3-data-reserved",
            "F1.3-data-apple",
            "F1.3-label",
            "F1.3-target",
            "F1.3-topic",
            "F1.4-color",
            "F1.4-light",
            "F1.4-loc",
            "F1.4-ttl",
            "F1.4-v2",
            "F1.5-collapse-id",
            "F1.5-expiration",
            "F1.5-id",
            "F1.5-payload-aps",
            "F1.5-payload-types",
            "F1.5-priority",
            "F1.5-priority-background",
            "F1.5-push-type",
            "F1.6-link",
            "F1.6-topic",
            "F1.6-ttl",
            "F1.6-urgency",
            "F1.7-fcm-error",
            "F2.3-newline"
        ),
        arguments: targets + common + android + apns + webpush
    )
    func `refuses as FCM does`(refusal: Refusal) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(refusal.message)}}"#)
            #expect(answer.status == 400)
            let text = JSONValue.string(refusal.text)
            #expect(
                answer.json == [
                    "error": [
                        "code": 400, "message": text, "status": "INVALID_ARGUMENT",
                        "details": [
                            [
                                "@type": "type.googleapis.com/google.rpc.BadRequest",
                                "fieldViolations": [
                                    ["field": .string(refusal.field), "description": text]
                                ],
                            ],
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                "errorCode": "INVALID_ARGUMENT",
                            ],
                        ],
                    ]
                ]
            )
            #expect(try emulator.inboxes().allSatisfy { $0["received"] == [] })
        }
    }

    @Test(
        .covers("F3-syntax", "F3-max-topics"),
        arguments: [
            "", "tides in topics", "'a' in topics &&", "'a' in topics & 'b' in topics",
            "!('a' in topics)", "'/topics/a' in topics",
            "'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics "
                + "|| 'f' in topics",
        ]
    )
    func `names the field of a malformed condition`(condition: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{"condition":"\#(condition)"}}"#)
            #expect(answer.status == 400)
            let text: JSONValue = "Invalid condition expression provided."
            #expect(
                answer.json == [
                    "error": [
                        "code": 400, "message": text, "status": "INVALID_ARGUMENT",
                        "details": [
                            [
                                "@type": "type.googleapis.com/google.rpc.BadRequest",
                                "fieldViolations": [
                                    ["field": "message.condition", "description": text]
                                ],
                            ],
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                "errorCode": "INVALID_ARGUMENT",
                            ],
                        ],
                    ]
                ]
            )
        }
    }
}
