package import CampaignModel
import FCMWire

/// Writes a campaign's one delivery intent into each platform's own fields, because each reads
/// the value in its own way (Firebase documentation, About FCM messages).
package struct DeliveryLowering: Sendable {
    /// Something about the lowering that a reviewer should know.
    package enum Note: Hashable, Sendable {
        /// The author wrote the platform's field, so the intent does not apply there.
        case authorWins(field: String)
        /// A message without alert, badge or sound may only use priority 5 on Apple platforms.
        case dataPriorityOnApple
    }

    /// A key of `delivery`.
    package enum Intent: String, Hashable, Sendable {
        case timeToLive = "ttl"
        case priority
        case collapse
    }

    package let template: MessageTemplate
    package let notes: [Note]
    /// Which intent wrote a field, by the field's path in the message; what is not in here is the
    /// author's.
    package let written: [[String]: Intent]

    package init(_ campaign: Campaign) {
        var writer = FieldWriter(content: campaign.content)
        writer.write(campaign.delivery)
        template = MessageTemplate(
            fields: writer.fields,
            appleTimeToLive: writer.appleTimeToLive
        )
        notes = writer.notes
        written = writer.written
    }
}

private struct FieldWriter {
    let content: MessageContent
    var fields: JSONObject
    var notes: [DeliveryLowering.Note] = []
    var written: [[String]: DeliveryLowering.Intent] = [:]
    var appleTimeToLive: Int64?

    init(content: MessageContent) {
        self.content = content
        fields = content.fields
    }

    mutating func write(_ delivery: Delivery) {
        for platform in Platform.allCases where content.kind(on: platform) != .nothing {
            delivery.timeToLive.map { writeTimeToLive($0, on: platform) }
            delivery.priority.map { writePriority($0, on: platform) }
            delivery.collapse.map { writeCollapse($0, on: platform) }
        }
    }

    /// A duration on Android, a UNIX time on Apple platforms, seconds on the web.
    private mutating func writeTimeToLive(_ life: TimeToLive, on platform: Platform) {
        switch platform {
        case .android: set("\(life.seconds)s", at: ["android", "ttl"], by: .timeToLive)
        case .web: set("\(life.seconds)", at: ["webpush", "headers", "TTL"], by: .timeToLive)
        case .apple where life.seconds == 0: set("0", at: Self.appleExpiration, by: .timeToLive)
        case .apple:
            if isFree(Self.appleExpiration) {
                appleTimeToLive = life.seconds
                written[Self.appleExpiration] = .timeToLive
            }
        }
    }

    private mutating func writePriority(_ priority: Delivery.Priority, on platform: Platform) {
        switch platform {
        case .android:
            let value = priority == .high ? "HIGH" : "NORMAL"
            set(value, at: ["android", "priority"], by: .priority)
        case .web: set(priority.rawValue, at: ["webpush", "headers", "Urgency"], by: .priority)
        case .apple:
            let mayBeHigh = content.kind(on: .apple).showsSomething
            let path = ["apns", "headers", "apns-priority"]
            let value = priority == .high && mayBeHigh ? "10" : "5"
            if set(value, at: path, by: .priority), priority == .high, !mayBeHigh {
                notes.append(.dataPriorityOnApple)
            }
        }
    }

    /// FCM ignores `collapse_key` on notifications; there the tag replaces in the tray.
    private mutating func writeCollapse(_ key: CollapseKey, on platform: Platform) {
        switch platform {
        case .android where content.kind(on: .android).showsSomething:
            set(key.text, at: ["android", "notification", "tag"], by: .collapse)
        case .android: set(key.text, at: ["android", "collapse_key"], by: .collapse)
        case .apple: set(key.text, at: ["apns", "headers", "apns-collapse-id"], by: .collapse)
        case .web: set(key.text, at: ["webpush", "headers", "Topic"], by: .collapse)
        }
    }

    @discardableResult
    private mutating func set(
        _ text: String,
        at path: [String],
        by intent: DeliveryLowering.Intent
    ) -> Bool {
        guard isFree(path) else { return false }
        fields = fields.setting(.string(text), at: path)
        written[path] = intent
        return true
    }

    private mutating func isFree(_ path: [String]) -> Bool {
        guard content.value(at: path) != nil else { return true }
        notes.append(.authorWins(field: path.joined(separator: ".")))
        return false
    }

    private static let appleExpiration = ["apns", "headers", "apns-expiration"]
}
