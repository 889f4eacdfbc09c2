import DeliveryModel
import FCMWire
import JSON
import TestSupport
import Testing

struct EffectiveMessageTests {
    @Test(.covers("C22", "C23", "F1.5-payload", "F1.6-notification"))
    func `a platform's notification overrides individual fields`() {
        var message = PushMessage()
        message.notification = ["title": "Common", "body": "Text"]
        message.android = AndroidBlock()
        message.android?.notification = ["title": "Android", "tag": "tide", "click_action": "OPEN"]
        message.apns = ApnsBlock()
        message.apns?.payload = ["aps": ["alert": ["body": "Apple"], "category": "TIDES"]]
        message.webpush = WebpushBlock()
        message.webpush?.notification = ["body": "Web", "tag": "w"]
        message.webpush?.link = "https://tidewatch.example/"
        let effective = EffectiveMessage(message)
        #expect(effective[.android].title == "Android")
        #expect(effective[.android].body == "Text")
        #expect(effective[.android].tag == "tide")
        #expect(effective[.android].clickAction == "OPEN")
        #expect(effective[.apple].title == "Common")
        #expect(effective[.apple].body == "Apple")
        #expect(effective[.apple].category == "TIDES")
        #expect(effective[.web].title == "Common")
        #expect(effective[.web].body == "Web")
        #expect(effective[.web].link == "https://tidewatch.example/")
    }

    @Test func `an alert that is a string is the body`() {
        var message = PushMessage()
        message.apns = ApnsBlock()
        message.apns?.payload = ["aps": ["alert": "Low water"]]
        #expect(EffectiveMessage(message)[.apple].body == "Low water")
        #expect(EffectiveMessage(message)[.apple].hasNotification)
    }

    @Test(.covers("F1.4-data", "F1.5-payload", "F1.6-data"))
    func `a platform's data replaces the common data, and keys next to aps are added`() {
        var message = PushMessage()
        message.data = ["b": "common", "a": "common"]
        message.android = AndroidBlock()
        message.android?.data = ["z": "android"]
        message.webpush = WebpushBlock()
        message.webpush?.data = ["z": "web"]
        message.apns = ApnsBlock()
        message.apns?.payload = ["aps": ["content-available": 1], "own": ["deep": true]]
        let effective = EffectiveMessage(message)
        #expect(effective[.android].data.map(\.text) == ["z=android"])
        #expect(effective[.web].data.map(\.text) == ["z=web"])
        #expect(
            effective[.apple].data.map(\.text) == ["a=common", "b=common", #"own={"deep":true}"#]
        )
        #expect(!effective[.apple].hasNotification)
    }

    @Test(.covers("F4-what-counts")) func `counts keys and values in UTF-8`() {
        var message = PushMessage()
        // 5 + 6, 1 + 2: "Maré" has five bytes, "é" two.
        message.notification = ["title": "Maré!"]
        message.data = ["k": "é"]
        #expect(EffectiveMessage(message)[.android].payloadBytes == 14)
        #expect(EffectiveMessage(message)[.web].payloadBytes == 14)
    }

    @Test(.covers("C28", "C30", "C50", "F1.5-expiration", "F1.5-headers"))
    func `reads the lifetime of each platform`() {
        var message = PushMessage.data(ttl: "60s")
        message.apns = ApnsBlock()
        message.apns?.headers = ["apns-expiration": "1604750400", "apns-collapse-id": "c"]
        message.webpush = WebpushBlock()
        message.webpush?.headers = ["ttl": "0", "topic": "t", "urgency": "high"]
        let effective = EffectiveMessage(message)
        #expect(effective[.android].life == .seconds(60))
        #expect(effective[.apple].life == .until(second(1_604_750_400)))
        #expect(effective[.apple].collapseKey == "c")
        #expect(effective[.web].life == .nowOrNever)
        #expect(effective[.web].collapseKey == "t")
        #expect(effective[.web].priority == "high")
        #expect(EffectiveMessage(.data())[.apple].life == .seconds(2_592_000))
    }

    @Test(.covers("C39"))
    func `a collapse key applies to data and is ignored for Android notifications`() {
        var message = PushMessage.data(ttl: "60s")
        message.android?.collapseKey = "c"
        #expect(EffectiveMessage(message)[.android].collapseKey == "c")
        message.notification = ["title": "Spring tide"]
        #expect(EffectiveMessage(message)[.android].collapseKey == nil)
    }

    @Test(.covers("C22", "C25")) func `a message for another platform shows nothing`() throws {
        var bench = try ModelBench(platform: .apple)
        var message = PushMessage()
        message.android = AndroidBlock()
        message.android?.notification = ["title": "Android only"]
        try bench.send(message, at: 1)
        let inbox = try bench.inbox(at: 1)
        #expect(inbox.received.isEmpty)
        #expect(inbox.counts.nothingForPlatform == 1)
    }

    @Test func `a message that is empty on all platforms wakes the app`() throws {
        var bench = try ModelBench(platform: .apple)
        try bench.send(PushMessage(), at: 1)
        #expect(try bench.inbox(at: 1).received.map(\.manner) == [.callback])
    }

    @Test(.covers("C53", "F1.5-expiration")) func `apns-expiration 0 means now or never`() throws {
        var bench = try ModelBench(online: false, platform: .apple)
        var message = PushMessage.notification("Now")
        message.apns = ApnsBlock()
        message.apns?.headers = ["apns-expiration": "0"]
        try bench.send(message, at: 1)
        #expect(try bench.inbox(at: 1).counts.dropped == 1)
    }
}

extension DataEntry {
    fileprivate var text: String { "\(key)=\(value)" }
}
