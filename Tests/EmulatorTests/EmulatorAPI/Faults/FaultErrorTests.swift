import EmulatorAPI
import JSON
import TestSupport
import Testing

struct FaultErrorTests {
    private static let fcmError = "type.googleapis.com/google.firebase.fcm.v1.FcmError"

    private func answer(
        to error: String,
        _ emulator: TestEmulator,
        more: String = ""
    ) throws -> HTTPAnswer {
        let script = #"{"rules":[{"answer":{"error":"\#(error)"\#(more)}}]}"#
        try #require(try emulator.request("PUT", "/emulator/v1/faults", script).status == 200)
        return try emulator.send(#"{"message":{"token":"pixel"}}"#)
    }

    /// The name of an error, its status, google.rpc.Code and FcmError (Firebase documentation, FCM
    /// error codes).
    @Test(arguments: [
        ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
        ("UNAVAILABLE", 503, "UNAVAILABLE", "UNAVAILABLE"),
        ("INTERNAL", 500, "INTERNAL", "INTERNAL"),
        ("UNREGISTERED", 404, "NOT_FOUND", "UNREGISTERED"),
        ("INVALID_ARGUMENT", 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
        ("SENDER_ID_MISMATCH", 403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
        ("THIRD_PARTY_AUTH_ERROR", 401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
        ("APNS_UNREGISTERED", 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
        ("APNS_TOO_MANY_REQUESTS", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
    ])
    func `has FCM's format`(name: String, code: Int, status: String, fcm: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try answer(to: name, emulator)
            #expect(answer.status == code)
            let error = answer.json?["error"]
            #expect(error?["code"] == .integer(Int64(code)))
            #expect(error?["status"] == .string(status))
            #expect(
                error?["details"]?.arrayValue?.first == [
                    "@type": .string(Self.fcmError), "errorCode": .string(fcm),
                ]
            )
        }
    }

    @Test(arguments: [
        ("APNS_UNREGISTERED", 410, "Unregistered"),
        ("APNS_TOO_MANY_REQUESTS", 429, "TooManyRequests"),
    ])
    func `contains the APNs error`(name: String, status: Int, reason: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let details = try answer(to: name, emulator).json?["error"]?["details"]?.arrayValue
            #expect(
                details?.last == [
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                    "statusCode": .integer(Int64(status)), "reason": .string(reason),
                ]
            )
        }
    }

    @Test(arguments: [#""topic":"tides""#, #""condition":"'tides' in topics""#])
    func `an invalid argument of a topic does not name a registration`(
        target: String
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let script = #"{"rules":[{"answer":{"error":"INVALID_ARGUMENT"}}]}"#
            _ = try emulator.request("PUT", "/emulator/v1/faults", script)
            let answer = try emulator.send(#"{"message":{\#(target)}}"#)
            #expect(answer.status == 400)
            let error = answer.json?["error"]
            #expect(error?["message"] == "Request contains an invalid argument.")
            #expect(
                error?["details"]?.arrayValue == [
                    ["@type": "type.googleapis.com/google.rpc.BadRequest"],
                    ["@type": .string(Self.fcmError), "errorCode": "INVALID_ARGUMENT"],
                ]
            )
        }
    }

    @Test func `the project's quota has an ErrorInfo and no FcmError`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try answer(to: "PROJECT_QUOTA_EXCEEDED", emulator)
            #expect(answer.status == 429)
            let details = answer.json?["error"]?["details"]?.arrayValue
            #expect(
                details?.map { $0["@type"] } == [
                    "type.googleapis.com/google.rpc.ErrorInfo",
                    "type.googleapis.com/google.rpc.Help",
                ]
            )
            #expect(details?.first?["reason"] == "RATE_LIMIT_EXCEEDED")
            let metadata = details?.first?["metadata"]
            #expect(metadata?["quota_limit"] == "SendsPerMinutePerProject")
            #expect(metadata?["quota_metric"] == "fcm.googleapis.com/send_requests")
            #expect(metadata?["consumer"] == "projects/tidewatch")
        }
    }

    @Test func `an expired token has no FcmError and has a challenge`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try answer(to: "EXPIRED_TOKEN", emulator)
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer ") == true)
            let details = answer.json?["error"]?["details"]?.arrayValue
            #expect(details?.map { $0["reason"] } == ["ACCESS_TOKEN_EXPIRED"])
        }
    }

    @Test func `states the retry time in seconds or as a date`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let seconds = try answer(
                to: "UNAVAILABLE",
                emulator,
                more: #","retry_after_seconds":7"#
            )
            #expect(seconds.headers["retry-after"] == "7")
            let date = try answer(
                to: "UNAVAILABLE",
                emulator,
                more: #","retry_after_date_seconds":0"#
            ).headers["retry-after"]
            let form = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/
            #expect(date?.wholeMatch(of: form) != nil, "\(date ?? "none")")
        }
    }

    @Test(arguments: [
        ("UNAVAILABLE", 503, "UNAVAILABLE"), ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED"),
        ("EXPIRED_TOKEN", 401, "Unauthorized"),
    ])
    func `the Instance ID API has its own error format`(
        name: String,
        code: Int,
        word: String
    )
        async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try answer(to: name, emulator)
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["pixel"]}"#
            )
            #expect(answer.status == code)
            #expect(answer.json == ["error": .string(word)])
        }
    }

    @Test func `a script can set any status, body and header`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let script =
                #"{"rules":[{"answer":{"status":502,"text":"<h1>Bad</h1>","#
                + #""content_type":"text/html","headers":{"X-Via":"front"}}}]}"#
            _ = try emulator.request("PUT", "/emulator/v1/faults", script)
            let answer = try emulator.send(#"{"message":{"token":"pixel"}}"#)
            #expect(answer.status == 502)
            #expect(answer.body == Array("<h1>Bad</h1>".utf8))
            #expect(answer.headers["content-type"] == "text/html")
            #expect(answer.headers["x-via"] == "front")
            let line = try directory.logText().split(separator: "\n").last ?? ""
            #expect(JSONValue(parsing: String(line))?["answer"] == "<h1>Bad</h1>")
        }
    }
}
