import ArgumentParser
import DeliveryModel

/// Options that change FCM's limits in an emulator.
struct LimitFlags: ParsableArguments {
    @Option(
        name: .customLong("topic-payload-limit"),
        help: """
            Maximum bytes of a topic or condition message, up to 4096. (default: 2048, or 4096 if \
            the project allows payload-over-2048)
            """
    )
    var topicPayloadBytes: Int?

    @Option(
        name: .customLong("membership-rate"),
        help: "Membership changes per second; more get 429. FCM allows 3000. (default: unlimited)"
    )
    var membershipRate: Int?

    @Option(
        name: .customLong("apple-rate"),
        help: "Messages per minute to one Apple device; more get 429. (default: unlimited)"
    )
    var appleRate: Int?

    @Option(
        name: .customLong("sends-per-minute"),
        help: "Messages per minute; more get 429. FCM allows 600000. (default: unlimited)"
    )
    var sendsPerMinute: Int?

    func validate() throws {
        guard (1...DeliveryLimits.messagePayloadBytes).contains(topicPayloadBytes ?? 1) else {
            throw ValidationError("--topic-payload-limit must be from 1 to 4096")
        }
        guard [membershipRate, appleRate].allSatisfy({ (1...1_000_000).contains($0 ?? 1) }) else {
            throw ValidationError("a rate must be from 1 to 1000000")
        }
        guard (1...100_000_000).contains(sendsPerMinute ?? 1) else {
            throw ValidationError("--sends-per-minute must be from 1 to 100000000")
        }
    }

    /// Whether an option changes a limit.
    var areGiven: Bool {
        [topicPayloadBytes, membershipRate, appleRate, sendsPerMinute].contains { $0 != nil }
    }

    /// `liftsTopicLimit`: Whether the project allows larger messages to topics.
    func limits(liftsTopicLimit: Bool) -> DeliveryLimits {
        let standard =
            liftsTopicLimit
            ? DeliveryLimits.messagePayloadBytes : DeliveryLimits().topicPayloadBytes
        return DeliveryLimits(
            topicPayloadBytes: topicPayloadBytes ?? standard,
            membershipChangesPerSecond: membershipRate,
            appleMessagesPerMinute: appleRate,
            sendsPerMinute: sendsPerMinute
        )
    }
}
