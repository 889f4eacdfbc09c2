import DeliveryModel
import TestSupport
import Testing

@testable import Simulation

struct SimulationTests {
    @Test(.covers("M15"))
    func `devices that are always online receive every message when it is sent`() throws {
        let tides = try topic("tides")
        let population = SimulationBench.uniform(
            1_000,
            .android,
            .always,
            topics: [tides: Share(1, of: 1)]
        )
        let result = SimulationBench.simulation(
            of: [SimulationBench.send(at: 7_200, to: .topic(tides))],
            over: population,
            pace: SimulatedPace(sendsPerMinute: 600, fanOuts: 1, fanOutRate: 100)
        ).run()
        let campaign = try #require(result.campaigns.first)
        #expect(campaign.outcomes[.delivered] == 1_000)
        #expect(campaign.outcomes.total == 1_000)
        // 100 per second: the last device is reached after 9.99 s.
        #expect(campaign.delays.longest == 9_990)
        #expect(campaign.hours[2] == 1_000)
        #expect(campaign.hours.reduce(0, +) == 1_000)
        #expect(campaign.hours.count == 168)
        #expect(result.pressure.devices[1] == 1_000)
        #expect(result.devices == [.android: 1_000])
    }

    @Test(arguments: DevicePlatform.allCases)
    func `devices that never return receive nothing`(platform: DevicePlatform) throws {
        let list = SimulatedAudience.devices(name: "all", count: 50)
        let result = SimulationBench.simulation(
            of: [SimulationBench.send(at: 60, to: list)],
            over: SimulationBench.uniform(50, platform, .never)
        ).run()
        // Silent for 45 days: Android drops messages after a month, and other platforms keep them.
        let outcome: MessageOutcome = platform == .android ? .droppedDeviceInactive : .pending
        #expect(result.outcomes[outcome] == 50)
        #expect(result.outcomes.total == 50)
        #expect(result.pressure.devices[0] == 50)
    }

    @Test func `messages that expire at night are not delivered in the morning`() throws {
        let list = SimulatedAudience.devices(name: "all", count: 50)
        let sends = [
            SimulationBench.send("short", at: 2 * 3_600, to: list, .data(ttl: "3600s")),
            SimulationBench.send("long", at: 2 * 3_600, to: list, .data(ttl: "36000s")),
        ]
        let population = SimulationBench.uniform(50, .android, .daytime)
        let result = SimulationBench.simulation(of: sends, over: population).run()
        #expect(result.campaigns[0].outcomes[.droppedTtlExpired] == 50)
        #expect(result.campaigns[1].outcomes[.delivered] == 50)
        #expect(result.campaigns[1].hours[5...8].reduce(0, +) == 50)
    }

    @Test func `hours and days are whole ones of the population's clock`() throws {
        // 08:23:20 in UTC is 02:53:20 the same day, five and a half hours behind.
        let clock = SimulationClock(
            from: second(30_200),
            to: second(30_200 + 86_400),
            offset: -19_800
        )
        #expect(clock.firstHour == second(30_200 - 53 * 60 - 20))
        #expect(clock.hours == 25)
        #expect(clock.days == 2)
        #expect(clock.hour(of: second(30_200)) == 0)
        #expect(clock.hour(of: second(30_200 + 6 * 60 + 40)) == 1)
        #expect(clock.day(of: second(86_400 + 19_799)) == 0)
        #expect(clock.day(of: second(86_400 + 19_800)) == 1)
    }

    @Test func `a removed app gets one delivery attempt and no further messages`() throws {
        let list = SimulatedAudience.devices(name: "all", count: 50)
        var population = SimulationBench.uniform(50, .android, .always)
        population.uninstalling = Share(1, of: 1)
        let end: Int64 = 7 * 86_400
        let sends = [end - 20, end - 10].map { SimulationBench.send("\($0)", at: $0, to: list) }
        let result = SimulationBench.simulation(of: sends, over: population).run()
        #expect(result.campaigns[0].outcomes[.droppedUninstalled] == 50)
        #expect(result.campaigns[1].outcomes[.droppedUnregistered] == 50)
    }

    @Test func `every message has one outcome per recipient`() throws {
        let result = try SimulationBench.week(3_000).run()
        #expect(result.campaigns.map(\.campaign) == ["tide", "sync", "call"])
        for campaign in result.campaigns {
            let recipients = campaign.sends.reduce(0) { $0 + $1.recipients }
            #expect(campaign.outcomes.total == recipients)
            #expect(campaign.hours.reduce(0, +) == campaign.outcomes[.delivered])
            #expect(campaign.delays.total == campaign.outcomes[.delivered])
            #expect(campaign.sends.count == 7)
        }
        #expect(result.campaigns[2].sends.allSatisfy { $0.recipients == 1_000 })
        #expect(result.pressure.delivered == result.outcomes[.delivered])
        #expect(result.pressure.devices.reduce(0, +) == 3_000)
        #expect(result.devices.values.reduce(0, +) == 3_000)
        let seen = MessageOutcome.allCases.filter { result.outcomes[$0] > 0 }
        #expect(seen.count >= 6, "\(seen)")
    }

    @Test func `equal seeds give equal results, and other seeds give others`() throws {
        let first = try SimulationBench.week(1_000).run()
        #expect(try SimulationBench.week(1_000).run() == first)
        #expect(try SimulationBench.week(1_000, seed: 2).run().outcomes != first.outcomes)
    }

    @Test(arguments: [1, 37, 512])
    func `the result does not depend on the distribution of devices to cores`(stretch: Int) throws {
        let pace = SimulatedPace(sendsPerMinute: 600, fanOuts: 1, fanOutRate: 50)
        let simulation = try SimulationBench.week(1_000, pace: pace)
        #expect(simulation.run(stretch: stretch) == simulation.run())
    }
}
