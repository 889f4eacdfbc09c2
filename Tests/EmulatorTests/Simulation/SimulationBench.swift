import DeliveryModel

@testable import Simulation

/// Helpers for simulation tests; times are in seconds.
enum SimulationBench {
    /// A pace that reaches all recipients within the millisecond of the start.
    static let instant = SimulatedPace(
        sendsPerMinute: 60_000_000_000,
        fanOuts: 1_000,
        fanOutRate: 1_000_000_000
    )

    static func send(
        _ campaign: String = "tide",
        at seconds: Int64,
        to audience: SimulatedAudience,
        _ message: PushMessage = .notification("Spring tide")
    ) -> SimulatedSend {
        SimulatedSend(
            campaign: campaign,
            due: second(seconds),
            message: EffectiveMessage(message),
            audience: audience
        )
    }

    /// Returns a population with one platform and one connectivity, without Doze and removals.
    static func uniform(
        _ size: Int,
        _ platform: DevicePlatform,
        _ habit: Population.ConnectivityProfile,
        topics: [TopicName: Share] = [:]
    ) -> Population {
        Population(
            size: size,
            platforms: [platform: Share(1, of: 1)],
            habits: [habit: Share(1, of: 1)],
            dozing: Share(0, of: 1),
            uninstalling: Share(0, of: 1),
            topics: topics
        )
    }

    static func simulation(
        of sends: [SimulatedSend],
        over population: Population,
        days: Int64 = 7,
        pace: SimulatedPace = instant,
        seed: UInt64 = 1
    ) -> SimulationRun {
        SimulationRun(
            of: sends,
            over: population,
            from: second(0),
            to: second(days * 86_400),
            pace: pace,
            options: DeliveryOptions(),
            seed: seed
        )
    }

    /// Returns a simulation of three campaigns over one week, with a default population.
    static func week(
        _ size: Int,
        seed: UInt64 = 1,
        pace: SimulatedPace = instant
    ) throws
        -> SimulationRun
    {
        let population = Population(
            size: size,
            uninstalling: Share(1, of: 20),
            topics: [try topic("tides"): Share(4, of: 5), try topic("azores"): Share(1, of: 4)]
        )
        let condition = try TopicCondition("'tides' in topics && !('azores' in topics)")
        let list = SimulatedAudience.devices(name: "anglers", count: size / 3)
        var sends: [SimulatedSend] = []
        for day in 0..<Int64(7) {
            let morning = day * 86_400 + 25_000
            sends += [
                send("tide", at: morning, to: .topic(try topic("tides"))),
                send("sync", at: morning + 40_000, to: .condition(condition), .data(ttl: "3600s")),
                send("call", at: morning + 60_000, to: list, .data(collapse: "call")),
            ]
        }
        return simulation(of: sends, over: population, pace: pace, seed: seed)
    }
}
