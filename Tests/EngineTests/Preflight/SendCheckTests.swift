import HTTPTransport
import Preflight
import Testing

struct SendCheckTests {
    private func answer(_ status: Int, _ body: String) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Array(body.utf8))
    }

    private func finding(_ status: Int, _ body: String) -> CheckupFinding {
        SendCheck.finding(answer(status, body), project: "tidewatch")
    }

    private func error(
        _ code: Int,
        _ status: String,
        _ message: String,
        _ details: String
    ) -> String {
        """
        {"error": {"code": \(code), "message": "\(message)", "status": "\(status)",
          "details": [\(details)]}}
        """
    }

    private let disabled = """
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED",
         "domain": "googleapis.com", "metadata": {"consumer": "projects/1029384756",
           "service": "fcm.googleapis.com"}},
        {"@type": "type.googleapis.com/google.rpc.Help", "links": [
          {"description": "Google developers console API activation",
           "url": "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=1029384756"}]}
        """

    @Test func `only validates, and sends nothing`() {
        #expect(
            String(decoding: SendCheck.body, as: UTF8.self)
                == #"{"message":{"topic":"herald-doctor","data":{"herald":"doctor"}},"validate_only":true}"#
        )
    }

    @Test func `treats a message name as success`() {
        let finding = finding(200, #"{"name": "projects/tidewatch/messages/fake_message_id"}"#)
        #expect(finding.verdict == .ok)
        #expect(finding.wayOut == nil)
    }

    @Test func `returns the link that enables the API`() {
        let finding = finding(403, error(403, "PERMISSION_DENIED", "It is disabled.", disabled))
        #expect(finding.verdict == .problem)
        #expect(finding.seen == "403 PERMISSION_DENIED (SERVICE_DISABLED): It is disabled.")
        #expect(
            finding.wayOut?.contains(
                "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=1029384756"
            ) == true
        )
    }

    @Test func `has its own link if Google returns none`() {
        let info =
            #"{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED"}"#
        let finding = finding(403, error(403, "PERMISSION_DENIED", "no", info))
        #expect(finding.wayOut?.contains("fcm.googleapis.com?project=tidewatch,") == true)
    }

    @Test(arguments: [
        (401, "UNAUTHENTICATED", "the token is not accepted"),
        (403, "PERMISSION_DENIED", "cloudmessaging.messages.create in project tidewatch"),
        (404, "NOT_FOUND", "project_id is the id of a project"),
        (400, "INVALID_ARGUMENT", "the address and project_id are right"),
    ])
    func `explains how to fix each rejection`(_ code: Int, _ status: String, _ words: String) {
        let finding = finding(code, error(code, status, "no", ""))
        #expect(finding.verdict == .problem)
        #expect(finding.seen == "\(code) \(status): no")
        #expect(finding.wayOut?.contains(words) == true)
    }

    @Test(arguments: [(429, "RESOURCE_EXHAUSTED"), (500, "INTERNAL"), (503, "UNAVAILABLE")])
    func `only warns of transient failures`(_ code: Int, _ status: String) {
        #expect(finding(code, error(code, status, "later", "")).verdict == .warning)
    }

    @Test(arguments: [(200, "<h1>Log in</h1>"), (302, ""), (404, "<h1>Not here</h1>"), (200, "{}")])
    func `does not mistake a login page for FCM`(_ code: Int, _ body: String) {
        let finding = finding(code, body)
        #expect(finding.verdict == .problem)
        #expect(finding.seen == "status \(code), not in FCM's format")
        #expect(finding.wayOut?.contains("a proxy, a login page") == true)
    }

    @Test func `reads the project number from a rejection`() {
        let refused = answer(403, error(403, "PERMISSION_DENIED", "no", disabled))
        #expect(SendCheck.projectNumber(in: refused) == "1029384756")
        let id = disabled.replacing("projects/1029384756", with: "projects/tidewatch")
        let named = answer(403, error(403, "PERMISSION_DENIED", "no", id))
        #expect(SendCheck.projectNumber(in: named) == nil)
        #expect(SendCheck.projectNumber(in: answer(200, #"{"name": "a"}"#)) == nil)
    }
}
