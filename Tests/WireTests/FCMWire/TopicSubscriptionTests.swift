import FCMWire
import TestSupport
import Testing

struct TopicSubscriptionTests {
    private static func change(_ change: InstanceIDBatch.Change) -> TopicSubscriptionChange {
        TopicSubscriptionChange(change, project: "p-1", registration: "a/b:1", topic: "50%off")
    }

    @Test func `a join names the topic in the query and a leave in the path`() {
        let place = "/v1/projects/p-1/registrations/a%2Fb:1/topicSubscriptions"
        #expect(Self.change(.add).path == place + "?topic_name=50%25off")
        #expect(Self.change(.remove).path == place + "/50%25off?allow_missing=true")
    }

    @Test func `a query requests pages of the maximum size`() {
        func path(_ token: String?) -> String {
            TopicSubscriptionQuestion(project: "p-1", registration: "a:1", pageToken: token).path
        }
        let place = "/v1/projects/p-1/registrations/a:1/topicSubscriptions?page_size=2000"
        #expect(path(nil) == place)
        #expect(path("n/2") == place + "&page_token=n%2F2")
    }

    private static func error(_ code: Int, _ status: String, _ detail: String = "") -> String {
        #"{"error":{"code":\#(code),"message":"words","status":"\#(status)","details":[\#(detail)]}}"#
    }

    private static func own(_ code: String) -> String {
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
    }

    private static let topicViolation = """
        {"@type":"type.googleapis.com/google.rpc.BadRequest",\
        "fieldViolations":[{"field":"topic_name","description":"wrong"}]}
        """

    @Test(arguments: [
        (200, "{}", TopicSubscriptionAnswer.done),
        (409, error(409, "ALREADY_EXISTS"), .done),
        (404, error(404, "NOT_FOUND", own("UNREGISTERED")), .refused("NOT_FOUND")),
        (404, error(404, "NOT_FOUND"), .refused("NOT_FOUND")),
        (
            403, error(403, "PERMISSION_DENIED", own("SENDER_ID_MISMATCH")),
            .refused("SENDER_ID_MISMATCH")
        ),
        (400, error(400, "INVALID_ARGUMENT"), .refused("INVALID_ARGUMENT")),
        (
            400, error(400, "INVALID_ARGUMENT", topicViolation),
            .failed(status: 400, error: "INVALID_ARGUMENT: words")
        ),
        (
            403, error(403, "PERMISSION_DENIED"),
            .failed(status: 403, error: "PERMISSION_DENIED: words")
        ),
        (404, "<html>", .failed(status: 404, error: "the answer cannot be read")),
        (
            429, error(429, "RESOURCE_EXHAUSTED"),
            .failed(status: 429, error: "RESOURCE_EXHAUSTED: words")
        ),
    ])
    func `an answer is about the registration or about the request`(
        status: Int,
        body: String,
        expected: TopicSubscriptionAnswer
    ) {
        #expect(TopicSubscriptionAnswer(status: status, body: Array(body.utf8)) == expected)
    }

    @Test(arguments: [
        (
            200,
            #"{"topic_subscriptions":[{"topic_name":"a"},{"topic_name":"b"}],"next_page_token":"n"}"#,
            TopicSubscriptionPage.topics(["a", "b"], next: "n")
        ),
        (
            200, #"{"topicSubscriptions":[{"topicName":"a"}],"nextPageToken":""}"#,
            .topics(["a"], next: nil)
        ),
        (200, "{}", .topics([], next: nil)),
        (404, error(404, "NOT_FOUND", own("UNREGISTERED")), .unknown(error: "NOT_FOUND")),
        (503, "<html>", .refused(status: 503, error: "the answer cannot be read")),
        (200, "", .refused(status: 200, error: "the answer cannot be read")),
    ])
    func `a page has topics or an unknown registration`(
        status: Int,
        body: String,
        expected: TopicSubscriptionPage
    ) {
        #expect(TopicSubscriptionPage(status: status, body: Array(body.utf8)) == expected)
    }

    @Test func `only errors of the Instance ID API show that a registration is dead`() {
        func answer(_ status: Int, _ body: String) -> InstanceIDInfoAnswer {
            InstanceIDInfoAnswer(status: status, body: Array(body.utf8))
        }
        let dead = "No information found about this instance id."
        #expect(answer(404, #"{"error":"\#(dead)"}"#) == .unknown(error: dead))
        #expect(
            answer(404, "<html>") == .refused(status: 404, error: "the answer cannot be read")
        )
        #expect(answer(410, #"{"error":"Gone"}"#) == .refused(status: 410, error: "Gone"))
        #expect([403, 404, 410].allSatisfy(InstanceIDAbsence.isMeant))
        #expect(![200, 400, 401, 409, 429, 503].contains(where: InstanceIDAbsence.isMeant))
    }
}
