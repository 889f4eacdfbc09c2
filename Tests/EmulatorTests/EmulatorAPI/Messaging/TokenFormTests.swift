import DeliveryModel
import FCMWire
import JSON
import TestSupport
import Testing

/// The expected answers are from the Admin SDK integration tests, which run against Google's
/// servers.
struct TokenFormTests {
    @Test(
        .covers("F1.7-invalid-argument"),
        arguments: ["not-a-token", "INVALID_TOKEN", "token1", ":APA91b-half", "half:"]
    )
    func `a malformed token is an invalid argument`(text: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{"token":"\#(text)"}}"#)
            #expect(answer.status == 400)
            #expect(
                answer.json?["error"]?["message"]
                    == "The registration token is not a valid FCM registration token"
            )
            let batch = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["\#(text)"]}"#
            )
            #expect(batch.json == ["results": [["error": "INVALID_ARGUMENT"]]])
        }
    }

    @Test(arguments: [
        "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1", "cZ7Yx3a1Q2y8w9v0u1t2s3", "APA91bGHXQBB",
    ])
    func `a well-formed unknown token is unregistered`(text: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try emulator.send(#"{"message":{"token":"\#(text)"}}"#).status == 404)
        }
    }

    @Test func `a device's registration is never malformed`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try emulator.send(#"{"message":{"token":"pixel"}}"#).status == 200)
        }
    }
}
