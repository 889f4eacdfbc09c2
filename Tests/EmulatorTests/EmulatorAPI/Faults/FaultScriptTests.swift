import JSON
import Testing

@testable import EmulatorAPI

struct FaultScriptTests {
    /// A rule and its invalid fields.
    static let mistakes: [(String, [String])] = [
        (#""fault":1"#, ["rules[0]"]),
        (#""match":{"servise":"SEND"},"answer":{"error":"INTERNAL"}"#, ["rules[0].match"]),
        (#""answer":{"error":"UNREGISTRED"}"#, ["rules[0].answer.error"]),
        (#""match":{"service":"SENDS"},"answer":{"status":500}"#, ["rules[0].match.service"]),
        (#""delivery":{"reset_stream":"REFUSED"}"#, ["rules[0].delivery.reset_stream"]),
        (#""when":{"nth":"three"},"answer":{"status":500}"#, ["rules[0].when.nth"]),
        (#""delivery":{"never":true,"half_open":true}"#, ["rules[0].delivery"]),
        (#""answer":{"status":500,"error":"INTERNAL"}"#, ["rules[0].answer"]),
        ("", ["rules[0]"]),
        (#""id":"","answer":{"status":500}"#, ["rules[0].id"]),
        (#""answer":{}"#, ["rules[0].answer.status"]),
        (#""answer":{"status":199}"#, ["rules[0].answer.status"]),
        (#""answer":{"status":600}"#, ["rules[0].answer.status"]),
        (#""answer":{"error":"INTERNAL","text":"x"}"#, ["rules[0].answer.text"]),
        (#""answer":{"status":500,"json":{},"text":"x"}"#, ["rules[0].answer.text"]),
        (
            #""answer":{"status":500,"headers":{"Content-Length":"1","a b":"x","c":"\r\n"}}"#,
            [
                "rules[0].answer.headers.Content-Length", "rules[0].answer.headers.a b",
                "rules[0].answer.headers.c",
            ]
        ),
        (
            #""answer":{"status":429,"retry_after_seconds":1,"retry_after_date_seconds":1}"#,
            ["rules[0].answer.retry_after_date_seconds"]
        ),
        (
            #""when":{"nth":0,"share":1.5,"from":5,"until":4,"from_time":"noon"},"duplicate":true"#,
            [
                "rules[0].when.nth", "rules[0].when.share", "rules[0].when.until",
                "rules[0].when.from_time",
            ]
        ),
        (
            #""when":{"over_quota":{"limit":5}}"#,
            ["rules[0].when.over_quota.per", "rules[0]"]
        ),
        (#""accepted":false,"delivery":{"delay_milliseconds":5}"#, ["rules[0].accepted"]),
        (#""accepted":false,"duplicate":true"#, ["rules[0].accepted"]),
        (#""delivery":{"never":false}"#, ["rules[0].delivery.never"]),
        (#""delivery":{}"#, ["rules[0].delivery", "rules[0]"]),
        (#""match":{"topic":"/topics/a"},"duplicate":true"#, ["rules[0].match.topic"]),
    ]

    @Test(arguments: mistakes)
    func `names each invalid field`(rule: String, fields: [String]) throws {
        let error = #expect(throws: GoogleError.self) {
            _ = try FaultScript(JSONValue(parsing: "{\"rules\":[{\(rule)}]}"))
        }
        let violations = error?.details.first?["fieldViolations"]?.arrayValue ?? []
        #expect(violations.map { $0["field"]?.stringValue ?? "" } == fields)
        #expect(violations.allSatisfy { $0["description"]?.stringValue?.isEmpty == false })
    }

    @Test(arguments: [
        #"{"rules":[{"answer":{"status":500}},{"id":"rule-1","answer":{"status":500}}]}"#,
        #"{"seed":-1}"#, #"{"seed":1.5}"#, #"{"sed":1}"#, "[]", "", "{",
    ])
    func `refuses malformed scripts`(text: String) {
        #expect(throws: GoogleError.self) {
            _ = try FaultScript(JSONValue(parsing: text))
        }
    }

    /// A rule, and whether a failed request is accepted anyway.
    @Test(arguments: [
        (#""answer":{"error":"UNAVAILABLE"}"#, false),
        (#""accepted":true,"answer":{"error":"UNAVAILABLE"}"#, true),
        (#""delivery":{"never":true}"#, false), (#""delivery":{"reset_connection":true}"#, false),
        (#""delivery":{"reset_stream":"CANCEL"},"accepted":true"#, true),
        (#""delivery":{"bytes_per_second":1}"#, true),
        (#""delivery":{"truncateAfterBytes":0}"#, true),
        (#""delivery":{"go_away":{}}"#, true),
        (#""delivery":{"go_away":{"last_stream":"BEFORE_THIS"}}"#, false),
        (#""duplicate":true"#, true),
        (#""delivery":{"delay_milliseconds":1},"answer":{"status":502,"text":"x"}"#, false),
    ])
    func `a request without its own answer is not accepted unless the script specifies it`(
        rule: String,
        isAccepted: Bool
    ) throws {
        let script = try FaultScript(JSONValue(parsing: "{\"rules\":[{\(rule)}]}"))
        #expect(script.rules.first?.action.isAccepted == isAccepted)
    }

    @Test func `the HTTP/2 error codes have the numbers of RFC 9113`() {
        #expect(HTTP2ErrorName.refusedStream.number == 0x7)
        #expect(HTTP2ErrorName.cancel.number == 0x8)
        #expect(HTTP2ErrorName.enhanceYourCalm.number == 0xB)
        #expect(HTTP2ErrorName.http11Required.number == 0xD)
        #expect(HTTP2ErrorName(number: 2) == .internalError)
        #expect(HTTP2ErrorName(number: 14) == nil)
    }
}
