import CampaignModel
import Planning
import RateControl
import State
import TestSupport
import Testing

struct FanOutSlotsTests {
    private func pace(_ fanOuts: Int, rate: Int = 10_000) -> Pace {
        Pace(
            sendsPerMinute: 600_000,
            subscriptionsPerSecond: 3_000,
            fanOuts: fanOuts,
            fanOutRate: rate
        )
    }

    @Test(.covers("C75", "C77", "C79"))
    func `one fan-out holds the only permit for the duration of its reach`() {
        var slots = FanOutPermits(pace(1))
        #expect(slots.next(now: .zero) == nil)
        slots.hold(reach: 45_000, now: .seconds(1))
        #expect(slots.next(now: .seconds(2)) == .milliseconds(5_500))
        #expect(slots.next(now: .milliseconds(5_500)) == nil)
    }

    @Test func `the next permit is the one that becomes free first`() {
        var slots = FanOutPermits(pace(2, rate: 1_000))
        slots.hold(reach: 9_000, now: .zero)
        #expect(slots.next(now: .zero) == nil)
        slots.hold(reach: 4_000, now: .zero)
        #expect(slots.next(now: .zero) == .seconds(4))
        #expect(slots.next(now: .seconds(4)) == nil)
        slots.hold(reach: 20_000, now: .seconds(4))
        #expect(slots.next(now: .seconds(5)) == .seconds(9))
    }

    @Test func `an unknown reach holds no permit, and permits can be switched off`() {
        var slots = FanOutPermits(pace(1))
        slots.hold(reach: nil, now: .zero)
        #expect(slots.next(now: .zero) == nil)
        var open = pace(1)
        open.holdsFanOuts = false
        var lifted = FanOutPermits(open)
        lifted.hold(reach: 1_000_000, now: .zero)
        #expect(lifted.next(now: .zero) == nil)
        #expect(lifted.end == .seconds(100))
    }
}

/// Tests the predicted duration of a plan.
struct ForecastTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(
        _ reaches: [String: Int?],
        lists: [String: RegistrationList] = [:]
    ) async throws
        -> Plan
    {
        var topics: [Topic: TopicDescription] = [:]
        var campaigns: [Campaign] = []
        for (name, reach) in reaches.sorted(by: { $0.key < $1.key }) {
            let topic = try scene.topic(name)
            topics[topic] = TopicDescription(about: nil, reach: reach)
            campaigns.append(try scene.campaign("to-" + name, to: .topic(topic)))
        }
        for (name, list) in lists {
            campaigns.append(try scene.campaign(name, to: .registrations(list)))
        }
        return try await scene.plan(campaigns, topics: topics)
    }

    @Test func `a fan-out waits for earlier ones`() async throws {
        let plan = try await plan(["a": 2_000_000, "b": 30_000, "c": 5])
        #expect(plan.reach(of: plan.sends[0]) == 2_000_000)
        let forecast = Forecast(plan.actions)
        #expect(forecast.waits[try scene.id("to-b")] == .seconds(200))
        #expect(forecast.waits[try scene.id("to-c")] == .seconds(3))
        // Each of the three answers takes 100 ms.
        #expect(forecast.length > .milliseconds(203_300))
        #expect(forecast.length < .milliseconds(203_301))
        #expect(
            try plan.notices == [
                .waitsForFanOut(scene.id("to-b"), seconds: 200),
                .waitsForFanOut(scene.id("to-c"), seconds: 3),
            ]
        )
    }

    @Test func `no send waits for a fan-out of unknown reach, which is reported`()
        async throws
    {
        let plan = try await plan(["a": nil, "b": 30_000, "c": nil])
        #expect(
            try plan.notices == [
                .waitsForFanOut(scene.id("to-c"), seconds: 3),
                .fanOutOfUnknownReach(scene.id("to-a")),
            ]
        )
    }

    @Test func `single sends take as long as the pace requires`() async throws {
        let list = try scene.file(0..<1_000)
        let plan = try await plan([:], lists: ["all": list])
        // 250 immediately, then 750 at 1,000 per second, rising by 148 per second: 0.71 s. The last
        // answer takes 100 ms.
        let length = Forecast(plan.actions).length
        #expect(length > .milliseconds(800) && length < .milliseconds(820))
    }

    @Test func `a device group has at most twenty members`() async throws {
        let group = try #require(DeviceGroupName("family"))
        let plan = try await scene.plan([try scene.campaign("home", to: .group(group))])
        #expect(plan.sends.map { plan.reach(of: $0) } == [20])
    }
}
