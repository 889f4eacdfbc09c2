import DeliveryModel
import FCMWire
import JSON
import Testing

struct NewestMessagesTests {
    @Test(arguments: [999, 1_000, 1_001, 2_000, 2_500, 3_001])
    func `an inbox keeps the newest 1,000 messages in order`(count: Int) throws {
        var model = DeliveryBackend()
        let pixel = try #require(DeviceRegistration("pixel"))
        let now = DeliveryMoment(milliseconds: 0)
        try model.seed(
            [DeviceSpecification(name: "pixel", platform: .android, registration: pixel)],
            at: now
        )
        var message = PushMessage()
        message.data = ["a": "1"]
        let effective = EffectiveMessage(message)
        model.set(.unthrottled, at: now)
        for number in 1...count {
            let id = MessageID(String(number))
            _ = model.accept(effective, id: id, for: .registration(pixel), at: now)
        }
        let inbox = try #require(model.inboxes(at: now).first)
        let received = inbox.received
        let first = max(1, count - 999)
        #expect(inbox.forgotten == first - 1)
        #expect(received.map(\.id.text) == (first...count).map { String($0) })
        let snapshot = model.snapshot(at: now)
        #expect(snapshot.map(\.forgotten) == [inbox.forgotten])
        #expect(snapshot.map { $0.received.map(\.id) } == [received.map(\.id)])
        model.restore(snapshot, at: second(4))
        #expect(model.inboxes(at: now).map(\.forgotten) == [inbox.forgotten])
    }
}
