import CampaignMessages
import CampaignModel
import JSON
import Planning
import Testing

/// Tests how `on_unknown` and the message determine what happens to unknown outcomes.
struct SendPolicyTests {
    private static let shown: JSONObject = ["notification": ["title": "T"]]
    private static let handled: JSONObject = ["data": ["a": "b"]]
    private static let handledOnPlatforms: JSONObject = [
        "android": ["data": ["a": "b"]], "webpush": ["data": ["a": "b"]],
    ]
    private static let mixed: JSONObject = [
        "android": ["data": ["a": "b"]], "apns": ["payload": ["aps": ["alert": "A"]]],
    ]

    private func policy(
        _ message: JSONObject,
        _ onUnknown: SendingPolicy.OnUnknown? = nil,
        isFanOut: Bool = false
    ) throws -> SendPolicy {
        let campaign = try PlanScene().campaign(fields: message)
        let policy = SendingPolicy(
            onUnknown: onUnknown,
            rollout: nil,
            acknowledgement: nil,
            holdOut: nil
        )
        let template = DeliveryLowering(campaign).template
        return SendPolicy(policy, for: template, isFanOut: isFanOut)
    }

    @Test func `repeats a single send only if that replaces the message on every platform`()
        throws
    {
        #expect(try policy(Self.shown) == SendPolicy(repeats: .answered, stopsAtUnknown: false))
        let skipping = SendPolicy(repeats: .never, stopsAtUnknown: false)
        #expect(try policy(Self.handled) == skipping)
        #expect(try policy(Self.handledOnPlatforms) == skipping)
        #expect(try policy(Self.mixed) == skipping)
    }

    @Test(arguments: [shown, handled, mixed])
    func `the author's policy decides, regardless of the message`(message: JSONObject) throws {
        #expect(
            try policy(message, .retry) == SendPolicy(repeats: .always, stopsAtUnknown: false)
        )
        #expect(try policy(message, .skip) == SendPolicy(repeats: .never, stopsAtUnknown: false))
        #expect(try policy(message, .stop) == SendPolicy(repeats: .never, stopsAtUnknown: true))
    }

    @Test(arguments: [shown, handled, mixed])
    func `a fan-out stops at an unknown outcome`(message: JSONObject) throws {
        let stopping = SendPolicy(repeats: .never, stopsAtUnknown: true)
        #expect(try policy(message, isFanOut: true) == stopping)
    }
}
