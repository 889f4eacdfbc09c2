/// What FCM refuses beyond, where that can be set.
package struct DeliveryLimits: Hashable, Sendable {
    /// UTF-8 bytes of keys and values of a message to a topic or a condition.
    ///
    /// 2,048 by default (Firebase documentation, FCM error codes); 4,096 at most, which is the
    /// limit of every message.
    package var topicPayloadBytes: Int
    /// Changes of topic membership a second; nil for any number.
    ///
    /// FCM takes 3,000 for a project (Firebase documentation, Throttling and quotas).
    package var membershipChangesPerSecond: Int?
    /// Messages a minute that APNs takes for one device; nil for any number.
    package var appleMessagesPerMinute: Int?

    /// Messages that the project may send in a minute; nil for any number.
    ///
    /// FCM takes 600,000 (Firebase documentation, Throttling and quotas).
    package var sendsPerMinute: Int?

    package init(
        topicPayloadBytes: Int = 2_048,
        membershipChangesPerSecond: Int? = nil,
        appleMessagesPerMinute: Int? = nil,
        sendsPerMinute: Int? = nil
    ) {
        self.topicPayloadBytes = topicPayloadBytes
        self.membershipChangesPerSecond = membershipChangesPerSecond
        self.appleMessagesPerMinute = appleMessagesPerMinute
        self.sendsPerMinute = sendsPerMinute
    }

    /// Only what holds for every message.
    package static let none = DeliveryLimits(topicPayloadBytes: messagePayloadBytes)
    /// Firebase documentation, FCM error codes.
    package static let messagePayloadBytes = 4_096
}

/// So many in an interval: all of them may come at once, and room comes back evenly.
struct RateWindow: Hashable, Sendable {
    /// Milliseconds of the interval that are taken, times the limit.
    private var used: Int64 = 0
    private var asOf = DeliveryMoment(milliseconds: 0)

    /// Whether `count` more stay within `limit` in `interval` milliseconds.
    ///
    /// More than the limit at once are let through when nothing is taken: otherwise they could
    /// never come.
    func hasRoom(
        for count: Int,
        limit: Int,
        interval: Int64,
        at now: DeliveryMoment
    ) -> Bool {
        let taken = used(limit: limit, at: now)
        return taken == 0 || taken + Int64(count) * interval <= Int64(limit) * interval
    }

    mutating func take(_ count: Int, limit: Int, interval: Int64, at now: DeliveryMoment) {
        used = used(limit: limit, at: now) + Int64(count) * interval
        asOf = now
    }

    private func used(limit: Int, at now: DeliveryMoment) -> Int64 {
        let passed = max(0, now.milliseconds - asOf.milliseconds)
        // A day is longer than any interval, and keeps the product small.
        return max(0, used - min(passed, 86_400_000) * Int64(limit))
    }
}

extension DeliveryModel {
    /// Whether so many changes of membership are within the limit now.
    package func allowsMembershipChanges(_ count: Int, at now: DeliveryMoment) -> Bool {
        guard let limit = limits.membershipChangesPerSecond else { return true }
        return membershipRate.hasRoom(for: count, limit: limit, interval: 1_000, at: now)
    }

    /// Whether APNs would take one more message for each device behind a registration or a
    /// group's key.
    package func isWithinAppleRate(
        _ registration: DeviceRegistration,
        at now: DeliveryMoment
    ) -> Bool {
        guard let limit = limits.appleMessagesPerMinute else { return true }
        return (recipients(of: registration) ?? []).allSatisfy { index in
            memories[index].device.platform != .apple
                || memories[index].appleRate
                    .hasRoom(for: 1, limit: limit, interval: 60_000, at: now)
        }
    }

    package mutating func countMembershipChanges(_ count: Int, at now: DeliveryMoment) {
        guard let limit = limits.membershipChangesPerSecond else { return }
        membershipRate.take(count, limit: limit, interval: 1_000, at: now)
    }

    mutating func countAppleMessage(_ index: Int, at now: DeliveryMoment) {
        guard let limit = limits.appleMessagesPerMinute,
            memories[index].device.platform == .apple
        else { return }
        memories[index].appleRate.take(1, limit: limit, interval: 60_000, at: now)
    }
}
