import HTTPTransport
import Sending
import TestSupport
import Testing

struct JudgementTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        var headers: [HTTPHeader] = []
        let judgement: Judgement

        var testDescription: String { "\(status) \(body)" }
    }

    @Test(
        .covers(
            "F1.7-401",
            "F1.7-403-disabled",
            "F1.7-503-delivered",
            "F1.7-apns-disabled",
            "F1.7-apns-error",
            "F1.7-bad-request",
            "F1.7-bare-404",
            "F1.7-error-info",
            "F1.7-invalid-argument",
            "F1.7-never",
            "F1.7-quota",
            "F1.7-retry-after",
            "F1.7-retry-info",
            "F1.7-sender-id",
            "F1.7-third-party",
            "F1.7-unregistered",
            "F1.7-unspecified",
            "C71"
        ),
        arguments: rows
    )
    func `judges an answer`(row: Row) {
        let answer = HTTPAnswer(
            status: row.status,
            headers: row.headers,
            body: Array(row.body.utf8)
        )
        #expect(Judgement(of: answer) == row.judgement)
    }

    private static let rows: [Row] = [
        answered, refusals, passing, withRetryInfo, unreadableDelays, unspecified, gaveUp,
        unreadable,
    ].flatMap { $0 }

    private static let answered = [
        Row(
            status: 200,
            body: #"{"name":"projects/p/messages/1"}"#,
            judgement: .accepted(name: "projects/p/messages/1")
        ),
        Row(status: 200, body: "{}", judgement: .unknown(reason: "200 without a message name")),
        Row(status: 200, body: "", judgement: .unknown(reason: "200 without a message name")),
        Row(
            status: 200,
            body: "<html>sign in</html>",
            judgement: .unknown(reason: "200 without a message name")
        ),
        Row(status: 204, body: "", judgement: .unknown(reason: "204 without a message name")),
        Row(
            status: 202,
            body: #"{"name":""}"#,
            judgement: .unknown(reason: "202 without a message name")
        ),
    ]

    /// Answers that reject a message, with FCM's error code in `details` if there is one.
    private static let refusals = [
        Row(
            status: 400,
            body: error(400, "INVALID_ARGUMENT", fcm("INVALID_ARGUMENT")),
            judgement: .rejected(.invalidArgument)
        ),
        Row(
            status: 400,
            body: error(400, "INVALID_ARGUMENT", badRequest),
            judgement: .rejected(.invalidArgument)
        ),
        Row(
            status: 400,
            body: error(400, "INVALID_ARGUMENT"),
            judgement: .refusedUs(reason: "400 INVALID_ARGUMENT: words")
        ),
        Row(
            status: 401,
            body: error(401, "UNAUTHENTICATED"),
            judgement: .unauthorized(reason: "401 UNAUTHENTICATED: words")
        ),
        Row(
            status: 401,
            body: error(401, "UNAUTHENTICATED", fcm("THIRD_PARTY_AUTH_ERROR")),
            judgement: .rejected(.thirdPartyAuthError)
        ),
        Row(
            status: 403,
            body: error(403, "PERMISSION_DENIED", fcm("SENDER_ID_MISMATCH")),
            judgement: .rejected(.senderIDMismatch)
        ),
        Row(
            status: 403,
            body: error(403, "PERMISSION_DENIED"),
            judgement: .refusedUs(reason: "403 PERMISSION_DENIED: words")
        ),
        Row(
            status: 404,
            body: error(404, "NOT_FOUND", fcm("UNREGISTERED")),
            judgement: .rejected(.unregistered)
        ),
        Row(
            status: 404,
            body: error(404, "NOT_FOUND"),
            judgement: .refusedUs(reason: "404 NOT_FOUND: words")
        ),
        Row(
            status: 400,
            body: error(400, "INVALID_ARGUMENT", apns(410)),
            judgement: .rejected(.apnsUnregistered)
        ),
        Row(
            status: 404,
            body: error(404, "NOT_FOUND", fcm("UNREGISTERED") + "," + apns(410)),
            judgement: .rejected(.apnsUnregistered)
        ),
        Row(
            status: 403,
            body: error(403, "PERMISSION_DENIED", apns(403)),
            judgement: .refusedUs(reason: "403 PERMISSION_DENIED: words")
        ),
    ]

    private static let passing = [
        Row(
            status: 429,
            body: error(429, "RESOURCE_EXHAUSTED", fcm("QUOTA_EXCEEDED")),
            headers: [HTTPHeader(name: "retry-after", value: "7")],
            judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: .seconds(7))
        ),
        Row(
            status: 429,
            body: error(429, "RESOURCE_EXHAUSTED"),
            judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: nil)
        ),
        Row(
            status: 429,
            body: "slow down",
            headers: [HTTPHeader(name: "Retry-After", value: "Fri, 15 Jan 2027 08:00:00 GMT")],
            judgement: .throttled(reason: "429", delay: nil)
        ),
        Row(
            status: 429,
            body: "",
            headers: [HTTPHeader(name: "Retry-After", value: "-3")],
            judgement: .throttled(reason: "429", delay: .seconds(1))
        ),
        Row(
            status: 429,
            body: "",
            headers: [HTTPHeader(name: "Retry-After", value: "9223372036854775807")],
            judgement: .throttled(reason: "429", delay: .seconds(86_400))
        ),
        Row(
            status: 429,
            body: error(429, "RESOURCE_EXHAUSTED", fcm("QUOTA_EXCEEDED") + "," + apns(429)),
            headers: [HTTPHeader(name: "Retry-After", value: "9")],
            judgement: .slowed(delay: .seconds(9))
        ),
        Row(
            status: 429,
            body: error(429, "RESOURCE_EXHAUSTED", apns(429)),
            judgement: .slowed(delay: nil)
        ),
        Row(
            status: 500,
            body: error(500, "INTERNAL", fcm("INTERNAL")),
            judgement: .failed(reason: "500 INTERNAL", delay: nil)
        ),
        Row(
            status: 503,
            body: error(503, "UNAVAILABLE", fcm("UNAVAILABLE")),
            headers: [HTTPHeader(name: "Retry-After", value: "30")],
            judgement: .failed(reason: "503 UNAVAILABLE", delay: .seconds(30))
        ),
        Row(
            status: 500,
            body: error(500, "INTERNAL", apns(410)),
            judgement: .failed(reason: "500 INTERNAL", delay: nil)
        ),
        Row(status: 502, body: "Bad Gateway", judgement: .failed(reason: "502", delay: nil)),
        Row(status: 599, body: "", judgement: .failed(reason: "599", delay: nil)),
    ]

    /// The header takes precedence over the detail.
    private static let withRetryInfo =
        [
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", fcm("QUOTA_EXCEEDED") + "," + retry("30s")),
                judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: .seconds(30))
            ),
            Row(
                status: 503,
                body: error(503, "UNAVAILABLE", retry("1.000000001s")),
                judgement: .failed(reason: "503 UNAVAILABLE", delay: .seconds(2))
            ),
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", apns(429) + "," + retry("8s")),
                judgement: .slowed(delay: .seconds(8))
            ),
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", retry("30s")),
                headers: [HTTPHeader(name: "Retry-After", value: "7")],
                judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: .seconds(7))
            ),
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", retry("0s")),
                judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: .seconds(1))
            ),
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", retry("99999999999s")),
                judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: .seconds(86_400))
            ),
        ]

    private static let unreadableDelays = ["", "s", "30", "-1s", "soon", "1e3s", "1.2.3s", "infs"]
        .map { text in
            Row(
                status: 429,
                body: error(429, "RESOURCE_EXHAUSTED", retry(text)),
                judgement: .throttled(reason: "RESOURCE_EXHAUSTED", delay: nil)
            )
        }

    /// Without further information, FCM may have delivered the message; nothing repeats it.
    private static let unspecified = [
        Row(
            status: 500,
            body: error(500, "INTERNAL", fcm("UNSPECIFIED_ERROR")),
            judgement: .unknown(reason: "500 UNSPECIFIED_ERROR")
        ),
        Row(
            status: 503,
            body: error(503, "UNAVAILABLE", fcm("UNSPECIFIED_ERROR")),
            headers: [HTTPHeader(name: "Retry-After", value: "3")],
            judgement: .unknown(reason: "503 UNSPECIFIED_ERROR")
        ),
        Row(
            status: 400,
            body: error(400, "INVALID_ARGUMENT", fcm("UNSPECIFIED_ERROR")),
            judgement: .refusedUs(reason: "400 INVALID_ARGUMENT: words")
        ),
    ]

    /// The server that gives this answer cannot determine whether FCM accepted the message.
    private static let gaveUp =
        [
            (400, "{"), (402, ""), (405, "[]"), (408, ""), (409, "null"), (413, "<html>"),
            (425, ""), (499, ""),
        ]
        .map { status, body in
            Row(status: status, body: body, judgement: .failed(reason: "\(status)", delay: nil))
        } + [
            Row(
                status: 408,
                body: "Request Timeout",
                headers: [HTTPHeader(name: "Retry-After", value: "20")],
                judgement: .failed(reason: "408", delay: .seconds(20))
            ),
            Row(
                status: 408,
                body: error(408, "DEADLINE_EXCEEDED"),
                judgement: .failed(reason: "408 DEADLINE_EXCEEDED", delay: nil)
            ),
            Row(
                status: 499,
                body: error(499, "CANCELLED"),
                judgement: .failed(reason: "499 CANCELLED", delay: nil)
            ),
            Row(
                status: 409,
                body: error(409, "ABORTED"),
                judgement: .refusedUs(reason: "409 ABORTED: words")
            ),
        ]

    private static let unreadable =
        [(301, ""), (302, "<html>"), (307, ""), (403, "[1]"), (404, "null")]
        .map { status, body in
            Row(
                status: status,
                body: body,
                judgement: .refusedUs(reason: "status \(status), not in FCM's format")
            )
        }

    @Test func `attributes any 401 to the bearer`() {
        let answer = HTTPAnswer(status: 401, body: Array("<h1>Unauthorized</h1>".utf8))
        let reason = "status 401, not in FCM's format"
        #expect(Judgement(of: answer) == .unauthorized(reason: reason))
    }

    private static func error(_ code: Int, _ status: String, _ detail: String = "") -> String {
        #"{"error":{"code":\#(code),"message":"words","status":"\#(status)","details":[\#(detail)]}}"#
    }

    private static func fcm(_ code: String) -> String {
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
    }

    private static func apns(_ status: Int) -> String {
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError","statusCode":\#(status)}"#
    }

    private static func retry(_ delay: String) -> String {
        #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#(delay)"}"#
    }

    private static let badRequest =
        #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[]}"#

    @Test func `reports a body with invalid UTF-8 as unreadable`() {
        let answer = HTTPAnswer(status: 200, body: [0xFF, 0xFE, 0x00])
        #expect(Judgement(of: answer) == .unknown(reason: "200 without a message name"))
    }

    @Test func `an unsent request may be sent again`() {
        let error = TransportError(fate: .notSent, reason: .refusedConnection, detail: "refused")
        #expect(Judgement(of: error) == .unwritten(reason: "refused"))
    }

    @Test(arguments: [
        TransportError.Reason.timedOut, .lostConnection, .cancelled, .malformedAnswer,
    ])
    func `a request that may have been sent is unknown`(reason: TransportError.Reason) {
        let error = TransportError(fate: .perhapsSent, reason: reason, detail: "gone")
        #expect(Judgement(of: error) == .unknown(reason: "gone"))
    }
}
