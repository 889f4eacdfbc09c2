package enum SubscriptionOutcome: Hashable, Sendable {
    case done
    /// The registration does not exist or is no longer valid.
    case notFound
    case tooManyTopics
}

extension DeliveryBackend {
    /// Maximum number of topics per app instance: 2,000 (Firebase documentation, Topic messaging).
    package static let topicsPerDevice = 2_000

    /// Subscribes an app instance; the first subscription creates the topic.
    package mutating func subscribe(
        _ registration: DeviceRegistration,
        to topic: TopicName,
        at now: DeliveryMoment
    ) -> SubscriptionOutcome {
        advance(to: now)
        let outcome = outcomeOfSubscribing(registration, to: topic)
        if outcome == .done, let index = index(of: registration) {
            join(index, topic: topic, at: now)
            touch(index)
        }
        return outcome
    }

    /// Returns the outcome that `subscribe` would have.
    package func outcomeOfSubscribing(
        _ registration: DeviceRegistration,
        to topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        return isFull(index, for: topic) ? .tooManyTopics : .done
    }

    /// Returns whether the app instance cannot join one more topic.
    func isFull(_ index: Int, for topic: TopicName) -> Bool {
        memories[index].memberships.count >= Self.topicsPerDevice && !isMember(index, of: topic)
    }

    func isMember(_ index: Int, of topic: TopicName) -> Bool {
        numberOfTopic[topic].map { memories[index].place(of: $0).isThere } ?? false
    }

    /// Unsubscribes an app instance; this also succeeds if there is no subscription.
    package mutating func unsubscribe(
        _ registration: DeviceRegistration,
        from topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        leave(index, topic: topic)
        touch(index)
        return .done
    }

    mutating func join(_ index: Int, topic: TopicName, at now: DeliveryMoment) {
        let number = number(of: topic)
        let place = memories[index].place(of: number)
        guard !place.isThere else { return }
        let membership = DeviceMemory.Membership(topic: number, since: now)
        memories[index].memberships.insert(membership, at: place.index)
        members[Int(number)].insert(index)
    }

    mutating func leave(_ index: Int, topic: TopicName) {
        guard let number = numberOfTopic[topic] else { return }
        let place = memories[index].place(of: number)
        guard place.isThere else { return }
        memories[index].memberships.remove(at: place.index)
        members[Int(number)].remove(index)
    }

    mutating func leaveAllTopics(_ index: Int) {
        for membership in memories[index].memberships {
            members[Int(membership.topic)].remove(index)
        }
        memories[index].memberships = []
    }

    private mutating func number(of topic: TopicName) -> Int32 {
        if let number = numberOfTopic[topic] { return number }
        let number = Int32(topicNames.count)
        topicNames.append(topic)
        members.append(DeviceSet())
        numberOfTopic[topic] = number
        return number
    }

    /// All topics that had a member since the last reset, sorted.
    package var topics: [TopicName] { topicNames.sorted { $0.text < $1.text } }

    /// Returns the members of a topic, in the order in which their devices were first seeded.
    package func members(of topic: TopicName) -> [Device] {
        guard let number = numberOfTopic[topic] else { return [] }
        return members[Int(number)].indices.map { device(at: Int($0)) }
    }

    /// Returns the devices that a message to a topic reaches.
    func recipients(of topic: TopicName, at now: DeliveryMoment) -> [Int32] {
        numberOfTopic[topic].map { found(Int($0), at: now).indices } ?? []
    }

    /// Returns the devices that match a condition, in seeding order.
    ///
    /// One word of a topic bitmap represents 64 devices, so each matching combination of topics is
    /// tested on 64 devices at a time.
    package func recipients(of condition: TopicCondition, at now: DeliveryMoment) -> [Int32] {
        let sets = condition.topics.map { topic in
            numberOfTopic[topic].map { found(Int($0), at: now) } ?? DeviceSet()
        }
        let isForOthers = condition.isTrue(ofTopics: 0)
        let chunks =
            isForOthers
            ? (memories.count + 0xFFFF) >> 16 : sets.map(\.chunkCount).max() ?? 0
        var recipients: [Int32] = []
        for chunk in 0..<chunks {
            let words = condition.words(of: sets.map { $0.words(ofChunk: chunk) })
            recipients.append(bits: words, from: Int32(chunk) << 16)
        }
        guard isForOthers else { return recipients }
        return recipients.filter { $0 < memories.count && memories[Int($0)].isRegistered }
    }

    /// Returns the members of a topic whose subscription has propagated by `now`.
    private func found(_ number: Int, at now: DeliveryMoment) -> DeviceSet {
        guard options.topicPropagation > 0 else { return members[number] }
        let limit = now.milliseconds - options.topicPropagation
        var found = members[number]
        for index in members[number].indices {
            let memory = memories[Int(index)]
            let place = memory.place(of: Int32(number))
            guard place.isThere, memory.memberships[place.index].since.milliseconds > limit
            else { continue }
            found.remove(Int(index))
        }
        return found
    }
}

extension TopicCondition {
    /// Returns a bitmap of the devices that match, given a bitmap of members for each topic.
    fileprivate func words(of members: [[UInt64]]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: DeviceSet.chunkWords)
        for combination in 0..<(UInt32(1) << UInt32(members.count))
        where isTrue(ofTopics: combination) {
            var those = [UInt64](repeating: ~0, count: DeviceSet.chunkWords)
            for (bit, words) in members.enumerated() {
                let isMember = combination >> UInt32(bit) & 1 == 1
                for place in those.indices {
                    those[place] &= isMember ? words[place] : ~words[place]
                }
            }
            for place in result.indices { result[place] |= those[place] }
        }
        return result
    }
}
