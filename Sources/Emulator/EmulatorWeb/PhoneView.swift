import DeliveryModel
import EmulatorAPI
import JSON
import PhoneKeys

/// A device as the page shows it, short enough for hundreds of devices in one answer.
struct PhoneView: Sendable {
    /// Maximum number of devices on the page; the first devices are shown.
    static let shownDevices = 1_000
    private static let shownNotifications = 5
    private static let shownTopics = 20
    private static let shownMessages = 10
    private static let shownHappenings = 20

    private let inbox: DeviceInbox
    /// The device's position in seeding order.
    private let place: Int
    private let log: DeviceLog

    init(_ changed: ChangedDevice) {
        inbox = changed.inbox
        place = changed.place
        log = changed.log
    }

    var json: JSONValue {
        let device = inbox.device
        let topics = device.sortedTopics
        let tray = inbox.tray.suffix(Self.shownNotifications).reversed().compactMap(notification)
        var members: JSONObject = [
            "place": .integer(Int64(place)), "name": .string(device.name),
            "platform": .string(device.platform.rawValue),
        ]
        members["package"] = device.packageName.map { .string($0.shortened) }
        for (name, value) in conditions { members.append(name, value: .bool(value)) }
        members["topics"] = .integer(Int64(topics.count))
        members["topic_names"] = .array(
            topics.prefix(Self.shownTopics).map { .string($0.topic.text) }
        )
        members["tray"] = .array(tray)
        members["tray_count"] = .integer(Int64(inbox.tray.count))
        members["pending"] = .array(inbox.waiting.suffix(Self.shownMessages).map(\.line))
        members["pending_count"] = .integer(Int64(inbox.waiting.count))
        members["dropped"] = .array(inbox.lost.suffix(Self.shownMessages).map(\.line))
        members["dropped_count"] = .integer(Int64(inbox.counts.dropped + inbox.counts.collapsed))
        let handed = inbox.received.filter { $0.manner == .callback }
        members["handed"] = .array(
            handed.suffix(Self.shownMessages).map { $0.line(on: inbox.device) }
        )
        members["handed_count"] = .integer(Int64(handed.count))
        members["happened"] = .array(happened)
        return .object(members)
    }

    /// The conditions; only Android devices have Doze and force stop.
    private var conditions: [(String, Bool)] {
        let device = inbox.device
        var conditions = [
            ("online", device.isOnline), ("foreground", device.isInForeground),
            ("installed", device.isInstalled), ("registered", device.isRegistered),
        ]
        if device.platform == .android {
            conditions.append(("dozing", device.isDozing))
            conditions.append(("force_stopped", device.isForceStopped))
        }
        return conditions
    }

    private func notification(_ number: Int) -> JSONValue? {
        guard let message = inbox.message(number) else { return nil }
        var members: JSONObject = [
            "number": .integer(Int64(number)), "message_id": .string(message.id.text),
            "at": .string(message.receivedAt.rfc3339),
        ]
        message.content.addHeadline(to: &members, on: inbox.device)
        members["image"] = message.content.image.map { .string($0.shortened) }
        return .object(members)
    }

    /// The newest activity, oldest first.
    private var happened: [JSONValue] {
        let events = log.events.suffix(Self.shownHappenings)
        var all = zip(events.indices, events).compactMap { index, event in
            // The entry of the message already shows that it was opened.
            event.kind == .opened ? nil : DeviceActivity(event, number: log.forgotten + index + 1)
        }
        let received = inbox.received.suffix(Self.shownHappenings)
        for (index, message) in zip(received.indices, received) {
            let number = inbox.forgotten + index + 1
            all.append(DeviceActivity(message, number: number))
            if let moment = message.openedAt {
                all.append(DeviceActivity(opened: message, number: number, at: moment))
            }
        }
        all += inbox.waiting.suffix(Self.shownHappenings).map { DeviceActivity($0) }
        all += inbox.dropped.suffix(Self.shownHappenings).map { DeviceActivity($0) }
        return all.sorted { $0.moment < $1.moment }.suffix(Self.shownHappenings).map(\.json)
    }
}

