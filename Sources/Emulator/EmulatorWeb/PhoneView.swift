import DeliveryModel
import EmulatorAPI
import JSON

/// A device as the page shows it, short enough for hundreds of devices in one answer.
struct PhoneView: Sendable {
    private static let shownNotifications = 5
    private static let shownTopics = 20

    private let inbox: DeviceInbox
    /// The device's position in seeding order.
    private let place: Int

    init(_ displayed: DisplayedDevice) {
        inbox = displayed.inbox
        place = displayed.place
    }

    /// Returns the device at a position among the selected devices.
    func json(at position: Int) -> JSONValue {
        let device = inbox.device
        let topics = device.sortedTopics
        let tray = inbox.tray.suffix(Self.shownNotifications).reversed().compactMap(notification)
        var members: JSONObject = [
            "index": .integer(Int64(position)), "place": .integer(Int64(place)),
            "revision": .integer(Int64(inbox.revision)), "name": .string(device.name),
            "platform": .string(device.platform.rawValue),
        ]
        members["package"] = device.packageName.map { .string($0.shortened) }
        members["registration"] = device.registration.map { .string($0.text) }
        for (name, value) in conditions { members.append(name, value: .bool(value)) }
        members["topics"] = .integer(Int64(topics.count))
        members["topic_names"] = .array(
            topics.prefix(Self.shownTopics).map { .string($0.topic.text) }
        )
        members["tray"] = .array(tray)
        members["tray_count"] = .integer(Int64(inbox.tray.count))
        members["pending_count"] = .integer(Int64(inbox.waiting.count))
        members["pending_reason"] = only(inbox.waiting.map(\.reason.rawValue))
        members["dropped_count"] = .integer(Int64(inbox.counts.dropped + inbox.counts.collapsed))
        members["dropped_reason"] = only(inbox.lost.map(\.outcome.rawValue))
        let handed = inbox.received.count { $0.manner == .callback }
        members["handed_count"] = .integer(Int64(handed))
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
        for member in message.content.headline(on: inbox.device).members {
            members.append(member.key, value: member.value)
        }
        members["image"] = message.content.image.map { .string($0.shortened) }
        return .object(members)
    }

    /// Returns the reason of all messages, or nil if they have several.
    private func only(_ reasons: [String]) -> JSONValue? {
        guard let first = reasons.first, reasons.allSatisfy({ $0 == first }) else { return nil }
        return .string(first)
    }
}

extension DeviceInbox {
    /// The dropped messages, except for those without content for the platform.
    fileprivate var lost: [DroppedMessage] { dropped.filter { $0.outcome != .nothingForPlatform } }
}
