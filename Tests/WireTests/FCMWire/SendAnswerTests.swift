import FCMWire
import TestSupport
import Testing

/// The bodies are real FCM answers, as Firebase's SDKs and public reports quote them.
struct SendAnswerTests {
    private static func answer(_ status: Int, _ body: String) -> SendAnswer {
        SendAnswer(status: status, body: Array(body.utf8))
    }

    private static func error(_ status: Int, _ body: String) throws -> FCMError {
        guard case .refused(let error) = answer(status, body) else {
            throw Unexpected()
        }
        return error
    }

    private struct Unexpected: Error {}

    @Test(.covers("A44", "F1.2-success")) func `a success names the message`() {
        #expect(
            Self.answer(200, #"{"name": "projects/foo/messages/fake_message_id"}"#)
                == .accepted(name: "projects/foo/messages/fake_message_id")
        )
    }

    @Test(arguments: ["", "{}", "[]", #"{"name": 5}"#, "<html>", #"{"error": {}}"#])
    func `a success without a message name is unreadable`(body: String) {
        #expect(Self.answer(200, body) == .unreadable(status: 200))
    }

    @Test(arguments: ["", "<!DOCTYPE html>\n<html lang=en>", "{}", #"{"error": "text"}"#])
    func `a failure in another form is unreadable`(body: String) {
        #expect(Self.answer(502, body) == .unreadable(status: 502))
    }

    @Test(.covers("F1.7-fcm-error", "F1.7-shape", "F1.7-unregistered"))
    func `a removed app instance is unregistered`() throws {
        let error = try Self.error(
            404,
            """
            {
              "error": {
                "code": 404,
                "message": "Requested entity was not found.",
                "status": "NOT_FOUND",
                "details": [
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "UNREGISTERED"
                  }
                ]
              }
            }
            """
        )
        #expect(error.httpStatus == 404)
        #expect(error.status == "NOT_FOUND")
        #expect(error.message == "Requested entity was not found.")
        #expect(error.code == .unregistered)
        #expect(error.fieldViolations == nil)
        #expect(error.apnsStatus == nil)
    }

    @Test(.covers("F1.7-bad-request", "F1.7-invalid-argument"))
    func `an invalid registration names the field`() throws {
        let error = try Self.error(
            400,
            """
            {"error": {"code": 400, "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT", "details": [{
                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                "errorCode": "INVALID_ARGUMENT"
              }, {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                  {"field": "message.token", "description": "Invalid registration token"}
                ]
              }]}}
            """
        )
        #expect(error.code == .invalidArgument)
        #expect(error.fieldViolations?.map(\.field) == ["message.token"])
    }

    @Test(.covers("F1.7-shape")) func `an error may have no details`() throws {
        let error = try Self.error(
            400,
            """
            {"error": {"code": 400, "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT"}}
            """
        )
        #expect(error.status == "INVALID_ARGUMENT")
        #expect(error.code == nil)
        #expect(error.fieldViolations == nil)
    }

    @Test(.covers("F1.7-apns-error", "F1.7-third-party"))
    func `a refusal by Apple includes Apple's status`() throws {
        let error = try Self.error(
            401,
            """
            {"error": {"code": 401, "message": "Auth error from APNS or Web Push Service",
              "status": "UNAUTHENTICATED", "details": [
                {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                 "errorCode": "THIRD_PARTY_AUTH_ERROR"},
                {"@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                 "statusCode": 403, "reason": "InvalidProviderToken"}
              ]}}
            """
        )
        #expect(error.code == .thirdPartyAuthError)
        #expect(error.apnsStatus == 403)
    }

    @Test(arguments: [
        ("INVALID_ARGUMENT", FCMErrorCode.invalidArgument), ("UNREGISTERED", .unregistered),
        ("SENDER_ID_MISMATCH", .senderIDMismatch), ("QUOTA_EXCEEDED", .quotaExceeded),
        ("UNAVAILABLE", .unavailable), ("INTERNAL", .internal),
        ("THIRD_PARTY_AUTH_ERROR", .thirdPartyAuthError), ("NEW_ONE", .other("NEW_ONE")),
    ])
    func `codes keep their names`(text: String, code: FCMErrorCode) {
        #expect(FCMErrorCode(text) == code)
        #expect(code.text == text)
    }

    @Test(.covers("F1.7-third-party")) func `older Apple errors have their own code`() {
        #expect(FCMErrorCode("APNS_AUTH_ERROR") == .thirdPartyAuthError)
    }
}
