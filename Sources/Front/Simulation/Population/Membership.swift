import DeliveryModel

/// The part of a population that one send addresses.
struct Membership: Sendable {
    private let audience: SimulatedAudience
    private let topics: [TopicDraw]
    private let offset: Int
    private let step: Int
    private let size: Int
    /// The end of each arm's positions in the list.
    private let arms: [Int]

    /// The subscribers of one topic.
    private struct TopicDraw: Sendable {
        let draw: SeededRandom
        let share: Share
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
        size = population.size
        let names: [TopicName] =
            switch audience {
            case .topic(let name): [name]
            case .condition(let condition): condition.topics
            case .devices: []
            }
        topics = names.map { name in
            TopicDraw(
                draw: draw.about("topic " + name.text),
                share: population.topics[name] ?? Share(0, of: 1)
            )
        }
        guard case .devices(let name, _, _) = audience else {
            (offset, step) = (0, 1)
            return
        }
        let own = draw.about("list " + name)
        offset = own.number(of: 0, below: size)
        step = Self.step(near: own.number(of: 1, below: size), coprimeTo: size)
    }

    func contains(_ device: Int) -> Bool {
        switch audience {
        case .topic: return topics[0].share.holds(topics[0].draw.number(of: device))
        case .condition(let condition):
            var bits: UInt32 = 0
            for (bit, topic) in topics.enumerated()
            where topic.share.holds(topic.draw.number(of: device)) {
                bits |= 1 << bit
            }
            return condition.isTrue(ofTopics: bits)
        case .devices(_, let count, let first):
            // A walk with a step that is coprime to the size visits every device once, so exactly
            // `count` devices have a position in a range of this length.
            let position = position(of: device)
            return position >= first && position < first + count
        }
    }

    private func position(of device: Int) -> Int { (device * step + offset) % size }

    /// Returns the number of the message that a device of the audience gets.
    func message(for device: Int) -> Int {
        guard arms.count > 1, case .devices(_, _, let first) = audience else { return 0 }
        let position = position(of: device) - first
        return arms.firstIndex { position < $0 } ?? arms.count - 1
    }

    private static func step(near first: Int, coprimeTo size: Int) -> Int {
        var step = max(1, first)
        while greatestCommonDivisor(step, size) > 1 { step += 1 }
        return step
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right > 0 { (left, right) = (right, left % right) }
        return left
    }
}
