package enum SubscriptionOutcome: Hashable, Sendable {
    case done
    /// Nobody has this registration, or no longer.
    case notFound
    case tooManyTopics
}

extension DeliveryBackend {
    /// At most 2,000 topics for an app instance (Firebase documentation, Topic messaging).
    package static let topicsPerDevice = 2_000

    /// Subscribes an app instance; the first subscription brings a topic into being.
    package mutating func subscribe(
        _ registration: DeviceRegistration,
        to topic: TopicName,
        at now: DeliveryMoment
    ) -> SubscriptionOutcome {
        advance(to: now)
        let outcome = outcomeOfSubscribing(registration, to: topic)
        if outcome == .done, let index = index(of: registration) {
            join(index, topic, at: now)
            touch(index)
        }
        return outcome
    }

    /// What `subscribe` would answer.
    package func outcomeOfSubscribing(
        _ registration: DeviceRegistration,
        to topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        return isFull(index, for: topic) ? .tooManyTopics : .done
    }

    /// Whether an app instance can't have one more topic.
    func isFull(_ index: Int, for topic: TopicName) -> Bool {
        memories[index].memberships.count >= Self.topicsPerDevice && !isMember(index, of: topic)
    }

    func isMember(_ index: Int, of topic: TopicName) -> Bool {
        numberOfTopic[topic].map { memories[index].place(of: $0).isThere } ?? false
    }

    /// Ends a subscription; ending one that does not exist succeeds.
    package mutating func unsubscribe(
        _ registration: DeviceRegistration,
        from topic: TopicName
    ) -> SubscriptionOutcome {
        guard let index = index(of: registration) else { return .notFound }
        leave(index, topic)
        touch(index)
        return .done
    }

    mutating func join(_ index: Int, _ topic: TopicName, at now: DeliveryMoment) {
        let number = number(of: topic)
        let place = memories[index].place(of: number)
        guard !place.isThere else { return }
        let membership = DeviceMemory.Membership(topic: number, since: now)
        memories[index].memberships.insert(membership, at: place.index)
        members[Int(number)].insert(index)
    }

    mutating func leave(_ index: Int, _ topic: TopicName) {
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

    /// The topics that have ever had a member since the last reset, sorted.
    package var topics: [TopicName] { topicNames.sorted { $0.text < $1.text } }

    /// The members of a topic, in the order in which their devices were first seeded.
    package func members(of topic: TopicName) -> [Device] {
        guard let number = numberOfTopic[topic] else { return [] }
        return members[Int(number)].indices.map { device(at: Int($0)) }
    }

    /// The devices that a message to a topic finds.
    func recipients(of topic: TopicName, at now: DeliveryMoment) -> [Int32] {
        numberOfTopic[topic].map { found(Int($0), at: now).indices } ?? []
    }

    /// The devices a condition holds for, in the order of seeding.
    ///
    /// A word of the topics' bitmaps stands for 64 devices: each combination of topics for which
    /// the condition holds is looked for in all of them at once.
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

    /// The members of a topic whose subscription messages find by now.
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
    /// Where the condition holds, of bitmaps of the members of each of its topics.
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
