import DeliveryModel
import FCMWire
import JSON
import TestSupport
import Testing

/// The situations of Documentation/Emulator/Delivery.md, with their numbers.
struct SituationTests {
    @Test(.covers("C47", "C56"))
    func `8.1: an online, awake device receives a message immediately`() throws {
        var bench = try ModelBench()
        try bench.data(at: 1)
        let message = try #require(try bench.inbox(at: 1).received.first)
        #expect(message.receivedAt == second(1))
        #expect(message.delay == .deliveredNoDelay)
    }

    @Test(.covers("C57", "C47"))
    func `8.2: a normal-priority message waits until Doze ends`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isDozing: true), at: 1)
        try bench.data(at: 2)
        try bench.data("NORMAL", at: 2)
        #expect(try bench.reasons(at: 500) == [.delayedDeviceDoze, .delayedDeviceDoze])
        bench.change(DeviceChange(isDozing: false), at: 600)
        let received = try bench.inbox(at: 600).received
        #expect(received.map(\.receivedAt) == [second(600), second(600)])
        #expect(received.map(\.delay) == [.delayedDeviceDoze, .delayedDeviceDoze])
    }

    @Test(.covers("C45")) func `8.3: a high-priority message arrives immediately in Doze`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isDozing: true), at: 1)
        for priority in ["HIGH", "high"] { try bench.data(priority, at: 2) }
        #expect(try bench.received(at: 2) == ["1", "2"])
        #expect(bench.model.device(named: "pixel")?.isDozing == true)
    }

    @Test(.covers("C45"))
    func `8.4: high priority is lowered for an app without notifications in seven days`() throws {
        var bench = try ModelBench()
        var options = DeliveryOptions()
        options.lowersPriority = true
        bench.model.set(options, at: second(0))
        try bench.data("HIGH", at: 1)
        bench.change(DeviceChange(isDozing: true), at: 2)
        try bench.data("HIGH", at: 3)
        #expect(try bench.outcomes(at: 3) == [.delivered, .pending])
        bench.change(DeviceChange(isDozing: false), at: 4)
        #expect(try bench.inbox(at: 4).received.map(\.isPriorityLowered) == [false, true])
        bench.change(DeviceChange(isDozing: true), at: 5)
        // Both messages were received more than seven days earlier.
        try bench.data("HIGH", at: 5 + 7 * day)
        #expect(try bench.outcomes(at: 5 + 7 * day).last == .delivered)
    }

    @Test(.covers("C47", "C59"))
    func `8.5: an offline device receives all waiting messages when it connects`() throws {
        var bench = try ModelBench(online: false)
        for moment in 1...3 { try bench.data(at: Int64(moment)) }
        #expect(try bench.reasons(at: 4) == Array(repeating: .delayedDeviceOffline, count: 3))
        bench.change(DeviceChange(isOnline: true), at: 5)
        let received = try bench.inbox(at: 5).received
        #expect(received.map(\.id.text) == ["1", "2", "3"])
        #expect(Set(received.map(\.delay)) == [.delayedDeviceOffline])
    }

    @Test(.covers("C34", "C58"))
    func `8.6: the older of two waiting messages with one collapse key is dropped`() throws {
        var bench = try ModelBench(online: false)
        for moment in 1...2 { try bench.data(key: "score", at: Int64(moment)) }
        #expect(try bench.outcomes(at: 3) == [.collapsed, .pending])
        bench.change(DeviceChange(isOnline: true), at: 4)
        for moment in 5...6 { try bench.data(key: "score", at: Int64(moment)) }
        #expect(try bench.received(at: 6) == ["2", "3", "4"])
    }

    @Test(.covers("C31", "C58")) func `8.7: messages without a collapse key are all kept`() throws {
        var bench = try ModelBench(online: false)
        for moment in 1...2 { try bench.data(at: Int64(moment)) }
        #expect(try bench.outcomes(at: 3) == [.pending, .pending])
    }

    @Test(.covers("C36"))
    func `8.8: a notification always uses the package as its collapse key`() throws {
        var bench = try ModelBench(online: false)
        for key in ["one", "other"] {
            var message = PushMessage.notification(key)
            message.android = AndroidBlock()
            message.android?.collapseKey = key
            try bench.send(message, at: 1)
        }
        #expect(try bench.outcomes(at: 2) == [.collapsed, .pending])
    }

    @Test(.covers("C36"))
    func `8.8: data with the package as collapse key are replaced, too`() throws {
        var bench = try ModelBench()
        let phone = DeviceSpecification(
            name: "phone",
            platform: .android,
            registration: try registration("phone"),
            isOnline: false,
            packageName: "org.tidewatch"
        )
        try bench.model.seed([phone], at: second(0))
        let target = MessageTarget.registration(try registration("phone"))
        try bench.send(.data(collapse: "org.tidewatch"), for: target, at: 1)
        try bench.send(.notification("High water"), for: target, at: 2)
        let inbox = try bench.inbox("phone", at: 3)
        #expect(inbox.waiting.map(\.id.text) == ["2"])
        #expect(inbox.counts.collapsed == 1)
    }

    @Test(.covers("C40")) func `8.9: data messages have no collapse key by default`() throws {
        var bench = try ModelBench(online: false)
        for moment in 1...5 { try bench.data(at: Int64(moment)) }
        #expect(try bench.inbox(at: 6).pending == 5)
    }

    @Test(.covers("C38"))
    func `8.10: an empty message to a topic is collapsible, and one to a device is not`() throws {
        var bench = try ModelBench(online: false, topics: ["tides"])
        let tides = MessageTarget.topic(try topic("tides"))
        for moment in 1...2 { try bench.send(PushMessage(), for: tides, at: Int64(moment)) }
        #expect(try bench.outcomes(at: 3) == [.collapsed, .pending])
        for moment in 4...5 { try bench.send(PushMessage(), at: Int64(moment)) }
        #expect(try bench.outcomes(at: 6) == [.collapsed, .pending, .pending, .pending])
    }

    @Test(.covers("C37", "C42"))
    func `8.11: the four most recently sent of five collapse keys are kept`() throws {
        var bench = try ModelBench(online: false)
        for (number, key) in ["a", "b", "c", "d"].enumerated() {
            try bench.data(key: key, at: Int64(number))
        }
        #expect(try bench.outcomes(at: 9) == Array(repeating: .pending, count: 4))
        // The first key is now the last one.
        try bench.data(key: "a", at: 10)
        try bench.data(key: "e", at: 11)
        let inbox = try bench.inbox(at: 12)
        #expect(inbox.waiting.map(\.id.text) == ["3", "4", "5", "6"])
        #expect(inbox.dropped.map(\.id.text) == ["1", "2"])
        #expect(inbox.dropped.map(\.outcome) == [.collapsed, .collapsed])
        #expect(inbox.dropped.map(\.isChoiceOfModel) == [false, true])
    }

    @Test(.covers("C33", "F4-stored"))
    func `8.12: one message above a hundred drops all of them and notifies the app`() throws {
        var bench = try ModelBench(online: false)
        try bench.data(key: "score", at: 0)
        for moment in 1...100 { try bench.data(at: Int64(moment)) }
        #expect(try bench.inbox(at: 200).pending == 101)
        try bench.data(at: 201)
        var inbox = try bench.inbox(at: 201)
        #expect(inbox.pending == 0)
        #expect(inbox.counts.droppedTooManyPendingMessages == 102)
        #expect(inbox.deletedMessages == 0)
        bench.change(DeviceChange(isOnline: true), at: 300)
        inbox = try bench.inbox(at: 300)
        #expect(inbox.received.isEmpty)
        #expect(inbox.deletedMessages == 1)
        #expect(inbox.lastDeletedMessages == second(300))
    }

    @Test(.covers("C33"), arguments: [DevicePlatform.apple, .web])
    func `8.12: Apple devices and browsers have no limit of a hundred`(
        platform: DevicePlatform
    )
        throws
    {
        var bench = try ModelBench(online: false, platform: platform)
        for moment in 1...101 { try bench.data(at: Int64(moment)) }
        #expect(try bench.inbox(at: 200).pending == 101)
    }

    @Test(.covers("C52", "C53"))
    func `8.13: TTL 0 means now or never and is exempt from the burst limit`() throws {
        var bench = try ModelBench()
        for _ in 1...21 { try bench.data(ttl: "0s", key: "score", at: 1) }
        #expect(try bench.received(at: 1).count == 21)
        bench.change(DeviceChange(isDozing: true), at: 2)
        try bench.data(ttl: "0s", at: 3)
        #expect(try bench.outcomes(at: 3).last == .droppedTtlExpired)
    }

    @Test(.covers("C60")) func `8.14: a message is dropped at the end of its lifetime`() throws {
        var bench = try ModelBench(online: false)
        try bench.data(ttl: "10s", at: 100)
        #expect(try bench.outcomes(at: 109) == [.pending])
        #expect(try bench.outcomes(at: 110) == [.droppedTtlExpired])
        #expect(try bench.inbox(at: 500).dropped.map(\.droppedAt) == [second(110)])
    }

    @Test(
        .covers("C49", "C50", "C60"),
        arguments: [
            (DevicePlatform.android, 28 * day), (.web, 28 * day), (.apple, 30 * day),
        ] as [(DevicePlatform, Int64)]
    )
    func `8.15: the default lifetime is four weeks, and 30 days on Apple`(
        platform: DevicePlatform,
        life: Int64
    ) throws {
        var bench = try ModelBench(online: false, platform: platform)
        try bench.send(.data(), at: 0)
        #expect(try bench.outcomes(at: life - 1) == [.pending])
        #expect(try bench.outcomes(at: life) == [.droppedTtlExpired])
    }

    @Test(.covers("C49", "C60"), arguments: [DevicePlatform.android, .web])
    func `8.15: the maximum lifetime is 2,419,200 seconds`(platform: DevicePlatform) throws {
        var bench = try ModelBench(online: false, platform: platform)
        var message = PushMessage.data(ttl: "2419200s")
        message.webpush = WebpushBlock()
        message.webpush?.headers = ["ttl": "2419200"]
        try bench.send(message, at: 0)
        #expect(try bench.outcomes(at: 2_419_199) == [.pending])
        #expect(try bench.outcomes(at: 2_419_200) == [.droppedTtlExpired])
    }

    @Test(.covers("C62"))
    func `8.16: messages are dropped after a month of silence`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isOnline: false), at: 0)
        try bench.data(at: 30 * day)
        try bench.data(at: 30 * day + 1)
        #expect(try bench.outcomes(at: 30 * day + 1) == [.pending, .droppedDeviceInactive])
    }

    @Test(.covers("C62"), arguments: [(28 * day, 1), (28 * day + 1, 0)] as [(Int64, Int)])
    func `8.16: the app is notified if it returns within four weeks after the last data message`(
        absence: Int64,
        calls: Int
    ) throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isOnline: false), at: 0)
        try bench.data(at: 31 * day)
        try bench.send(.notification("no data"), at: 32 * day)
        bench.change(DeviceChange(isOnline: true), at: 31 * day + absence)
        #expect(try bench.inbox(at: 90 * day).deletedMessages == calls)
    }

    @Test(.covers("C63"), arguments: [DevicePlatform.android, .web])
    func `8.17: a removed app is noticed at the delivery attempt`(platform: DevicePlatform) throws {
        var bench = try ModelBench(platform: platform)
        bench.change(DeviceChange(isInstalled: false), at: 1)
        #expect(try bench.send(.data(), at: 2) == .accepted(devices: 1))
        #expect(try bench.outcomes(at: 2) == [.droppedUninstalled])
        #expect(try bench.send(.data(), at: 3) == .unregistered)
    }

    @Test(.covers("C63"))
    func `8.17: a removed app on an Apple device is noticed a day later`() throws {
        var bench = try ModelBench(platform: .apple)
        bench.change(DeviceChange(isInstalled: false), at: 0)
        #expect(try bench.send(.data(), at: 10) == .accepted(devices: 1))
        #expect(try bench.send(.data(), at: 10 + day - 1) == .accepted(devices: 1))
        #expect(try bench.send(.data(), at: 10 + day) == .unregistered)
        #expect(try bench.inbox(at: 10 + day).counts.droppedUninstalled == 2)
    }

    @Test func `8.18: a registration expires after 270 days of silence`() throws {
        var bench = try ModelBench(topics: ["tides"])
        bench.change(DeviceChange(isOnline: false), at: 0)
        #expect(try bench.send(.data(), at: 270 * day - 1) == .accepted(devices: 1))
        #expect(try bench.send(.data(), at: 270 * day) == .unregistered)
        #expect(bench.model.device(named: "pixel")?.topics.isEmpty == true)
        #expect(bench.model.log(of: "pixel")?.events.last?.kind == .expired)
    }

    @Test func `8.18: installing the app counts as contact`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isOnline: false), at: 0)
        bench.change(DeviceChange(isInstalled: false), at: 1)
        var foreseen = try #require(bench.model.device(named: "pixel"))
        foreseen.apply(DeviceChange(isInstalled: true), at: second(9))
        bench.change(DeviceChange(isInstalled: true), at: 9)
        #expect(foreseen.lastSeen == second(9))
        #expect(bench.model.device(named: "pixel")?.lastSeen == second(9))
    }

    @Test func `8.18: the start of the silence can be set to an earlier time`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isOnline: false), at: 269 * day)
        bench.change(DeviceChange(lastSeen: second(0)), at: 269 * day)
        #expect(try bench.send(.data(), at: 270 * day - 1) == .accepted(devices: 1))
        #expect(try bench.send(.data(), at: 270 * day) == .unregistered)
    }

    @Test func `8.19: a force-stopped app receives nothing until it is started`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isForceStopped: true), at: 1)
        try bench.data("HIGH", at: 2)
        bench.change(DeviceChange(isInForeground: true), at: 3)
        try bench.data(at: 4)
        #expect(try bench.outcomes(at: 4) == [.droppedAppForceStopped, .delivered])
        #expect(bench.model.device(named: "pixel")?.isForceStopped == false)
    }

    @Test func `8.20: a later message overtakes a delayed one`() throws {
        var bench = try ModelBench()
        bench.change(DeviceChange(isDozing: true), at: 1)
        try bench.data(at: 2)
        try bench.data("HIGH", at: 3)
        bench.change(DeviceChange(isDozing: false), at: 4)
        #expect(try bench.received(at: 4) == ["2", "1"])
    }

    @Test func `8.21: three sends of the same message are delivered three times`() throws {
        var bench = try ModelBench()
        for _ in 1...3 { try bench.send(.data(), at: 1) }
        #expect(try bench.received(at: 1).count == 3)
    }

    @Test func `8.22: each platform receives its own content`() throws {
        var bench = try ModelBench(topics: ["tides"])
        try bench.add("iphone", platform: .apple, topics: ["tides"])
        try bench.add("chrome", platform: .web, topics: ["tides"])
        var message = PushMessage.notification("Common")
        message.data = ["from": "common"]
        message.android = AndroidBlock()
        message.android?.data = ["from": "android"]
        message.webpush = WebpushBlock()
        message.webpush?.notification = ["title": "Web"]
        try bench.send(message, for: .topic(topic("tides")), at: 1)
        let contents = try ["pixel", "iphone", "chrome"].map { name in
            try #require(try bench.inbox(name, at: 1).received.first).content
        }
        #expect(contents.map(\.title) == ["Common", "Common", "Web"])
        #expect(contents.map { $0.data.first?.value } == ["android", "common", "common"])
    }

    @Test(.covers("A36", "C19"))
    func `8.23: a background app shows a notification, and a tap delivers the data`() throws {
        var bench = try ModelBench()
        var message = PushMessage.notification("High water")
        message.data = ["screen": "tides"]
        try bench.send(message, at: 1)
        #expect(try bench.inbox(at: 1).tray == [1])
        let opened = bench.model.tap(MessageID("1"), on: "pixel", at: second(2))
        #expect(opened?.content.data == [DataEntry(key: "screen", value: "tides")])
        let inbox = try bench.inbox(at: 2)
        #expect(inbox.tray.isEmpty)
        #expect(inbox.received.map(\.openedAt) == [second(2)])
        #expect(inbox.device.isInForeground)
        try bench.send(message, at: 3)
        #expect(try bench.inbox(at: 3).received.last?.manner == .callback)
        #expect(bench.model.tap(MessageID("2"), on: "pixel", at: second(4)) == nil)
    }

    @Test(.covers("F1.6-topic-replaces"))
    func `8.6: the Topic header is the collapse key in browsers`() throws {
        var bench = try ModelBench(online: false, platform: .web)
        for number in 1...3 {
            var message = PushMessage.data()
            message.webpush = WebpushBlock()
            if number != 2 { message.webpush?.headers = ["topic": "score"] }
            try bench.send(message, at: Int64(number))
        }
        #expect(try bench.outcomes(at: 4) == [.collapsed, .pending, .pending])
    }

    @Test func `8.24: the first subscription creates a topic`() throws {
        var bench = try ModelBench()
        #expect(bench.model.topics.isEmpty)
        _ = bench.model.subscribe(try registration("pixel"), to: try topic("new"), at: second(1))
        #expect(bench.model.topics.map(\.text) == ["new"])
    }

    @Test func `8.25: a topic without subscribers accepts a message`() throws {
        var bench = try ModelBench()
        let outcome = try bench.send(.data(), for: .topic(topic("nobody")), at: 1)
        #expect(outcome == .accepted(devices: 0))
    }

    @Test(.covers("F2.3-propagation"))
    func `8.26: a new subscriber is reached after the subscription has propagated`() throws {
        var bench = try ModelBench()
        var options = DeliveryOptions()
        options.topicPropagation = 30_000
        bench.model.set(options, at: second(0))
        let tides = try topic("tides")
        _ = bench.model.subscribe(try registration("pixel"), to: tides, at: second(10))
        let either = try TopicCondition("'tides' in topics || 'none' in topics")
        for target in [MessageTarget.topic(tides), .condition(either)] {
            #expect(try bench.send(.data(), for: target, at: 39) == .accepted(devices: 0))
        }
        for target in [MessageTarget.topic(tides), .condition(either)] {
            #expect(try bench.send(.data(), for: target, at: 40) == .accepted(devices: 1))
        }
    }

    @Test(.covers("C55")) func `8.27: an accepted message is not necessarily delivered`() throws {
        var bench = try ModelBench(online: false)
        #expect(try bench.data(at: 1) == .accepted(devices: 1))
        #expect(try bench.outcomes(at: 1) == [.pending])
    }
}
