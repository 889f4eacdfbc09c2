import HTTPTransport
import Preflight
import Testing

struct MembershipCheckTests {
    private func answer(_ status: Int, _ body: String) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Array(body.utf8))
    }

    @Test(arguments: [
        (200, #"{"results": [{"error": "INVALID_ARGUMENT"}]}"#, MembershipCheck.Way.served),
        (400, #"{"error": "MissingRegistration"}"#, .served),
        (403, #"{"error": "MismatchSenderId"}"#, .notServed),
        (404, "<h1>Not found</h1>", .notServed), (410, "{}", .notServed),
        (401, #"{"error": "Unauthorized"}"#, .unsure), (503, "", .unsure), (200, "{}", .unsure),
    ])
    func `detects from a batch whether batches are available`(
        _ status: Int,
        _ body: String,
        _ way: MembershipCheck.Way
    ) {
        #expect(MembershipCheck.way(batch: answer(status, body)) == way)
    }

    @Test(arguments: [
        (200, "{}", MembershipCheck.Way.served),
        (404, #"{"error": {"code": 404, "message": "no", "status": "NOT_FOUND"}}"#, .served),
        (400, #"{"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}"#, .served),
        (404, "<h1>Not found</h1>", .notServed),
        (
            403, #"{"error": {"code": 403, "message": "no", "status": "PERMISSION_DENIED"}}"#,
            .notServed
        ),
        (500, "", .unsure),
    ])
    func `detects from a query whether single changes are available`(
        _ status: Int,
        _ body: String,
        _ way: MembershipCheck.Way
    ) {
        #expect(MembershipCheck.way(single: answer(status, body)) == way)
    }

    @Test(arguments: [
        (
            MembershipCheck.Way.served, MembershipCheck.Way.served, CheckupFinding.Verdict.ok,
            "1,000"
        ),
        (.served, .notServed, .ok, "transport: batch"),
        (.notServed, .served, .ok, "transport: per_registration"),
        (.unsure, .served, .ok, "transport: per_registration"),
        (.notServed, .notServed, .problem, "topicSubscriptions.create"),
        (.notServed, .unsure, .warning, "again in a minute"),
    ])
    func `recommends the available transport`(
        _ batch: MembershipCheck.Way,
        _ single: MembershipCheck.Way,
        _ verdict: CheckupFinding.Verdict,
        _ words: String
    ) {
        let finding = MembershipCheck.finding(batch: batch, single: single, statuses: (404, 403))
        #expect(finding.verdict == verdict)
        #expect((finding.seen + (finding.wayOut ?? "")).contains(words))
    }
}
