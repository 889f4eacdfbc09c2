package import DeliveryModel

/// What became of the messages of a plan in a population.
package struct SimulationResult: Hashable, Sendable {
    package let start: DeliveryMoment
    package let end: DeliveryMoment
    package let seed: UInt64
    package let population: Population
    /// In the order of the plan.
    package let campaigns: [CampaignOutcome]
    package let pressure: Pressure
    /// How many devices there are of each platform.
    package let devices: [DevicePlatform: Int]

    package var outcomes: OutcomeCounts {
        campaigns.reduce(into: OutcomeCounts()) { $0 += $1.outcomes }
    }
}

/// What became of one campaign's messages.
package struct CampaignOutcome: Hashable, Sendable {
    package let campaign: String
    /// In the order of time.
    package internal(set) var sends: [SendCourse]
    package internal(set) var outcomes = OutcomeCounts()
    /// From the moment that the send was due until a device had the message.
    package internal(set) var delays = DelayHistogram()
    /// Deliveries in each hour since the start.
    package internal(set) var hours: [Int]
}

/// How one send of a campaign reached its recipients.
package struct SendCourse: Hashable, Sendable {
    package let due: DeliveryMoment
    /// Later than `due` where a fan-out waited for a slot, or requests for their turn.
    package let start: DeliveryMoment
    /// The last recipient was reached.
    package let end: DeliveryMoment
    package let recipients: Int
}

/// Each message of each recipient has one outcome.
package struct OutcomeCounts: Hashable, Sendable {
    private var counts = [Int](repeating: 0, count: MessageOutcome.allCases.count)

    package init() {}

    package subscript(outcome: MessageOutcome) -> Int {
        counts[outcome.place]
    }

    mutating func count(_ outcome: MessageOutcome) { counts[outcome.place] += 1 }

    static func += (left: inout OutcomeCounts, right: OutcomeCounts) {
        for place in left.counts.indices { left.counts[place] += right.counts[place] }
    }

    package var total: Int { counts.reduce(0, +) }
}

extension MessageOutcome {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// How much a device gets.
package struct Pressure: Hashable, Sendable {
    /// Devices by the number of messages that they got; the last class has all above it.
    package internal(set) var devices: [Int]
    /// The most that one device got.
    package internal(set) var most = 0
    /// The most that one device got in one day, counted from the start.
    package internal(set) var mostInOneDay = 0
    package internal(set) var delivered = 0

    static let classes = 51

    init() {
        devices = Array(repeating: 0, count: Self.classes)
    }

    mutating func count(days: [Int]) {
        let messages = days.reduce(0, +)
        devices[min(messages, Self.classes - 1)] += 1
        most = max(most, messages)
        mostInOneDay = max(mostInOneDay, days.max() ?? 0)
        delivered += messages
    }

    static func += (left: inout Pressure, right: Pressure) {
        for place in left.devices.indices { left.devices[place] += right.devices[place] }
        left.most = max(left.most, right.most)
        left.mostInOneDay = max(left.mostInOneDay, right.mostInOneDay)
        left.delivered += right.delivered
    }
}
