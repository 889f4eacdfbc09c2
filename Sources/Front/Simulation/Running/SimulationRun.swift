import CampaignModel
package import DeliveryModel

/// Simulates sends over a population in virtual time.
///
/// The same inputs give the same result on any number of cores: each device is simulated separately
/// with its own random numbers, and the results are summed.
package struct SimulationRun: Sendable {
    let population: Population
    let sends: [SimulatedSend]
    let start: DeliveryMoment
    let end: DeliveryMoment
    let pace: SimulatedPace
    let options: DeliveryOptions
    let seed: UInt64
    let lives: DeviceTimelineGenerator
    let memberships: [Membership]

    /// Creates a simulation; `end` must be later than `start`.
    package init(
        of sends: [SimulatedSend],
        over population: Population,
        from start: DeliveryMoment,
        to end: DeliveryMoment,
        pace: SimulatedPace,
        options: DeliveryOptions,
        seed: UInt64
    ) {
        self.sends = sends
        self.population = population
        self.start = start
        self.end = end
        self.pace = pace
        self.options = options
        self.seed = seed
        let draw = SeededRandom(seed: seed)
        lives = DeviceTimelineGenerator(
            for: population,
            from: start,
            to: end,
            draw: draw
        )
        memberships = sends.map { Membership(of: $0, in: population, draw: draw) }
    }

    /// Runs the simulation; each task handles `stretch` devices (at least 1), which does not affect
    /// the result.
    package func run(stretch: Int = 4_096) -> SimulationResult {
        let stretches = stride(from: 0, to: population.size, by: stretch).map {
            $0..<min($0 + stretch, population.size)
        }
        let counts = mapInParallel(stretches, grain: 1, transform: recipients)
        var totals = [Int](repeating: 0, count: sends.count)
        var pieces: [Piece] = []
        for (stretch, count) in zip(stretches, counts) {
            pieces.append(Piece(devices: stretch, first: totals))
            for send in totals.indices { totals[send] += count[send] }
        }
        let courses = FanOutSchedule(pace).courses(of: sends, counts: totals)
        let player = DevicePlayer(for: self, courses: courses)
        let tallies = mapInParallel(pieces, grain: 1) { player.play($0) }
        var sum = player.emptyTally
        for tally in tallies { sum += tally }
        return result(of: sum, from: player, courses: courses, counts: totals)
    }

    /// A range of devices, with the number of the first recipient in the range for each send.
    struct Piece: Sendable {
        let devices: Range<Int>
        let first: [Int]
    }

    private func recipients(_ devices: Range<Int>) -> [Int] {
        memberships.map { membership in
            devices.reduce(0) { $0 + (membership.contains($1) ? 1 : 0) }
        }
    }

    private func result(
        of tally: SimulationTally,
        from player: DevicePlayer,
        courses: [FanOutSchedule.Course],
        counts: [Int]
    ) -> SimulationResult {
        let campaigns = player.campaigns
        var outcomes = campaigns.indices.map { place in
            CampaignOutcome(
                campaign: campaigns[place],
                sends: [],
                outcomes: tally.outcomes[place],
                delays: tally.delays[place],
                hours: tally.hours[place]
            )
        }
        for (arm, counts) in zip(player.arms, tally.arms) {
            outcomes[arm.campaign].arms.append(ArmOutcome(name: arm.name, outcomes: counts))
        }
        for index in sends.indices.sorted(by: { (sends[$0].due, $0) < (sends[$1].due, $1) }) {
            guard let place = campaigns.firstIndex(of: sends[index].campaign) else { continue }
            outcomes[place].heldOut += sends[index].experiment?.heldOut ?? 0
            outcomes[place].sends.append(
                SendCourse(
                    due: sends[index].due,
                    start: courses[index].start,
                    end: courses[index].end,
                    recipients: counts[index]
                )
            )
        }
        return SimulationResult(
            start: start,
            end: end,
            firstHour: player.clock.firstHour,
            seed: seed,
            population: population,
            campaigns: outcomes,
            pressure: tally.pressure,
            devices: tally.devices
        )
    }
}

/// The results of a range of devices.
struct SimulationTally: Sendable {
    var outcomes: [OutcomeCounts]
    /// By the arms of all experiments.
    var arms: [OutcomeCounts]
    var delays: [DelayHistogram]
    var hours: [[Int]]
    var pressure = DeviceLoad()
    var devices: [DevicePlatform: Int] = [:]

    init(campaigns: Int, arms: Int, hours: Int) {
        outcomes = Array(repeating: OutcomeCounts(), count: campaigns)
        self.arms = Array(repeating: OutcomeCounts(), count: arms)
        delays = Array(repeating: DelayHistogram(), count: campaigns)
        self.hours = Array(repeating: Array(repeating: 0, count: hours), count: campaigns)
    }

    static func += (left: inout SimulationTally, right: SimulationTally) {
        for place in left.outcomes.indices {
            left.outcomes[place] += right.outcomes[place]
            left.delays[place] += right.delays[place]
            for hour in left.hours[place].indices {
                left.hours[place][hour] += right.hours[place][hour]
            }
        }
        for place in left.arms.indices { left.arms[place] += right.arms[place] }
        left.pressure += right.pressure
        left.devices.merge(right.devices, uniquingKeysWith: +)
    }
}
