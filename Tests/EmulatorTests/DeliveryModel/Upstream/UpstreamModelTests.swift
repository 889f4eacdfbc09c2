import DeliveryModel
import JSON
import TestSupport
import Testing

/// The messages of devices to their app server in the whole model.
struct UpstreamModelTests {
    private func content(_ id: String, timeToLive: Int64 = 3_600) -> UpstreamContent {
        UpstreamContent(
            UpstreamCall(message: ["answer": "yes"], to: nil, id: id, timeToLive: timeToLive),
            category: "com.example.tides"
        )
    }

    private func state(_ id: String, in bench: ModelBench) -> UpstreamMessage.State? {
        bench.model.upstreamMessages(of: "pixel")?.first { $0.content.id == id }?.state
    }

    private func queue(_ bench: ModelBench) -> [String] {
        queue(bench, for: "5").map(\.content.id)
    }

    private func queue(_ bench: ModelBench, for sender: String) -> [UpstreamDelivery] {
        bench.model.upstreamQueue.deliveries(after: 0, for: sender, limit: 1_000).found
    }

    @Test(.covers("U07"))
    func `an Apple app sends only in the foreground with its direct channel`() throws {
        var bench = try ModelBench(platform: .apple)
        bench.model.sendUpstream(content("m-1"), from: "pixel", at: second(1))
        #expect(state("m-1", in: bench) == .waiting)
        bench.change(DeviceChange(isInForeground: true), at: 2)
        #expect(queue(bench) == ["m-1"])
        bench.change(DeviceChange(isInForeground: false), at: 3)
        bench.model.sendUpstream(content("m-2"), from: "pixel", at: second(4))
        #expect(state("m-2", in: bench) == .waiting)
        bench.change(DeviceChange(usesDirectChannel: false), at: 5)
        bench.change(DeviceChange(isInForeground: true), at: 6)
        #expect(state("m-2", in: bench) == .waiting)
        bench.change(DeviceChange(usesDirectChannel: true), at: 7)
        #expect(queue(bench) == ["m-1", "m-2"])
    }

    @Test(.covers("U12"))
    func `an Android app sends in the background, and waits for a network and in Doze`() throws {
        var bench = try ModelBench()
        bench.model.sendUpstream(content("m-1"), from: "pixel", at: second(1))
        bench.change(DeviceChange(isDozing: true), at: 2)
        bench.model.sendUpstream(content("m-2"), from: "pixel", at: second(3))
        #expect(queue(bench) == ["m-1"])
        bench.change(DeviceChange(isOnline: false, isDozing: false), at: 4)
        bench.model.sendUpstream(content("m-3"), from: "pixel", at: second(5))
        #expect(queue(bench) == ["m-1"])
        bench.change(DeviceChange(isOnline: true), at: 6)
        #expect(queue(bench) == ["m-1", "m-2", "m-3"])
    }

    @Test(.covers("U09", "U15", "U16"))
    func `the device's log has the calls of both observers with ID and cause`() throws {
        var bench = try ModelBench()
        bench.model.sendUpstream(content("m-1", timeToLive: 60), from: "pixel", at: second(1))
        let acknowledged = bench.model.acknowledgeUpstream(
            UpstreamKey(registration: "pixel", id: "m-1"),
            at: second(5)
        )
        #expect(acknowledged == "pixel")
        bench.model.sendUpstream(content("m-2", timeToLive: 60), from: "pixel", at: second(10))
        bench.model.advance(to: second(100))
        let id = { MessageID($0) }
        #expect(
            bench.model.log(of: "pixel")?.events == [
                DeviceEvent(.sendMessage, at: second(1), message: id("m-1")),
                DeviceEvent(
                    .sendSuccess,
                    at: second(2),
                    completion: .done(at: second(1)),
                    message: id("m-1")
                ),
                DeviceEvent(.sendMessage, at: second(10), message: id("m-2")),
                DeviceEvent(
                    .sendSuccess,
                    at: second(11),
                    completion: .done(at: second(10)),
                    message: id("m-2")
                ),
                DeviceEvent(
                    .sendFailure,
                    at: second(71),
                    completion: .failed(.timeToLiveExceeded, at: second(70)),
                    message: id("m-2")
                ),
            ]
        )
        #expect(
            bench.model.upstreamCounts
                == UpstreamCounts(waiting: 0, sent: 0, acknowledged: 1, failed: 1)
        )
        #expect(queue(bench) == [])
    }

    @Test func `an acknowledgement of an unknown message changes nothing`() throws {
        var bench = try ModelBench()
        bench.model.sendUpstream(content("m-1"), from: "pixel", at: second(1))
        let other = UpstreamKey(registration: "pixel", id: "m-2")
        let acknowledged = bench.model.acknowledgeUpstream(other, at: second(2))
        #expect(acknowledged == nil)
        #expect(state("m-1", in: bench) == .sent(at: second(1)))
    }

    @Test func `two messages with the same ID are acknowledged one after the other`() throws {
        var bench = try ModelBench()
        for _ in 1...2 { bench.model.sendUpstream(content("m-1"), from: "pixel", at: second(1)) }
        let key = UpstreamKey(registration: "pixel", id: "m-1")
        bench.model.acknowledgeUpstream(key, at: second(2))
        #expect(bench.model.upstreamCounts.sent == 1)
        bench.model.acknowledgeUpstream(key, at: second(3))
        #expect(bench.model.upstreamCounts.acknowledged == 2)
    }

    @Test func `a message keeps the registration with which it was sent`() throws {
        var bench = try ModelBench()
        bench.model.sendUpstream(content("m-1"), from: "pixel", at: second(1))
        _ = bench.model.register("pixel", as: try registration("new"), at: second(2))
        bench.model.sendUpstream(content("m-2"), from: "pixel", at: second(3))
        #expect(queue(bench, for: "5").map(\.from.text) == ["pixel", "new"])
    }

    @Test func `a removed device and a reset leave no messages behind`() throws {
        var bench = try ModelBench()
        try bench.add("second")
        for name in ["pixel", "second"] {
            bench.model.sendUpstream(content("m-1"), from: name, at: second(1))
        }
        _ = bench.model.remove("pixel")
        #expect(bench.model.upstreamQueue.count == 1)
        #expect(bench.model.upstreamCounts.waiting == 0)
        bench.model.reset(at: second(2))
        #expect(bench.model.upstreamQueue.count == 0)
        bench.model.sendUpstream(content("m-2"), from: "second", at: second(3))
        // Connections of app servers refer to the numbers.
        #expect(queue(bench, for: "5").map(\.number) == [3])
    }

    @Test func `a message reaches only the app server that it names`() throws {
        var bench = try ModelBench()
        let named = UpstreamContent(
            UpstreamCall(message: [:], to: "7@fcm.googleapis.com", id: "m-1", timeToLive: 60),
            category: "a"
        )
        bench.model.sendUpstream(named, from: "pixel", at: second(1))
        #expect(queue(bench, for: "5") == [])
        #expect(queue(bench, for: "7").count == 1)
    }

    @Test func `browsers and removed apps cannot send`() throws {
        var bench = try ModelBench()
        try bench.add("browser", platform: .web)
        bench.change(DeviceChange(isInstalled: false), at: 1)
        #expect(bench.model.upstreamRefusal(of: "browser") == .onWeb)
        #expect(bench.model.upstreamRefusal(of: "pixel") == .notInstalled)
    }
}
