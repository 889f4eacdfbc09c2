import DeliveryModel
import Testing

@testable import Simulation

struct LifeMakerTests {
    private let minute: Int64 = 60

    /// Generates events for two days from midnight, or from a later hour.
    private func lives(
        _ population: Population,
        startHour: Int64 = 0,
        offsetHours: Int = 0
    ) -> [DeviceTimeline] {
        var population = population
        if offsetHours != 0 {
            population.zones = [
                Population.Zone(name: "x", offset: offsetHours * 3_600, share: Share(1, of: 1))
            ]
        }
        let maker = DeviceTimelineGenerator(
            for: population,
            from: second(startHour * 3_600),
            to: second((startHour + 48) * 3_600),
            draw: SeededRandom(seed: 1)
        )
        return (0..<population.size).map { maker.life(of: $0, isNeeded: true) }
    }

    private func minutes(_ event: DeviceTimeline.Event) -> Int64 { event.at.milliseconds / 60_000 }

    @Test func `devices that are always or never online have no events`() {
        for life in lives(SimulationBench.uniform(20, .android, .always)) {
            #expect(life.isOnlineAtStart && !life.isDozingAtStart && life.events.isEmpty)
        }
        for life in lives(SimulationBench.uniform(20, .apple, .never)) {
            #expect(!life.isOnlineAtStart && life.events.isEmpty)
            #expect(life.platform == .apple && life.habit == .never)
        }
    }

    @Test func `daytime devices are online from about 7 to about 23 every day`() {
        // Between 0:00 and 0:30, some devices are still online from the previous evening.
        for life in lives(SimulationBench.uniform(200, .web, .daytime), startHour: 1) {
            #expect(!life.isOnlineAtStart)
            #expect(life.events.map(\.change.isOnline) == [true, false, true, false])
            for (number, event) in life.events.enumerated() {
                let hour: Int64 = number.isMultiple(of: 2) ? 7 : 23
                let usual = Int64(number / 2) * 1_440 + hour * minute
                #expect(abs(minutes(event) - usual) <= 90)
            }
        }
        let atNoon = lives(SimulationBench.uniform(50, .web, .daytime), startHour: 12)
        #expect(atNoon.allSatisfy { $0.isOnlineAtStart })
    }

    @Test func `days follow the population's clocks`() {
        let lives = lives(SimulationBench.uniform(200, .web, .daytime), offsetHours: 5)
        // Midnight in UTC is 5:00 for the population.
        for life in lives {
            #expect(!life.isOnlineAtStart)
            #expect(life.events.first.map { abs(minutes($0) - 2 * minute) <= 90 } == true)
        }
    }

    @Test func `each device follows the clock of its own time zone`() {
        var population = SimulationBench.uniform(4_000, .web, .daytime)
        population.zones = [(0, 3), (5, 1)].map { hours, quarters in
            Population.Zone(name: "+\(hours)", offset: hours * 3_600, share: Share(quarters, of: 4))
        }
        // Those five hours ahead wake at about 2:00 and the others at about 7:00.
        let wakes = lives(population).compactMap { life in
            life.events.first { $0.change.isOnline == true }
        }.map(minutes)
        let early = wakes.count { abs($0 - 2 * minute) <= 90 }
        #expect(wakes.count == 4_000)
        #expect(early + wakes.count { abs($0 - 7 * minute) <= 90 } == 4_000)
        #expect(abs(early - 1_000) < 100)
    }

    @Test func `occasional devices are online for one hour per day, at varying times`() {
        let lives = lives(SimulationBench.uniform(200, .android, .nowAndThen))
        let whole = lives.filter { !$0.isOnlineAtStart }
        #expect(whole.count > 190)
        for life in whole {
            #expect(life.events.map(\.change.isOnline) == [true, false, true, false])
            for number in [0, 2] where life.events.count == 4 {
                #expect(minutes(life.events[number + 1]) - minutes(life.events[number]) == 60)
                #expect(minutes(life.events[number]) / 1_440 == Int64(number / 2))
            }
        }
        #expect(Set(whole.compactMap { $0.events.first.map(minutes) }).count > 100)
    }

    @Test func `only Android devices enter Doze, from about half past midnight to about six`() {
        var population = SimulationBench.uniform(200, .android, .always)
        population.dozing = Share(1, of: 1)
        for life in lives(population, startHour: 12) {
            #expect(!life.isDozingAtStart)
            #expect(life.events.map(\.change.isDozing) == [true, false, true, false])
            for (number, event) in life.events.enumerated() {
                let usual: Int64 = number.isMultiple(of: 2) ? 30 : 6 * minute
                #expect(abs(minutes(event) - Int64(1 + number / 2) * 1_440 - usual) <= 30)
            }
        }
        #expect(lives(population, startHour: 3).allSatisfy { $0.isDozingAtStart })
        population.platforms = [.apple: Share(1, of: 1)]
        #expect(lives(population, startHour: 3).allSatisfy { !$0.isDozingAtStart })
    }

    @Test func `an app is removed once, at any time of the simulated period`() {
        var population = SimulationBench.uniform(400, .android, .always)
        population.uninstalling = Share(1, of: 1)
        var inFirstDay = 0
        for life in lives(population) {
            #expect(life.events.map(\.change.isInstalled) == [false])
            for event in life.events {
                #expect((0..<2_880).contains(minutes(event)))
                inFirstDay += minutes(event) < 1_440 ? 1 : 0
            }
        }
        #expect((150...250).contains(inFirstDay))
    }

    @Test func `platforms and connectivity profiles follow their shares`() {
        let lives = lives(Population(size: 20_000))
        let apple = lives.count { $0.platform == .apple }
        let never = lives.count { $0.habit == .never }
        #expect((4_800...5_200).contains(apple))
        #expect((530...670).contains(never))
    }
}
