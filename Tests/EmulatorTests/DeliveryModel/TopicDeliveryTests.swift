import DeliveryModel
import TestSupport
import Testing

struct TopicDeliveryTests {
    @Test func `a topic without subscribers accepts a message`() throws {
        var bench = try ModelBench()
        #expect(
            try bench.send(.data(), for: .topic(topic("empty")), at: 1) == .accepted(devices: 0)
        )
    }

    @Test(.covers("A01")) func `reaches the subscribers and no other devices`() throws {
        var bench = try ModelBench(topics: ["tides"])
        try bench.add("tablet", topics: ["azores"])
        _ = bench.model.subscribe(try registration("tablet"), to: try topic("tides"), at: second(1))
        _ = bench.model.unsubscribe(try registration("pixel"), from: try topic("tides"))
        #expect(
            try bench.send(.data(), for: .topic(topic("tides")), at: 2) == .accepted(devices: 1)
        )
        #expect(try bench.received("tablet", at: 2) == ["1"])
        #expect(try bench.received("pixel", at: 2).isEmpty)
    }

    @Test(.covers("A59"))
    func `a device that matches a condition twice receives one message`() throws {
        var bench = try ModelBench(topics: ["a", "b"])
        let condition = try TopicCondition("'a' in topics || 'b' in topics")
        #expect(try bench.send(.data(), for: .condition(condition), at: 1) == .accepted(devices: 1))
        #expect(try bench.received(at: 1) == ["1"])
    }

    @Test(.covers("F3-negation"))
    func `a negation in a condition reaches devices without topics`() throws {
        var bench = try ModelBench(topics: ["a"])
        try bench.add("tablet")
        try bench.add("watch", topics: ["a", "b"])
        let condition = try TopicCondition("!('a' in topics) || 'b' in topics")
        #expect(try bench.send(.data(), for: .condition(condition), at: 1) == .accepted(devices: 2))
        #expect(try bench.received("pixel", at: 1).isEmpty)
        #expect(try bench.received("tablet", at: 1) == ["1"])
        #expect(try bench.received("watch", at: 1) == ["1"])
    }

    @Test(.covers("A10", "F2.3-topics-per-instance"))
    func `an app instance has at most 2,000 topics`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        for number in 0..<2_000 {
            let outcome = bench.model.subscribe(pixel, to: try topic("t\(number)"), at: second(0))
            #expect(outcome == .done)
        }
        #expect(
            bench.model.subscribe(pixel, to: try topic("t2000"), at: second(0)) == .tooManyTopics
        )
        #expect(bench.model.subscribe(pixel, to: try topic("t7"), at: second(0)) == .done)
    }

    @Test func `an unknown registration cannot subscribe`() throws {
        var bench = try ModelBench()
        #expect(
            bench.model.subscribe(try registration("nobody"), to: try topic("a"), at: second(0))
                == .notFound
        )
    }

    @Test func `seeding adds unknown devices and keeps known ones`() throws {
        var bench = try ModelBench(topics: ["tides"])
        try bench.send(.data(), at: 1)
        bench.change(DeviceChange(isOnline: false), at: 2)
        try bench.add("pixel", topics: ["azores"])
        try bench.add("tablet", topics: ["azores"])
        let inbox = try bench.inbox(at: 3)
        #expect(inbox.received.count == 1)
        #expect(!inbox.device.isOnline)
        #expect(inbox.device.topics.keys.map(\.text) == ["tides"])
        #expect(bench.model.devices.map(\.name) == ["pixel", "tablet"])
    }

    @Test func `two devices cannot have the same registration`() throws {
        var bench = try ModelBench()
        let thief = DeviceSpecification(
            name: "thief",
            platform: .web,
            registration: try registration("pixel")
        )
        #expect(throws: SeedingFailure.registrationTaken(device: "thief", by: "pixel")) {
            try bench.model.seed([thief], at: second(0))
        }
        #expect(bench.model.devices.map(\.name) == ["pixel"])
    }

    @Test func `a reset returns the devices to their seeded state`() throws {
        var bench = try ModelBench(topics: ["tides"])
        try bench.send(.data(), at: 1)
        _ = bench.model.subscribe(try registration("pixel"), to: try topic("b"), at: second(1))
        bench.change(DeviceChange(isOnline: false), at: 2)
        bench.model.reset(at: second(3))
        let inbox = try bench.inbox(at: 3)
        #expect(inbox.received.isEmpty)
        #expect(inbox.device.isOnline)
        #expect(inbox.device.topics.keys.map(\.text) == ["tides"])
        #expect(
            try bench.send(.data(), for: .topic(topic("b")), at: 4) == .accepted(devices: 0)
        )
    }
}