extension DeviceInbox {
    /// The dropped messages, except for those without content for the platform.
    fileprivate var lost: [DroppedMessage] { dropped.filter { $0.outcome != .nothingForPlatform } }
}

/// An entry of a device's activity on the page.
private struct DeviceActivity {
    let moment: DeliveryMoment
    let json: JSONValue

    /// Creates an entry; `key` must be unique on the device.
    private init(
        _ key: String,
        at moment: DeliveryMoment,
        event: String,
        content: MessageContent? = nil,
        more: JSONObject = [:]
    ) {
        self.moment = moment
        var members: JSONObject = [
            "key": .string(key), "at": .string(moment.rfc3339), "event": .string(event),
        ]
        content?.addHeadline(to: &members)
        for member in more.members { members.append(member.key, value: member.value) }
        json = .object(members)
    }

    init(_ event: DeviceEvent, number: Int) {
        var topic = JSONObject()
        topic["topic"] = event.topic.map { .string($0.shortened) }
        self.init(
            "event \(number)",
            at: event.at,
            event: event.kind.rawValue,
            content: nil,
            more: topic
        )
    }

    init(_ message: ReceivedMessage, number: Int) {
        self.init(
            "received \(number)",
            at: message.receivedAt,
            event: "delivered",
            content: message.content,
            more: ["how": .string(message.manner.rawValue)]
        )
    }

    init(opened message: ReceivedMessage, number: Int, at moment: DeliveryMoment) {
        self.init("opened \(number)", at: moment, event: "opened", content: message.content)
    }

    init(_ message: WaitingMessage) {
        self.init(
            "waits \(message.id.text)",
            at: message.acceptedAt,
            event: "pending",
            content: message.content,
            more: ["reason": .string(message.reason.rawValue)]
        )
    }

    init(_ message: DroppedMessage) {
        self.init(
            "lost \(message.id.text) \(message.droppedAt.milliseconds)",
            at: message.droppedAt,
            event: message.outcome.rawValue,
            content: message.content
        )
    }
}

extension ReceivedMessage {
    fileprivate func line(on device: Device) -> JSONValue {
        var members: JSONObject = ["at": .string(receivedAt.rfc3339)]
        content.addHeadline(to: &members, on: device)
        return .object(members)
    }
}

extension WaitingMessage {
    fileprivate var line: JSONValue {
        var members: JSONObject = ["reason": .string(reason.rawValue)]
        content.addHeadline(to: &members)
        members["expires_at"] = .string(min(expiresAt, .last).rfc3339)
        return .object(members)
    }
}

extension DroppedMessage {
    fileprivate var line: JSONValue {
        var members: JSONObject = ["reason": .string(outcome.rawValue)]
        content.addHeadline(to: &members)
        return .object(members)
    }
}

extension MessageContent {
    /// Adds the headline of a message: its title and text, or the first key of its data if it has
    /// neither.
    ///
    /// `device`: the one whose app decrypts the message; nil if it is not there yet. A message that the app
    /// cannot decrypt keeps the readable headline.
    fileprivate func addHeadline(to members: inout JSONObject, on device: Device? = nil) {
        if case .clear(let clear)? = device.flatMap(opened(on:)) {
            let shown = clear["notification"]
            members["title"] = (shown?["title"]?.stringValue).map { .string($0.shortened) }
            members["body"] = (shown?["body"]?.stringValue).map { .string($0.shortened) }
            let first = clear["data"]?.objectValue?.members.first?.key
            if shown == nil { members["key_of_data"] = first.map { .string($0) } }
            members["decrypted"] = true
            return
        }
        members["title"] = title.map { .string($0.shortened) }
        members["body"] = body.map { .string($0.shortened) }
        if title == nil, body == nil { members["key_of_data"] = data.first.map { .string($0.key) } }
    }
}

extension String {
    /// The text, limited to the length that a phone shows.
    fileprivate var shortened: String { count > 300 ? String(prefix(300)) + "…" : self }
}
