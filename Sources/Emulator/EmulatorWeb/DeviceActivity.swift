import DeliveryModel
import JSON

/// An entry of a device's activity on the page.
struct DeviceActivity: Sendable {
    let moment: DeliveryMoment
    let json: JSONValue

    /// Maximum number of devices whose activity one answer has.
    static let devicesAtOnce = 40
    private static let entriesPerDevice = 20
    private static let entriesAtOnce = 100

    /// Returns the newest activity of devices, oldest first.
    ///
    /// `devices`: the last change first, which is the order of activities at the same time.
    static func newest(of devices: [DisplayedDevice]) -> [DeviceActivity] {
        devices.reversed().flatMap { newest(of: $0) }.sorted { $0.moment < $1.moment }
            .suffix(entriesAtOnce).map(\.self)
    }

    private static func newest(of displayed: DisplayedDevice) -> [DeviceActivity] {
        let inbox = displayed.inbox
        let name = inbox.device.name
        let events = displayed.log.events.suffix(entriesPerDevice)
        var all = zip(events.indices, events).compactMap { index, event in
            // The entry of the message already shows that it was opened.
            event.kind == .opened
                ? nil
                : DeviceActivity(event, number: displayed.log.forgotten + index + 1, on: name)
        }
        let received = inbox.received.suffix(entriesPerDevice)
        for (index, message) in zip(received.indices, received) {
            let number = inbox.forgotten + index + 1
            let headline = message.content.headline(on: inbox.device)
            all.append(DeviceActivity(message, headline: headline, number: number, on: name))
            if let moment = message.openedAt {
                let key = "opened \(number)"
                all.append(
                    DeviceActivity(key, at: moment, event: "opened", more: headline, on: name)
                )
            }
        }
        all += inbox.waiting.suffix(entriesPerDevice).map { DeviceActivity($0, on: name) }
        all += inbox.dropped.suffix(entriesPerDevice).map { DeviceActivity($0, on: name) }
        return all.sorted { $0.moment < $1.moment }.suffix(entriesPerDevice).map(\.self)
    }

    /// Creates an entry; `key` must be unique on the device.
    private init(
        _ key: String,
        at moment: DeliveryMoment,
        event: String,
        more: JSONObject = [:],
        on device: String
    ) {
        self.moment = moment
        var members: JSONObject = [
            "device": .string(device), "key": .string(key), "at": .string(moment.rfc3339),
            "event": .string(event),
        ]
        for member in more.members { members.append(member.key, value: member.value) }
        json = .object(members)
    }

    private init(_ event: DeviceEvent, number: Int, on device: String) {
        var topic = JSONObject()
        topic["topic"] = event.topic.map { .string($0.shortened) }
        self.init(
            "event \(number)",
            at: event.at,
            event: event.kind.rawValue,
            more: topic,
            on: device
        )
    }

    private init(
        _ message: ReceivedMessage,
        headline: JSONObject,
        number: Int,
        on device: String
    ) {
        var more = headline
        more["how"] = .string(message.manner.rawValue)
        self.init(
            "received \(number)",
            at: message.receivedAt,
            event: "delivered",
            more: more,
            on: device
        )
    }

    private init(_ message: WaitingMessage, on device: String) {
        var more = message.content.headline
        more["reason"] = .string(message.reason.rawValue)
        self.init(
            "waits \(message.id.text)",
            at: message.acceptedAt,
            event: "pending",
            more: more,
            on: device
        )
    }

    private init(_ message: DroppedMessage, on device: String) {
        self.init(
            "lost \(message.id.text) \(message.droppedAt.milliseconds)",
            at: message.droppedAt,
            event: message.outcome.rawValue,
            more: message.content.headline,
            on: device
        )
    }
}
