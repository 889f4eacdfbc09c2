package enum SubscriptionOutcome: Hashable, Sendable {
    case done
    /// Nobody has this registration, or no longer.
    case notFound
    case tooManyTopics
}

extension DeliveryModel {
    /// At most 2,000 topics for an app instance (Firebase documentation, Topic messaging).
    package static let topicsPerDevice = 2_000

    /// Subscribes an app instance; the first subscription brings a topic into being.
    package mutating func subscribe(
        _ registration: DeviceRegistration,
        to topic: TopicName,
        at now: DeliveryMoment
    ) -> SubscriptionOutcome {
        let outcome = outcomeOfSubscribing(registration, to: topic)
        if outcome == .done, let index = index(of: registration) { join(index, topic, at: now) }
        return outcome
    }

    /// What `subscribe` would answer.
    package func outcomeOfSubscribing(
        _ registration: DeviceRegistration,
        to topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        let topics = memories[index].device.topics
        let isFull = topics.count >= Self.topicsPerDevice && topics[topic] == nil
        return isFull ? .tooManyTopics : .done
    }

    /// Ends a subscription; ending one that does not exist succeeds.
    package mutating func unsubscribe(
        _ registration: DeviceRegistration,
        from topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        leave(index, topic)
        return .done
    }

    mutating func join(_ index: Int, _ topic: TopicName, at now: DeliveryMoment) {
        guard memories[index].device.topics[topic] == nil else { return }
        memories[index].device.topics[topic] = now
        members[topic, default: []].insert(index)
    }

    mutating func leave(_ index: Int, _ topic: TopicName) {
        memories[index].device.topics[topic] = nil
        members[topic]?.remove(index)
    }

    mutating func leaveAllTopics(_ index: Int) {
        for topic in memories[index].device.topics.keys { members[topic]?.remove(index) }
        memories[index].device.topics = [:]
    }

    /// The topics that have ever had a member since the last reset, sorted.
    package var topics: [TopicName] { members.keys.sorted { $0.text < $1.text } }

    /// The members of a topic, in the order in which their devices were first seeded.
    package func members(of topic: TopicName) -> [Device] {
        (members[topic] ?? []).sorted().map { memories[$0].device }
    }

    /// The devices a condition holds for.
    func recipients(of condition: TopicCondition) -> [Int] {
        var topicsOfDevice: [Int: UInt32] = [:]
        for (bit, topic) in condition.topics.enumerated() {
            for index in members[topic] ?? [] { topicsOfDevice[index, default: 0] |= 1 << bit }
        }
        if condition.isTrue(ofTopics: 0) {
            return memories.indices.filter { index in
                memories[index].device.isRegistered
                    && condition.isTrue(ofTopics: topicsOfDevice[index] ?? 0)
            }
        }
        return topicsOfDevice.filter { condition.isTrue(ofTopics: $0.value) }.map(\.key)
    }
}
