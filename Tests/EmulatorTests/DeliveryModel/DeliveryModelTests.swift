import DeliveryModel
import TestSupport
import Testing

struct DeliveryModelTests {
    @Test(.covers("A35", "C56")) func `delivers immediately to an online device`() throws {
        var bench = try ModelBench()
        #expect(try bench.send(.data(), at: 5) == .accepted(devices: 1))
        let received = try #require(bench.inbox(at: 5).received.first)
        #expect(received.receivedAt == second(5))
        #expect(received.manner == .callback)
    }

    @Test(.covers("C14"))
    func `shows a notification in the tray unless the app is in the foreground`() throws {
        var bench = try ModelBench()
        try bench.send(.notification("in the background"), at: 1)
        bench.change(DeviceChange(isInForeground: true), at: 2)
        try bench.send(.notification("in the foreground"), at: 3)
        #expect(try bench.inbox(at: 3).received.map(\.manner) == [.tray, .callback])
    }

    @Test(.covers("C31", "C40", "C48", "C59"))
    func `stores messages for an offline device and delivers them in order when it returns`()
        throws
    {
        var bench = try ModelBench(online: false)
        for moment in 1...3 { try bench.send(.data(), at: Int64(moment)) }
        #expect(try bench.inbox(at: 4).pending == 3)
        #expect(try bench.received(at: 4).isEmpty)
        bench.change(DeviceChange(isOnline: true), at: 9)
        let inbox = try bench.inbox(at: 9)
        #expect(inbox.received.map(\.id.text) == ["1", "2", "3"])
        #expect(inbox.received.allSatisfy { $0.receivedAt == second(9) })
        #expect(inbox.pending == 0)
    }

    @Test(.covers("C53")) func `drops a message with a TTL of 0 if the device is offline`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(ttl: "0s"), at: 1)
        try bench.send(.data(ttl: "0.9s"), at: 1)
        let inbox = try bench.inbox(at: 1)
        #expect(inbox.pending == 0)
        #expect(inbox.counts.dropped == 2)
    }

    @Test(.covers("C60")) func `a message expires exactly when its lifetime ends`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(ttl: "10s"), at: 100)
        #expect(try bench.inbox(at: 109).pending == 1)
        #expect(try bench.inbox(at: 110).pending == 0)
        bench.change(DeviceChange(isOnline: true), at: 111)
        #expect(try bench.received(at: 111).isEmpty)
        #expect(try bench.inbox(at: 111).counts.dropped == 1)
    }

    @Test(.covers("C50", "C60", "F4-ttl"))
    func `a message without a TTL waits for four weeks`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(), at: 0)
        #expect(try bench.inbox(at: 2_419_199).pending == 1)
        #expect(try bench.inbox(at: 2_419_200).pending == 0)
    }

    @Test(.covers("C34", "C35", "C58"))
    func `a newer message with the same collapse key replaces the older one`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(collapse: "scores"), at: 1)
        try bench.send(.data(), at: 2)
        try bench.send(.data(collapse: "scores"), at: 3)
        try bench.send(.data(collapse: "weather"), at: 4)
        bench.change(DeviceChange(isOnline: true), at: 5)
        #expect(try bench.received(at: 5) == ["2", "3", "4"])
        #expect(try bench.inbox(at: 5).counts.collapsed == 1)
    }

    @Test func `an expired message cannot be replaced`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(ttl: "5s", collapse: "scores"), at: 1)
        try bench.send(.data(collapse: "scores"), at: 20)
        let counts = try bench.inbox(at: 20).counts
        #expect(counts.dropped == 1)
        #expect(counts.collapsed == 0)
    }

    @Test(.covers("C59")) func `keeps the order after many replacements`() throws {
        var bench = try ModelBench(online: false)
        for number in 1...200 { try bench.send(.data(collapse: "k\(number % 3)"), at: 1) }
        bench.change(DeviceChange(isOnline: true), at: 2)
        #expect(try bench.received(at: 2) == ["198", "199", "200"])
        #expect(try bench.inbox(at: 2).counts.collapsed == 197)
    }

    @Test(.covers("C55", "C63", "F1.2-meaning", "F1.7-unregistered"))
    func `a removed app is noticed at the first attempt`() throws {
        var bench = try ModelBench(topics: ["tides"])
        bench.change(DeviceChange(isInstalled: false), at: 1)
        #expect(try bench.send(.data(), at: 2) == .accepted(devices: 1))
        #expect(try bench.send(.data(), at: 3) == .unregistered)
        #expect(try bench.inbox(at: 3).counts.dropped == 1)
        #expect(
            try bench.send(.data(), for: .topic(topic("tides")), at: 4) == .accepted(devices: 0)
        )
    }

    @Test(.covers("C63"))
    func `a removed app on an offline device is noticed when the device returns`() throws {
        var bench = try ModelBench(online: false)
        try bench.send(.data(), at: 1)
        bench.change(DeviceChange(isInstalled: false), at: 2)
        #expect(try bench.send(.data(), at: 3) == .accepted(devices: 1))
        bench.change(DeviceChange(isOnline: true), at: 4)
        #expect(try bench.inbox(at: 4).counts.dropped == 2)
        #expect(try bench.send(.data(), at: 5) == .unregistered)
    }

    @Test func `a fresh install is registered and joins only its own topics`() throws {
        var bench = try ModelBench(topics: ["tides"])
        _ = bench.model.subscribe(try registration("pixel"), to: try topic("azores"), at: second(0))
        bench.change(DeviceChange(isInstalled: false), at: 1)
        try bench.send(.data(), at: 2)
        bench.change(DeviceChange(isInstalled: true), at: 3)
        #expect(try bench.send(.data(), at: 4) == .accepted(devices: 1))
        #expect(try bench.inbox(at: 4).device.topics.keys.map(\.text) == ["tides"])
    }
}
