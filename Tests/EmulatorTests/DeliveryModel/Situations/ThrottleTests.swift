import FCMWire
import JSON
import TestSupport
import Testing

@testable import DeliveryModel

/// The rates of one device, each at its limit and one above it.
struct ThrottleTests {
    @Test(.covers("C65", "C67"))
    func `twenty collapsible messages pass at once, and then one every 3 minutes`() throws {
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

    @Test(.covers("C66")) func `other messages pass during a burst of collapsible ones`() throws {
        var bench = try ModelBench()
        for _ in 1...21 { try bench.data(key: "score", at: 0) }
        try bench.data(at: 0)
        #expect(try bench.outcomes(at: 0).suffix(2) == [.pending, .delivered])
    }

    @Test(.covers("C70")) func `a device accepts 240 messages per minute`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        for _ in 1...239 { try bench.data(at: 0) }
        #expect(bench.model.isWithinDeviceRate(pixel, at: second(0)))
        try bench.data(at: 0)
        #expect(!bench.model.isWithinDeviceRate(pixel, at: second(0)))
        #expect(try bench.received(at: 0).count == 240)
        #expect(
            !bench.model.isWithinDeviceRate(pixel, at: DeliveryMoment(milliseconds: 59_999))
        )
        #expect(bench.model.isWithinDeviceRate(pixel, at: second(60)))
    }

    @Test(.covers("C70")) func `a topic message above the rate is delayed`() throws {
        var bench = try ModelBench(topics: ["tides"])
        let tides = MessageTarget.topic(try topic("tides"))
        for _ in 1...241 { try bench.send(.data(), for: tides, at: 0) }
        #expect(try bench.received(at: 0).count == 240)
        #expect(try bench.reasons(at: 0) == [.delayedMessageThrottled])
        #expect(try bench.received(at: 59).count == 240)
        #expect(try bench.received(at: 60).count == 241)
    }

    @Test(.covers("C70")) func `a device accepts 5,000 messages per hour`() throws {
        var bench = try ModelBench()
        let pixel = try registration("pixel")
        var sent = 0
        // Four per second stay within the rate per minute.
        while bench.model.isWithinDeviceRate(pixel, at: second(Int64(sent / 4))) {
            try bench.data(at: Int64(sent / 4))
            sent += 1
        }
        #expect(sent == 5_000)
        #expect(!bench.model.isWithinDeviceRate(pixel, at: second(3_599)))
        #expect(bench.model.isWithinDeviceRate(pixel, at: second(3_600)))
    }

    @Test(.covers("C70"), arguments: UInt64(1)...8)
    func `no interval has more messages than its limit`(seed: UInt64) {
        var random = HistoryRandom(state: seed)
        let limit = RateLimit(messages: 5, interval: 1_000)
        var log = RateLog()
        var now: Int64 = 0
        var passed: [Int64] = []
        for _ in 0..<1_000 {
            now += [0, 0, 90, 250, 1_500].randomElement(using: &random) ?? 0
            let moment = DeliveryMoment(milliseconds: now)
            let room = log.room(within: limit, from: moment)
            #expect(RateLog(log.runs).room(within: limit, from: moment) == room)
            log.add(at: room, now: moment, keeping: limit.interval)
            passed.append(room.milliseconds)
            guard passed.count > limit.messages else {
                #expect(room == moment)
                continue
            }
            let earlier = passed[passed.count - 1 - limit.messages]
            #expect(room.milliseconds == max(now, earlier + limit.interval))
        }
    }

    @Test func `a group message is delayed if its member is above the rate`() throws {
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
    func `normal priority may be delayed in the background but never in the foreground`() throws {
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

    @Test func `a stopped user profile delays messages`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isUserStopped: true), at: 1)
        try bench.data("HIGH", at: 2)
        #expect(try bench.reasons(at: 2) == [.delayedUserStopped])
        bench.change(DeviceChange(isUserStopped: false), at: 3)
        #expect(try bench.inbox(at: 3).received.map(\.delay) == [.delayedUserStopped])
    }
}
