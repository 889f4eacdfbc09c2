package import DeliveryModel

/// The simulated outcomes of a plan's messages in a population.
package struct SimulationResult: Hashable, Sendable {
    package let start: DeliveryMoment
    package let end: DeliveryMoment
    /// The whole hour in which the simulation starts; the first of `CampaignOutcome.hours`.
    package let firstHour: DeliveryMoment
    package let seed: UInt64
    package let population: Population
    /// In plan order.
    package let campaigns: [CampaignOutcome]
    package let pressure: DeviceLoad
    /// Number of devices per platform.
    package let devices: [DevicePlatform: Int]

    package var outcomes: OutcomeCounts {
        campaigns.reduce(into: OutcomeCounts()) { $0 += $1.outcomes }
    }
}

/// The outcomes of one campaign's messages.
package struct CampaignOutcome: Hashable, Sendable {
    package let campaign: String
    /// In order of time.
    package internal(set) var sends: [SendCourse]
    package internal(set) var outcomes = OutcomeCounts()
    /// The parts of `outcomes` that belong to the variants of an experiment.
    package internal(set) var arms: [ArmOutcome] = []
    /// Number of messages that an experiment does not send, in all sends together.
    package internal(set) var heldOut = 0
    /// Delays from the due time of the send to the delivery to a device.
    package internal(set) var delays = DelayHistogram()
    /// Number of deliveries in each whole hour from `firstHour` on.
    package internal(set) var hours: [Int]
}

/// The outcomes of the messages of one variant.
package struct ArmOutcome: Hashable, Sendable {
    package let name: String
    package let outcomes: OutcomeCounts
}

/// The progress of one send.
package struct SendCourse: Hashable, Sendable {
    package let due: DeliveryMoment
    /// Later than `due` if a fan-out waited for a permit, or requests waited for earlier lists.
    package let start: DeliveryMoment
    /// The time when the last recipient was reached.
    package let end: DeliveryMoment
    package let recipients: Int
}

/// Number of messages by outcome; each message has one outcome per recipient.
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

/// The number of messages that devices receive.
package struct DeviceLoad: Hashable, Sendable {
    /// Number of devices by received messages; the last class includes all higher numbers.
    package internal(set) var devices: [Int]
    /// Maximum number of messages on one device.
    package internal(set) var most = 0
    /// Maximum number of messages on one device in one day, by the clock of most devices.
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

    static func += (left: inout DeviceLoad, right: DeviceLoad) {
        for place in left.devices.indices { left.devices[place] += right.devices[place] }
        left.most = max(left.most, right.most)
        left.mostInOneDay = max(left.mostInOneDay, right.mostInOneDay)
        left.delivered += right.delivered
    }
}
