/// The configurable limits above which FCM refuses requests.
package struct DeliveryLimits: Hashable, Sendable {
    /// Maximum number of UTF-8 bytes in the keys and values of a message to a topic or a condition.
    ///
    /// The default is 2,048 (Firebase documentation, FCM error codes). The maximum is 4,096, which
    /// is the limit of every message.
    package var topicPayloadBytes: Int
    /// Maximum number of topic membership changes per second, or nil for no limit.
    ///
    /// FCM allows 3,000 per project (Firebase documentation, Throttling and quotas).
    package var membershipChangesPerSecond: Int?
    /// Maximum number of messages per minute that APNs accepts for one device, or nil for no limit.
    package var appleMessagesPerMinute: Int?
    /// Whether to refuse messages above the rate of an Android device and fan-outs above the number
    /// that may run at once.
    package var refusesRates = true

    /// Maximum number of messages that the project may send per minute, or nil for no limit.
    ///
    /// FCM allows 600,000 (Firebase documentation, Throttling and quotas).
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

    /// Only the limits that apply to every message.
    package static let none: DeliveryLimits = {
        var limits = DeliveryLimits(topicPayloadBytes: messagePayloadBytes)
        limits.refusesRates = false
        return limits
    }()
    /// Maximum payload of any message, in bytes (Firebase documentation, FCM error codes).
    package static let messagePayloadBytes = 4_096
}

extension DeliveryBackend {
    /// Returns whether `count` more membership changes are within the limit at `now`.
    package func allowsMembershipChanges(_ count: Int, at now: DeliveryMoment) -> Bool {
        guard let limit = limits.membershipChangesPerSecond else { return true }
        return membershipRate.hasRoom(for: count, limit: limit, interval: 1_000, at: now)
    }

    /// Returns whether APNs would accept one more message for each device of a registration or a
    /// group.
    package func isWithinAppleRate(
        _ registration: DeviceRegistration,
        at now: DeliveryMoment
    ) -> Bool {
        guard let limit = limits.appleMessagesPerMinute else { return true }
        return (recipients(of: registration) ?? []).allSatisfy {
            memories[Int($0)].machine.hasAppleRoom(limit: limit, at: now)
        }
    }

    /// Returns whether one more message to a registration is within the rate of its Android device.
    ///
    /// The rate is 240 per minute and 5,000 per hour (Firebase documentation, Throttling and
    /// quotas). A message to a group is a fan-out: the rate delays it and never refuses it.
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
        return traffic.value.rates.room(within: .apple(messagesPerMinute: limit), from: now) <= now
    }

    mutating func countAppleMessage(limit: Int, at now: DeliveryMoment) {
        guard platform == .apple else { return }
        let limit = RateLimit.apple(messagesPerMinute: limit)
        traffic.value.rates.add(at: now, now: now, keeping: limit.interval)
    }
}
