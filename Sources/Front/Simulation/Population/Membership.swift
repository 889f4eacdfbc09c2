import DeliveryModel

/// The part of a population that one send addresses.
struct Membership: Sendable {
    private let audience: SimulatedAudience
    private let topics: [TopicDraw]
    /// Nil for topics and conditions.
    private let list: ListPlace?
    /// The end of each arm's positions in the list.
    private let arms: [Int]

    /// The subscribers of one topic.
    private struct TopicDraw: Sendable {
        private let draw: SeededRandom
        private let share: Share
        /// The lists that are kept subscribed.
        private let members: [ListPlace]

        init(_ name: TopicName, in population: Population, draw: SeededRandom) {
            self.draw = draw.about("topic " + name.text)
            share = population.topics[name] ?? Share(0, of: 1)
            members = (population.members[name] ?? []).map {
                ListPlace($0, among: population.size, draw: draw)
            }
        }

        func holds(_ device: Int) -> Bool {
            members.contains { $0.contains(device) } || share.holds(draw.number(of: device))
        }
    }

    init(of send: SimulatedSend, in population: Population, draw: SeededRandom) {
        self.init(of: send.audience, arms: send.experiment?.arms ?? [], in: population, draw: draw)
    }

    init(
        of audience: SimulatedAudience,
        arms: [SimulatedExperiment.Arm] = [],
        in population: Population,
        draw: SeededRandom
    ) {
        self.audience = audience
        var end = 0
        self.arms = arms.map { arm in
            end += arm.count
            return end
        }
        let names: [TopicName] =
            switch audience {
            case .topic(let name): [name]
            case .condition(let condition): condition.topics
            case .devices: []
            }
        topics = names.map { TopicDraw($0, in: population, draw: draw) }
        if case .devices(let name, let count, let first) = audience {
            let devices = DeviceList(name: name, count: count, first: first)
            list = ListPlace(devices, among: population.size, draw: draw)
        } else {
            list = nil
        }
    }

    func contains(_ device: Int) -> Bool {
        switch audience {
        case .topic: return topics[0].holds(device)
        case .condition(let condition):
            var bits: UInt32 = 0
            for (bit, topic) in topics.enumerated() where topic.holds(device) { bits |= 1 << bit }
            return condition.isTrue(ofTopics: bits)
        case .devices: return list?.contains(device) ?? false
        }
    }

    /// Returns the number of the message that a device of the audience gets.
    func message(for device: Int) -> Int {
        guard arms.count > 1, let list else { return 0 }
        let position = list.position(of: device)
        return arms.firstIndex { position < $0 } ?? arms.count - 1
    }
}
