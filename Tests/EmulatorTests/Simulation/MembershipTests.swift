import DeliveryModel
import Testing

@testable import Simulation

struct MembershipTests {
    private func membership(
        _ audience: SimulatedAudience,
        _ size: Int,
        _ topics: [TopicName: Share] = [:],
        seed: UInt64 = 1
    ) -> Membership {
        Membership(
            of: audience,
            in: Population(size: size, topics: topics),
            draw: SeededRandom(seed: seed)
        )
    }

    private func members(_ membership: Membership, _ size: Int) -> [Int] {
        (0..<size).filter { membership.contains($0) }
    }

    @Test(arguments: [1, 2, 7, 1_000, 4_096, 10_007])
    func `a list has exactly its number of devices`(size: Int) {
        for count in Set([0, 1, size / 2, size - 1, size]) {
            for seed in UInt64(1)...5 {
                let list = SimulatedAudience.devices(name: "anglers", count: count)
                #expect(members(membership(list, size, seed: seed), size).count == count)
            }
        }
    }

    @Test func `equal list names give the same devices, and other names give others`() {
        let lists = ["anglers", "anglers", "skippers"].map { name in
            members(membership(.devices(name: name, count: 100), 1_000), 1_000)
        }
        #expect(lists[0] == lists[1])
        #expect(lists[0] != lists[2])
    }

    @Test(arguments: [0, 3_000, 9_999, 10_000])
    func `a topic has its share of devices within one percent`(basisPoints: Int) throws {
        let size = 200_000
        let tides = try topic("tides")
        let share = Share(basisPoints: basisPoints)
        let count = members(membership(.topic(tides), size, [tides: share]), size).count
        let wanted = size / 10_000 * basisPoints
        #expect(abs(count - wanted) <= wanted / 100)
    }

    @Test func `devices of a kept list are in its topic, and the others have the topic's share`()
        throws
    {
        let (tides, size) = (try topic("tides"), 100_000)
        var population = Population(size: size, topics: [tides: Share(1, of: 10)])
        population.members[tides] = [DeviceList(name: "beta", count: 20_000)]
        let draw = SeededRandom(seed: 1)
        let topic = Membership(of: .topic(tides), in: population, draw: draw)
        let list = Membership(of: .devices(name: "beta", count: 20_000), in: population, draw: draw)
        let both = members(topic, size).filter { list.contains($0) }
        #expect(both.count == 20_000)
        #expect(abs(members(topic, size).count - 28_000) < 400)
    }

    @Test func `devices that stand for several keep the proportions`() {
        let population = Population(size: 1_000, standingFor: 40_000)
        #expect(population.devices(for: 40_000) == 1_000)
        #expect(population.devices(for: 9_000) == 225)
        #expect(population.devices(for: 1) == 1)
        #expect(population.devices(for: 0) == 0)
        #expect(population.devices(for: 90_000) == 1_000)
        #expect(Population(size: 1_000, standingFor: 30).devices(for: 30) == 30)
    }

    @Test func `a condition includes the devices whose topics make it true`() throws {
        let topics = [
            try topic("a"): Share(1, of: 2), try topic("b"): Share(1, of: 3),
            try topic("c"): Share(1, of: 4),
        ]
        let condition = try TopicCondition("'a' in topics && !('b' in topics) || 'c' in topics")
        let all = membership(.condition(condition), 2_000, topics)
        let each = try ["a", "b", "c"].map { membership(.topic(try topic($0)), 2_000, topics) }
        var counts = [true: 0, false: 0]
        for device in 0..<2_000 {
            let (a, b, c) = (
                each[0].contains(device), each[1].contains(device), each[2].contains(device)
            )
            let isMember = (a && !b) || c
            #expect(all.contains(device) == isMember)
            counts[isMember, default: 0] += 1
        }
        // (1/2 · 2/3 · 3/4) + 1/4 = 1/2.
        #expect(counts.values.allSatisfy { (900...1_100).contains($0) })
    }
}
