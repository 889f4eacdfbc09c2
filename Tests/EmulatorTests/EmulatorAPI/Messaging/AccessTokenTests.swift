import JSON
import TestSupport
import Testing

/// Tests of access tokens in the query, a standard parameter of Google's APIs.
@Suite(.covers("F1.1-query"))
struct AccessTokenTests {
    private static let send = "/v1/projects/tidewatch/messages:send"
    private static let message = #"{"message":{"token":"pixel"}}"#

    @Test(arguments: [("?access_token=ya29.x", 200), ("?access_token=", 401), ("", 401)])
    func `a token in the query replaces the header`(query: String, status: Int) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "POST",
                Self.send + query,
                Self.message,
                authorization: nil
            )
            #expect(answer.status == status)
        }
    }

    @Test func `a header that is not a bearer token wins over the query`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "POST",
                Self.send + "?access_token=ya29.x",
                Self.message,
                authorization: "key=AAAA"
            )
            #expect(answer.status == 401)
        }
    }

    @Test func `a token in the query also admits membership changes`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/v1/projects/tidewatch/registrations/pixel/topicSubscriptions"
            let answer = try emulator.request(
                "POST",
                path + "?topicName=tides&access_token=ya29.x",
                authorization: nil
            )
            #expect(answer.status == 200)
        }
    }
}
