import DeliveryModel
import FCMWire
import JSON
import Testing

/// Tests that a snapshot preserves the delivery state of a device apart from its messages.
struct SnapshotMemoryTests {
    private static func restarted(_ bench: ModelBench, at seconds: Int64) -> ModelBench {
        var bench = bench
        let devices = bench.model.snapshot(at: second(seconds))
        var model = DeliveryBackend()
        model.restore(devices, at: second(seconds))
        bench.model = model
        return bench
    }

    @Test func `preserves the rate per minute`() throws {
        var bench = try ModelBench()
        for _ in 1...240 { try bench.data(at: 0) }
        let restarted = Self.restarted(bench, at: 0)
        #expect(!restarted.model.isWithinDeviceRate(try registration("pixel"), at: second(0)))
    }

    @Test func `preserves the rate per hour`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        // Four per second reach the hour's 5,000 but not the minute's 240.
        for number in 0..<5_000 { try bench.data(at: Int64(number / 4)) }
        let end = second(4_999 / 4)
        #expect(!bench.model.isWithinDeviceRate(pixel, at: end))
        let restarted = Self.restarted(bench, at: 4_999 / 4)
        #expect(!restarted.model.isWithinDeviceRate(pixel, at: end))
    }

    @Test func `preserves a pending notice of deleted messages`() throws {
        var bench = try ModelBench(online: false)
        for moment in 1...101 { try bench.data(at: Int64(moment)) }
        var restarted = Self.restarted(bench, at: 102)
        restarted.change(DeviceChange(isOnline: true), at: 103)
        #expect(try restarted.inbox(at: 103).deletedMessages == 1)
    }

    @Test func `preserves missed data of a silent device`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isOnline: false), at: 0)
        try bench.data(at: 31 * day)
        var restarted = Self.restarted(bench, at: 32 * day)
        restarted.change(DeviceChange(isOnline: true), at: 33 * day)
        #expect(try restarted.inbox(at: 33 * day).deletedMessages == 1)
    }

    @Test func `preserves the time of the APNs report of a removed app`() throws {
        var bench = try ModelBench(platform: .apple)
        bench.change(DeviceChange(isInstalled: false), at: 0)
        try bench.data(at: 10)
        var restarted = Self.restarted(bench, at: 20)
        #expect(try restarted.data(at: 10 + day - 1) == .accepted(devices: 1))
        #expect(try restarted.data(at: 10 + day) == .unregistered)
    }
}
