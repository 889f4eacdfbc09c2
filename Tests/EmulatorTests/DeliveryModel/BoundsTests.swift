import FCMWire
import JSON
import TestSupport
import Testing

@testable import DeliveryModel

/// Tests that memory is bounded regardless of the number of messages.
struct BoundsTests {
    @Test func `an offline Apple device keeps the newest 1,000 messages and drops the others`()
        throws
    {
        var bench = try ModelBench(online: false, platform: .apple)
        for number in 1...2_500 { try bench.send(.notification("\(number)"), at: 1) }
        var inbox = try bench.inbox(at: 2)
        #expect(inbox.pending == 1_000)
        #expect(inbox.counts.dropped == 1_500)
        bench.change(DeviceChange(isOnline: true), at: 3)
        inbox = try bench.inbox(at: 3)
        #expect(inbox.received.first?.content.title == "1501")
        #expect(inbox.received.last?.content.title == "2500")
    }

    @Test func `the collapse key of a dropped message replaces nothing`() throws {
        var bench = try ModelBench(online: false, platform: .apple)
        var keyed = PushMessage.data()
        keyed.apns = ApnsBlock()
        keyed.apns?.headers = ["apns-collapse-id": "tide"]
        try bench.send(keyed, at: 1)
        for number in 1...1_000 { try bench.send(.notification("\(number)"), at: 1) }
        let before = try bench.inbox(at: 1).counts
        #expect(before.dropped == 1)
        try bench.send(keyed, at: 1)
        let counts = try bench.inbox(at: 1).counts
        #expect(counts.collapsed == 0)
        #expect(counts.dropped == 2)
    }

    @Test func `a device keeps its newest 1,000 events with their numbers`() throws {
        var bench = try ModelBench()
        for number in 1...5_000 {
            bench.change(DeviceChange(isInForeground: number % 2 == 1), at: Int64(number))
        }
        let log = try #require(bench.model.log(of: "pixel"))
        #expect(log.events.count == 1_000)
        #expect(log.forgotten == 4_000)
        #expect(log.total == 5_000)
        #expect(log.events.first?.at == second(4_001))
        #expect(log.events.last?.at == second(5_000))
    }

    @Test func `a waiting call completes even if its event was discarded`() throws {
        var bench = try ModelBench(online: false)
        let isMade = bench.model.make(.subscribe("tides"), on: "pixel", at: second(1))
        #expect(isMade)
        for number in 1...2_500 {
            bench.change(DeviceChange(isInForeground: number % 2 == 1), at: 2)
        }
        let snapshots = bench.model.snapshot(at: second(3))
        let snapshot = try #require(snapshots.first)
        #expect(snapshot.events.first?.completion == .pending)
        bench.change(DeviceChange(isOnline: true), at: 4)
        #expect(bench.model.device(named: "pixel")?.topics.count == 1)
        var restored = DeliveryBackend()
        restored.restore([snapshot], at: second(3))
        let isKnown = restored.setCondition(
            of: "pixel",
            to: DeviceChange(isOnline: true),
            at: second(5)
        )
        #expect(isKnown)
        #expect(restored.device(named: "pixel")?.topics.count == 1)
    }

    @Test func `at most 1,000 calls of an app wait`() throws {
        var bench = try ModelBench(online: false)
        for number in 1...1_000 {
            let isMade = bench.model.make(.subscribe("t\(number)"), on: "pixel", at: second(1))
            #expect(isMade)
        }
        #expect(!bench.model.hasRoomForCall(on: "pixel"))
        let isMade = bench.model.make(.subscribe("more"), on: "pixel", at: second(1))
        #expect(!isMade)
        bench.change(DeviceChange(isOnline: true), at: 2)
        #expect(bench.model.device(named: "pixel")?.topics.count == 1_000)
        #expect(bench.model.hasRoomForCall(on: "pixel"))
    }

    @Test func `removing devices keeps the others in order with all their data`() throws {
        var bench = try ModelBench(topics: ["tides"])
        for number in 0..<100 { try bench.add("phone-\(number)", topics: ["tides"]) }
        for number in 0..<100 where number % 3 != 0 {
            let isGone = bench.model.remove("phone-\(number)")
            #expect(isGone)
        }
        let isGoneAgain = bench.model.remove("phone-1")
        #expect(!isGoneAgain)
        let left = ["pixel"] + stride(from: 0, to: 100, by: 3).map { "phone-\($0)" }
        #expect(bench.model.devices.map(\.name) == left)
        let tides = try #require(TopicName("tides"))
        #expect(bench.model.members(of: tides).map(\.name) == left)
        let outcome = try bench.send(.notification("High"), for: .topic(tides), at: 1)
        #expect(outcome == .accepted(devices: left.count))
        let inbox = try bench.inbox("phone-99", at: 1)
        #expect(inbox.received.count == 1)
        let gone = MessageTarget.registration(try registration("phone-1"))
        let refusal = try bench.send(.notification("High"), for: gone, at: 1)
        #expect(refusal == .unregistered)
        try bench.add("phone-1")
        #expect(bench.model.devices.last?.name == "phone-1")
        bench.model.reset(at: second(2))
        #expect(bench.model.devices.map(\.name) == left + ["phone-1"])
    }
}
