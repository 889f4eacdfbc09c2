import HTTPTransport
import Presentation
import Sending
import TestSupport
import Testing

struct ErrorCodeWordingTests {
    /// FCM's status for each code (Firebase reference, ErrorCode).
    private static let statuses = [
        "INVALID_ARGUMENT": 400, "UNREGISTERED": 404, "SENDER_ID_MISMATCH": 403,
        "QUOTA_EXCEEDED": 429, "UNAVAILABLE": 503, "INTERNAL": 500, "THIRD_PARTY_AUTH_ERROR": 401,
    ]

    @Test(.covers("A33"), arguments: statuses.sorted { $0.key < $1.key })
    func `the documented retries match the dispatcher`(
        code: String,
        status: Int
    ) throws {
        let body = """
            {"error":{"code":\(status),"status":"X","message":"","details":[{"@type":\
            "type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\(code)"}]}}
            """
        let text = try #require(
            ErrorCodeWording.named(code).first { $0.place == "answer to a send" }
        )
        let answer = HTTPAnswer(status: status, headers: [], body: Array(body.utf8))
        let isRetried =
            switch Judgement(of: answer) {
            case .throttled, .failed: true
            default: false
            }
        #expect(text.isRetried == isRetried)
    }

    @Test(.covers("A33"), arguments: ["UNREGISTERED", "SENDER_ID_MISMATCH", "TOO_MANY_TOPICS"])
    func `finds a code in any letter case`(code: String) {
        #expect(!ErrorCodeWording.named(code.lowercased()).isEmpty)
        #expect(ErrorCodeWording.named(code + "S").isEmpty)
    }
}
