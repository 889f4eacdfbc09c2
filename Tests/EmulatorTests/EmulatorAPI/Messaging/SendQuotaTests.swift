import DeliveryModel
import JSON
import TestSupport
import Testing

@testable import EmulatorAPI

struct SendQuotaTests {
    private func moment(_ milliseconds: Int64) -> DeliveryMoment {
        DeliveryMoment(milliseconds: milliseconds)
    }

    @Test(.covers("F4-project-quota"))
    func `a minute starts with its first message, and the next minute has the whole quota`() {
        var quota = SendQuota()
        #expect(quota.wait(limit: 2, at: moment(1_000)) == nil)
        quota.count(at: moment(1_000))
        quota.count(at: moment(30_000))
        #expect(quota.wait(limit: 2, at: moment(30_000)) == 31)
        #expect(quota.wait(limit: 2, at: moment(60_999)) == 1)
        #expect(quota.wait(limit: 2, at: moment(61_000)) == nil)
        quota.count(at: moment(75_000))
        quota.count(at: moment(75_000))
        #expect(quota.wait(limit: 2, at: moment(134_000)) == 1)
    }

    @Test(.covers("F4-project-quota"))
    func `client errors consume quota, but refusals without a token or without quota do not`()
        async throws
    {
        let limits = DeliveryLimits(sendsPerMinute: 3)
        try await TestEmulator.run(limits: limits) { (emulator, _) async throws in
            func send(_ target: String) throws -> HTTPAnswer {
                try emulator.send(#"{"message":{\#(target),"data":{"a":"1"}}}"#)
            }
            #expect(try send(#""topic":"t""#).status == 200)
            #expect(try send(#""topic":"no topic""#).status == 400)
            #expect(try send(#""token":"pixel""#).status == 200)
            let refusals = try (0..<3).map { _ in try send(#""topic":"t""#) }
            #expect(refusals.allSatisfy { $0.status == 429 })
            let detail = refusals[0].json?["error"]?["details"]?.arrayValue?.first
            #expect(detail?["reason"] == "RATE_LIMIT_EXCEEDED")
            #expect(detail?["metadata"]?["quota_limit_value"] == "3")
        }
    }
}
