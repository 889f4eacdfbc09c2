import FCMWire
import TestSupport
import Testing

struct InstanceIDInfoTests {
    @Test(arguments: [
        ("cR4:APA91b-x_y", "/iid/info/cR4:APA91b-x_y?details=true"),
        ("a/b?c#d%e", "/iid/info/a%2Fb%3Fc%23d%25e?details=true"),
        ("odd+=@\t", "/iid/info/odd%2B%3D%40%09?details=true"),
    ])
    func `a query names the registration and requests details`(token: String, path: String) {
        #expect(InstanceIDInfo(registration: token).path == path)
    }

    private static func answer(_ status: Int, _ body: String) -> InstanceIDInfoAnswer {
        InstanceIDInfoAnswer(status: status, body: Array(body.utf8))
    }

    @Test func `topics are the members of rel`() {
        let body = #"""
            {"application": "com.a", "platform": "ANDROID",
             "rel": {"topics": {"tides": {"addDate": "2027-01-15"}, "azores": {}}}}
            """#
        #expect(Self.answer(200, body) == .topics(["tides", "azores"]))
    }

    @Test(arguments: [#"{"application": "com.a"}"#, #"{"rel": {}}"#, #"{"rel": {"topics": {}}}"#])
    func `a registration without topics has no rel`(body: String) {
        #expect(Self.answer(200, body) == .topics([]))
    }

    @Test(arguments: [
        (404, #"{"error": "No information found about this instance id."}"#),
        (400, #"{"error": "InvalidToken"}"#),
    ])
    func `dead and malformed registrations are unknown`(status: Int, body: String) {
        guard case .unknown = Self.answer(status, body) else {
            Issue.record("\(Self.answer(status, body))")
            return
        }
    }

    @Test(arguments: [
        (401, #"{"error": "Unauthorized"}"#, "Unauthorized"),
        (403, #"{"error": {"message": "Permission denied"}}"#, "Permission denied"),
        (503, "<html>", "the answer cannot be read"), (200, "[]", "the answer cannot be read"),
        (200, "", "the answer cannot be read"),
    ])
    func `other answers are not about the registration`(
        status: Int,
        body: String,
        error: String
    ) {
        #expect(Self.answer(status, body) == .refused(status: status, error: error))
    }
}
