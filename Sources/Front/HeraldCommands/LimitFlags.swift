import ArgumentParser
import DeliveryModel

/// Options that change FCM's limits in an emulator.
struct LimitFlags: ParsableArguments {
    @Option(
        name: .customLong("topic-payload-limit"),
        help: "The most bytes that a message to a topic or condition may have, up to 4096."
    )
    var topicPayloadBytes = DeliveryLimits().topicPayloadBytes

    @Option(
        name: .customLong("membership-rate"),
        help: "Changes of topic membership a second, more are 429; FCM takes 3000. (default: any)"
    )
    var membershipRate: Int?

    @Option(
        name: .customLong("apple-rate"),
        help: "Messages a minute for one Apple device, more are 429. (default: any)"
    )
    var appleRate: Int?

    @Option(
        name: .customLong("sends-per-minute"),
        help: "Messages of the project a minute, more are 429; FCM takes 600000. (default: any)"
    )
    var sendsPerMinute: Int?

    func validate() throws {
        guard (1...DeliveryLimits.messagePayloadBytes).contains(topicPayloadBytes) else {
            throw ValidationError("--topic-payload-limit is from 1 to 4096")
        }
        guard [membershipRate, appleRate].allSatisfy({ (1...1_000_000).contains($0 ?? 1) }) else {
            throw ValidationError("a rate is from 1 to 1000000")
        }
        guard (1...100_000_000).contains(sendsPerMinute ?? 1) else {
            throw ValidationError("--sends-per-minute is from 1 to 100000000")
        }
    }

    var limits: DeliveryLimits {
        DeliveryLimits(
            topicPayloadBytes: topicPayloadBytes,
            membershipChangesPerSecond: membershipRate,
            appleMessagesPerMinute: appleRate,
            sendsPerMinute: sendsPerMinute
        )
    }
}
