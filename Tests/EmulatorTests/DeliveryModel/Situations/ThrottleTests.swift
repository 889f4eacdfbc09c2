import FCMWire
import JSON
import TestSupport
import Testing

@testable import DeliveryModel

/// The rates of one device, each at its value and one beyond.
struct ThrottleTests {
    @Test(.covers("C65", "C67"))
    func `twenty collapsible messages come at once, and then one every 3 minutes`() throws {
        var bench = try ModelBench()
        for number in 1...23 { try bench.data(key: "k\(number % 3)", at: 0) }
        var inbox = try bench.inbox(at: 0)
        #expect(inbox.received.count == 20)
        #expect(inbox.waiting.map(\.reason) == Array(repeating: .delayedMessageThrottled, count: 3))
        #expect(try bench.inbox(at: 179).received.count == 20)
        #expect(try bench.inbox(at: 180).received.count == 21)
        #expect(try bench.inbox(at: 359).received.count == 21)
        inbox = try bench.inbox(at: 540)
        #expect(
            inbox.received.suffix(3).map(\.receivedAt) == [second(180), second(360), second(540)]
        )
        #expect(inbox.counts.dropped + inbox.counts.collapsed == 0)
    }

    @Test(.covers("C66")) func `what is not collapsible passes a burst`() throws {
        var bench = try ModelBench()
        for _ in 1...21 { try bench.data(key: "score", at: 0) }
        try bench.data(at: 0)
        #expect(try bench.outcomes(at: 0).suffix(2) == [.pending, .delivered])
    }

    @Test(.covers("C70")) func `a device takes 240 messages in a minute`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        for _ in 1...239 { try bench.data(at: 0) }
        #expect(bench.model.isWithinDeviceRate(pixel, at: second(0)))
        try bench.data(at: 0)
        #expect(!bench.model.isWithinDeviceRate(pixel, at: second(0)))
        #expect(try bench.received(at: 0).count == 240)
        // Room comes back evenly: four a second.
        #expect(
            !bench.model.isWithinDeviceRate(pixel, at: DeliveryMoment(milliseconds: 249))
        )
        #expect(bench.model.isWithinDeviceRate(pixel, at: DeliveryMoment(milliseconds: 250)))
    }

    @Test(.covers("C70")) func `a topic's message beyond the rate is held back`() throws {
        var bench = try ModelBench(topics: ["tides"])
        let tides = MessageTarget.topic(try topic("tides"))
        for _ in 1...241 { try bench.send(.data(), for: tides, at: 0) }
        #expect(try bench.received(at: 0).count == 240)
        #expect(try bench.reasons(at: 0) == [.delayedMessageThrottled])
        #expect(try bench.received(at: 1).count == 241)
    }

    @Test(.covers("C70")) func `a device takes 5,000 messages in an hour`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        var sent = 0
        // Four a second are within the minute's rate.
        while bench.model.isWithinDeviceRate(pixel, at: second(Int64(sent / 4))) {
            try bench.data(at: Int64(sent / 4))
            sent += 1
        }
        // 5,000, and 5,000 an hour that come back meanwhile, by a sum over fractions.
        #expect(sent == 7_658)
    }

    @Test(.covers("C70")) func `the hour's 5,000 may come at once, and one more may not`() {
        let hour: Int64 = 3_600_000
        var window = RateWindow(used: 0, asOf: second(0))
        window.take(4_999, limit: 5_000, interval: hour, at: second(0))
        #expect(window.room(limit: 5_000, interval: hour, from: second(0)) == second(0))
        window.take(1, limit: 5_000, interval: hour, at: second(0))
        // One comes back in an hour's 5,000th part.
        let room = window.room(limit: 5_000, interval: hour, from: second(0))
        #expect(room == DeliveryMoment(milliseconds: 720))
    }

    @Test func `a message to a group is held back where its member is beyond the rate`() throws {
        var bench = try ModelBench()
        let key = try registration("APA91bgroup")
        let group = DeviceGroup(
            id: DeviceGroupID(project: "p", name: "g"),
            key: key,
            members: [try registration("pixel")]
        )
        bench.model.apply(.create(group))
        for _ in 1...240 { try bench.data(at: 0) }
        #expect(bench.model.isWithinDeviceRate(key, at: second(0)))
        try bench.send(.data(), for: .registration(key), at: 0)
        #expect(try bench.outcomes(at: 0).last == .pending)
    }

    @Test(.covers("C44"))
    func `normal priority may wait in the background, the foreground never does`() throws {
        var bench = try ModelBench()
        var options = DeliveryOptions()
        options.backgroundDelay = 600_000
        options.seed = 7
        bench.model.set(options, at: second(0))
        for _ in 1...10 { try bench.data(at: 0) }
        try bench.data("HIGH", at: 0)
        #expect(try bench.received(at: 0) == ["11"])
        #expect(Set(try bench.reasons(at: 0)) == [.delayedInBackground])
        let inFiveMinutes = try bench.received(at: 300).count
        #expect((2...10).contains(inFiveMinutes))
        bench.change(DeviceChange(isInForeground: true), at: 301)
        #expect(try bench.received(at: 301).count == 11)
        try bench.data(at: 302)
        #expect(try bench.received(at: 302).count == 12)
    }

    @Test func `a stopped profile of the user holds messages back`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isUserStopped: true), at: 1)
        try bench.data("HIGH", at: 2)
        #expect(try bench.reasons(at: 2) == [.delayedUserStopped])
        bench.change(DeviceChange(isUserStopped: false), at: 3)
        #expect(try bench.inbox(at: 3).received.map(\.delay) == [.delayedUserStopped])
    }
}
