import DeliveryModel
import Testing

@testable import Simulation

/// Compares the simulation of a week with the emulator's delivery model.
struct ModelAgreementTests {
    @Test(arguments: UInt64(1)...3)
    func `the simulation and the delivery model give the same outcomes`(seed: UInt64) throws {
        let simulation = try SimulationBench.week(400, seed: seed)
        let expected = try modelCounts(simulation)
        for (campaign, counts) in zip(simulation.run().campaigns, expected) {
            for outcome in MessageOutcome.allCases {
                let count = counts[outcome] ?? 0
                #expect(
                    campaign.outcomes[outcome] == count,
                    "\(campaign.campaign): \(outcome)"
                )
            }
        }
    }

    private enum DeviceActivity {
        case change(Int, DeviceChange)
        case send(Int)
    }

    /// Returns the outcomes of each campaign, in campaign order.
    private func modelCounts(_ simulation: SimulationRun) throws -> [[MessageOutcome: Int]] {
        var model = DeliveryBackend()
        let lives = (0..<simulation.population.size).map {
            simulation.lives.life(of: $0, isNeeded: true)
        }
        let topics = simulation.sends.flatMap { send -> [TopicName] in
            if case .topic(let name) = send.audience { [name] } else { [] }
        }
        let azores = try topic("azores")
        let all = Set(topics + [azores])
        let draw = SeededRandom(seed: simulation.seed)
        let subscriptions = all.map { name in
            (name, Membership(of: .topic(name), in: simulation.population, draw: draw))
        }
        for (device, life) in lives.enumerated() {
            var specification = DeviceSpecification(
                name: "d\(device)",
                platform: life.platform,
                registration: try registration("d\(device)"),
                isOnline: life.isOnlineAtStart,
                topics: subscriptions.filter { $0.1.contains(device) }.map(\.0)
            )
            specification.isDozing = life.isDozingAtStart
            if life.habit == .never { specification.lastSeen = second(-45 * 86_400) }
            try model.seed([specification], at: second(0))
        }
        var counts = [[MessageOutcome: Int]](repeating: [:], count: simulation.sends.count)
        for (moment, happening) in happenings(simulation, lives) {
            switch happening {
            case .change(let device, let change):
                _ = model.setCondition(of: "d\(device)", to: change, at: moment)
            case .send(let number):
                try accept(number, simulation, at: moment, &model)
            }
        }
        settle(&model, simulation, &counts)
        return byCampaign(counts, simulation)
    }

    /// Returns all events in order; at equal times, device events are first.
    private func happenings(
        _ simulation: SimulationRun,
        _ lives: [DeviceTimeline]
    ) -> [(DeliveryMoment, DeviceActivity)] {
        var all: [(DeliveryMoment, DeviceActivity)] = []
        for (device, life) in lives.enumerated() {
            all += life.events.map { ($0.at, DeviceActivity.change(device, $0.change)) }
        }
        all.sort { $0.0 < $1.0 }
        for (number, send) in simulation.sends.enumerated() {
            let place = all.firstIndex { $0.0 > send.due } ?? all.count
            all.insert((send.due, .send(number)), at: place)
        }
        return all
    }

    private func accept(
        _ number: Int,
        _ simulation: SimulationRun,
        at moment: DeliveryMoment,
        _ model: inout DeliveryBackend
    ) throws {
        let send = simulation.sends[number]
        var targets: [MessageTarget] = []
        switch send.audience {
        case .topic(let name): targets = [.topic(name)]
        case .condition(let condition): targets = [.condition(condition)]
        case .devices:
            for device in 0..<simulation.population.size
            where simulation.memberships[number].contains(device) {
                targets.append(.registration(try registration("d\(device)")))
            }
        }
        for target in targets {
            _ = model.accept(send.message, id: MessageID("\(number)"), for: target, at: moment)
        }
    }

    /// Counts the outcomes; messages that the model does not contain had no valid registration.
    private func settle(
        _ model: inout DeliveryBackend,
        _ simulation: SimulationRun,
        _ counts: inout [[MessageOutcome: Int]]
    ) {
        for inbox in model.inboxes(at: simulation.end) {
            for message in inbox.received { add(message.id, .delivered, &counts) }
            for message in inbox.waiting { add(message.id, .pending, &counts) }
            for message in inbox.dropped { add(message.id, message.outcome, &counts) }
        }
        for number in counts.indices {
            let recipients = (0..<simulation.population.size).count {
                simulation.memberships[number].contains($0)
            }
            let missing = recipients - counts[number].values.reduce(0, +)
            counts[number][.droppedUnregistered, default: 0] += missing
        }
    }

    private func add(
        _ id: MessageID,
        _ outcome: MessageOutcome,
        _ counts: inout [[MessageOutcome: Int]]
    ) {
        guard let number = Int(id.text) else { return }
        counts[number][outcome, default: 0] += 1
    }

    private func byCampaign(
        _ counts: [[MessageOutcome: Int]],
        _ simulation: SimulationRun
    ) -> [[MessageOutcome: Int]] {
        ["tide", "sync", "call"].map { name in
            var sum: [MessageOutcome: Int] = [:]
            for (number, send) in simulation.sends.enumerated() where send.campaign == name {
                sum.merge(counts[number], uniquingKeysWith: +)
            }
            return sum
        }
    }
}
