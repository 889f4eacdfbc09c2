import DeliveryModel
import FCMWire
import JSON
import TestSupport
import Testing

/// Tests of messages to many devices.
struct FanOutTests {
    /// Creates devices in a topic, and a fan-out rate in devices per second.
    private func bench(_ count: Int, rate: Int, atOnce: Int = 1_000) throws -> ModelBench {
        var bench = try ModelBench()
        for number in 1...count { try bench.add("d\(number)", topics: ["tides"]) }
        var options = DeliveryOptions()
        options.fanOutRate = rate
        options.fanOutsAtOnce = atOnce
        bench.model.set(options, at: second(0))
        return bench
    }

    private func reached(_ bench: inout ModelBench, at seconds: Int64) -> Int {
        bench.model.inboxes(at: second(seconds)).reduce(0) { $0 + $1.received.count }
    }

    @Test(.covers("C77")) func `a fan-out reaches its rate of devices each second`() throws {
        var bench = try bench(25, rate: 10)
        let outcome = try bench.send(.data(), for: .topic(topic("tides")), at: 1)
        #expect(outcome == .accepted(devices: 25))
        #expect(reached(&bench, at: 1) == 10)
        #expect(bench.model.fanOutCounts.running == 1)
        #expect(reached(&bench, at: 2) == 20)
        #expect(reached(&bench, at: 3) == 25)
        #expect(bench.model.fanOutCounts.running == 0)
    }

    @Test(.covers("C78")) func `two fan-outs get half of the rate each`() throws {
        var bench = try bench(30, rate: 10)
        let tides = MessageTarget.topic(try topic("tides"))
        try bench.send(.data(), for: tides, at: 1)
        try bench.send(.data(), for: tides, at: 1)
        #expect(reached(&bench, at: 1) == 15)
        #expect(reached(&bench, at: 2) == 25)
        #expect(reached(&bench, at: 3) == 35)
    }

    @Test(.covers("C76", "F4-fan-outs"))
    func `1,000 fan-outs run at once, and the next one is refused`() throws {
        var bench = try bench(2, rate: 1)
        let tides = MessageTarget.topic(try topic("tides"))
        for _ in 1...999 { try bench.send(.data(ttl: "0s"), for: tides, at: 1) }
        #expect(bench.model.takesFanOut)
        try bench.send(.data(), for: tides, at: 1)
        #expect(bench.model.fanOutCounts.running == 1_000)
        #expect(!bench.model.takesFanOut)
        bench.model.advance(to: second(2))
        #expect(bench.model.takesFanOut)
        #expect(bench.model.fanOutCounts.running == 0)
    }

    @Test(.covers("C76"))
    func `1,000 fan-outs run at once, and the next one is deferred if that is allowed`() throws {
        var bench = try bench(2, rate: 1)
        var options = bench.model.options
        options.excess = .defer
        bench.model.set(options, at: second(0))
        let tides = MessageTarget.topic(try topic("tides"))
        for _ in 1...1_000 { try bench.send(.data(ttl: "0s"), for: tides, at: 1) }
        #expect(bench.model.fanOutCounts.running == 1_000)
        #expect(bench.model.fanOutCounts.deferred == 0)
        try bench.send(.data(ttl: "0s"), for: tides, at: 1)
        #expect(bench.model.fanOutCounts.running == 1_000)
        #expect(bench.model.fanOutCounts.deferred == 1)
    }

    @Test(.covers("C76")) func `a deferred fan-out starts when another one has ended`() throws {
        var bench = try bench(2, rate: 1)
        var options = bench.model.options
        options.fanOutsAtOnce = 1
        options.excess = .defer
        bench.model.set(options, at: second(0))
        let tides = MessageTarget.topic(try topic("tides"))
        for _ in 1...2 { try bench.send(.data(), for: tides, at: 1) }
        #expect(bench.model.takesFanOut)
        #expect(bench.model.fanOutCounts.deferred == 1)
        #expect(reached(&bench, at: 1) == 1)
        #expect(reached(&bench, at: 2) == 3)
        #expect(bench.model.fanOutCounts.deferred == 0)
        #expect(reached(&bench, at: 3) == 4)
    }

    @Test(.covers("C75")) func `a message to a device group is a fan-out`() throws {
        var bench = try bench(3, rate: 2)
        let key = try registration("APA91bgroup")
        let members = try (1...3).map { try registration("d\($0)") }
        let id = DeviceGroupID(project: "p", name: "g")
        bench.model.apply(.create(DeviceGroup(id: id, key: key, members: members)))
        #expect(bench.model.isGroup(key))
        try bench.send(.data(), for: .registration(key), at: 1)
        #expect(reached(&bench, at: 1) == 2)
        #expect(reached(&bench, at: 2) == 3)
    }

    @Test(.covers("C79"))
    func `two sequential fan-outs take as long as two concurrent ones`() throws {
        let tides = MessageTarget.topic(try topic("tides"))
        var both = try bench(20, rate: 10)
        for _ in 1...2 { try both.send(.data(), for: tides, at: 1) }
        var each = try bench(20, rate: 10)
        try each.send(.data(), for: tides, at: 1)
        #expect(try each.received("d20", at: 2) == ["1"])
        #expect(try both.received("d20", at: 2).isEmpty)
        try each.send(.data(), for: tides, at: 3)
        #expect(try each.received("d20", at: 4) == ["1", "2"])
        #expect(try both.received("d20", at: 4) == ["1", "2"])
    }

    @Test
    func `unsubscribed devices still receive an accepted message, and removed devices do not`()
        throws
    {
        var bench = try bench(4, rate: 1)
        try bench.send(.data(), for: .topic(topic("tides")), at: 1)
        _ = bench.model.unsubscribe(try registration("d2"), from: try topic("tides"))
        _ = bench.model.remove("d3")
        #expect(reached(&bench, at: 9) == 3)
        #expect(try bench.received("d2", at: 9) == ["1"])
    }

    @Test func `a fan-out skips a removed device and reaches the next one in time`() throws {
        var bench = try bench(4, rate: 1)
        try bench.send(.data(), for: .topic(topic("tides")), at: 1)
        for name in ["d2", "d3"] { _ = bench.model.remove(name) }
        #expect(try bench.received("d4", at: 2) == ["1"])
    }

    @Test func `a snapshot contains the rest of a fan-out`() throws {
        var bench = try bench(5, rate: 2)
        try bench.send(.notification("High water"), for: .topic(topic("tides")), at: 1)
        let snapshot = bench.model.snapshot(at: second(1))
        let fanOuts = bench.model.fanOutSnapshot()
        #expect(fanOuts.map(\.recipients) == [["d3", "d4", "d5"]])
        var other = DeliveryBackend()
        var options = DeliveryOptions()
        options.fanOutRate = 2
        other.set(options, at: second(1))
        other.restore(snapshot, fanOuts: fanOuts, at: second(1))
        let inboxes = other.inboxes(at: second(3))
        #expect(inboxes.reduce(0) { $0 + $1.received.count } == 5)
        #expect(inboxes.last?.received.map(\.receivedAt) == [second(3)])
    }
}
