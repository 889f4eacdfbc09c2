import DeliveryModel
import Testing

struct DeviceOverviewTests {
    private func newest(_ bench: ModelBench, after revision: Int = 0, limit: Int = 9) -> [String] {
        bench.model.newestChanges(after: revision, limit: limit, at: second(9))
            .map(\.inbox.device.name)
    }

    @Test func `the device that changed last comes first, each once`() throws {
        var bench = try ModelBench()
        for name in ["a", "b", "c"] { try bench.add(name) }
        let before = bench.model.revision
        bench.change(DeviceChange(isOnline: false), of: "c", at: 1)
        bench.change(DeviceChange(isOnline: false), of: "a", at: 2)
        bench.change(DeviceChange(isOnline: true), of: "c", at: 3)
        #expect(newest(bench, after: before) == ["c", "a"])
        #expect(newest(bench, after: before, limit: 1) == ["c"])
        #expect(newest(bench, after: bench.model.revision) == [])
        _ = bench.model.remove("b")
        #expect(bench.model.lastRemoval == bench.model.revision)
    }

    @Test func `more changes than are remembered leave the newest`() throws {
        var bench = try ModelBench()
        let names = (0..<300).map { "d\($0)" }
        for name in names { try bench.add(name) }
        let all = newest(bench, limit: 1_000)
        #expect(all == names.suffix(all.count).reversed())
        #expect(all.count > 100)
    }

    @Test func `a removal leaves no invalid index`() throws {
        var bench = try ModelBench()
        let names = (0..<60).map { "d\($0)" }
        for name in names { try bench.add(name) }
        for name in ["pixel"] + names.dropLast(2) { _ = bench.model.remove(name) }
        #expect(Set(newest(bench)).isSubset(of: ["d58", "d59"]))
        bench.change(DeviceChange(isOnline: false), of: "d59", at: 1)
        #expect(newest(bench) == ["d59"])
        let page = bench.model.page(of: PhoneSelection(), 0..<10, at: second(9))
        #expect(page.devices.map(\.device.inbox.device.name) == ["d58", "d59"])
        #expect(page.devices.map(\.position) == [0, 1])
        #expect(page.total == 2)
    }
}
