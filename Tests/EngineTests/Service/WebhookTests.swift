import CampaignModel
import HTTPTransport
import Service
import State
import Testing
import Time

struct WebhookTests {
    /// The signature was computed with Python's `hmac`.
    @Test func `signs the time and the body`() {
        let headers = WebhookSignature.headers(
            for: Array(#"{"a":1}"#.utf8),
            with: Array("s3cr3t".utf8),
            at: 1_800_000_000
        )
        #expect(
            headers == [
                HTTPHeader(name: "Herald-Timestamp", value: "1800000000"),
                HTTPHeader(
                    name: "Herald-Signature",
                    value: "v1=7d13152177cb34e9be8a2155ecc409f068860dcd7a1967a438b38cf5b8923084"
                ),
            ]
        )
    }

    @Test func `has no signature without a secret`() {
        let headers = WebhookSignature.headers(for: [], with: nil, at: 5)
        #expect(headers == [HTTPHeader(name: "Herald-Timestamp", value: "5")])
    }

    private static func notification(
        _ result: ServiceNotification.Result,
        counts: [Outcome: Int],
        at seconds: Int64 = 1_800_000_000
    ) throws -> ServiceNotification {
        ServiceNotification(
            of: OccurrenceID(
                campaign: try #require(CampaignID("tide")),
                slot: .once,
                revision: 1
            ),
            result,
            counts: counts.reduce(into: OutcomeTally()) { $0[$1.key] = $1.value },
            context: ServiceNotification.Context(
                lineage: StateLineage(text: "b5"),
                now: Instant(secondsSince1970: seconds)
            )
        )
    }

    /// The ID was computed with Python's `hashlib`.
    @Test func `the ID depends on the state and not on the time`() throws {
        let first = try Self.notification(.finished, counts: [.accepted: 3, .rejected: 1])
        #expect(first.id.text == "d8395b8a87e9a96a6a19c5e721305692")
        let later = try Self.notification(
            .finished,
            counts: [.accepted: 3, .rejected: 1],
            at: 1_800_009_999
        )
        #expect(later.id == first.id)
        #expect(later.at != first.at)
    }

    @Test func `another result or other counts have another ID`() throws {
        let ids = [
            try Self.notification(.finished, counts: [.accepted: 3]),
            try Self.notification(.finished, counts: [.accepted: 4]),
            try Self.notification(.stopped, counts: [.accepted: 3]),
            try Self.notification(.held(.mostlyDead), counts: [.accepted: 3]),
            try Self.notification(.held(.refusedPayload), counts: [.accepted: 3]),
            try Self.notification(.expired, counts: [.accepted: 3]),
        ].map(\.id)
        #expect(Set(ids).count == 6)
    }

    @Test(arguments: [
        (200, WebhookAnswer.delivered), (204, .delivered),
        (301, .refused(reason: "HTTP 301")), (400, .refused(reason: "HTTP 400")),
        (404, .refused(reason: "HTTP 404")), (410, .refused(reason: "HTTP 410")),
        (408, .unavailable(reason: "HTTP 408", after: nil)),
        (500, .unavailable(reason: "HTTP 500", after: nil)),
        (503, .unavailable(reason: "HTTP 503", after: nil)),
    ])
    func `tells delivered, refused and unavailable apart`(status: Int, answer: WebhookAnswer) {
        #expect(WebhookAnswer(HTTPAnswer(status: status)) == answer)
    }

    @Test func `reads how long the receiver wants to be left alone`() {
        let answer = HTTPAnswer(
            status: 429,
            headers: [HTTPHeader(name: "Retry-After", value: "30")]
        )
        #expect(
            WebhookAnswer(answer) == .unavailable(reason: "HTTP 429", after: .seconds(30))
        )
    }

    @Test func `a failed connection is tried again`() {
        let error = TransportError(fate: .perhapsSent, reason: .timedOut, detail: "timed out")
        #expect(WebhookAnswer(error) == .unavailable(reason: "timed out", after: nil))
    }
}
