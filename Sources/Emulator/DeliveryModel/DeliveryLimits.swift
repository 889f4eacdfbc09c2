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
    /// Whether messages beyond the rate of an Android device, and fan-outs beyond those that may
    /// run at once, are refused.
    package var refusesRates = true

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
    package static let none: DeliveryLimits = {
        var limits = DeliveryLimits(topicPayloadBytes: messagePayloadBytes)
        limits.refusesRates = false
        return limits
    }()
    /// Firebase documentation, FCM error codes.
    package static let messagePayloadBytes = 4_096
}

extension DeliveryBackend {
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
        return (recipients(of: registration) ?? []).allSatisfy {
            memories[Int($0)].machine.hasAppleRoom(limit: limit, at: now)
        }
    }

    /// Whether one more message for a registration is within the rate of its Android device: 240
    /// a minute and 5,000 an hour (Firebase documentation, Throttling and quotas).
    ///
    /// What a group's key stands for is sent to as a fan-out is: it is held back and not refused.
    package func isWithinDeviceRate(
        _ registration: DeviceRegistration,
        at now: DeliveryMoment
    ) -> Bool {
        guard limits.refusesRates, options.throttlesDevices, let index = index(of: registration)
        else { return true }
        return memories[index].machine.rateRoom(from: now) <= now
    }

    package mutating func countMembershipChanges(_ count: Int, at now: DeliveryMoment) {
        guard let limit = limits.membershipChangesPerSecond else { return }
        membershipRate.take(count, limit: limit, interval: 1_000, at: now)
    }

    mutating func countAppleMessage(_ index: Int, at now: DeliveryMoment) {
        guard let limit = limits.appleMessagesPerMinute else { return }
        memories[index].machine.countAppleMessage(limit: limit, at: now)
    }
}

extension DeviceMachine {
    func hasAppleRoom(limit: Int, at now: DeliveryMoment) -> Bool {
        guard platform == .apple, !traffic.isUntouched else { return true }
        return traffic.value.minute.hasRoom(for: 1, limit: limit, interval: 60_000, at: now)
    }

    mutating func countAppleMessage(limit: Int, at now: DeliveryMoment) {
        guard platform == .apple else { return }
        traffic.value.minute.take(1, limit: limit, interval: 60_000, at: now)
    }
}
