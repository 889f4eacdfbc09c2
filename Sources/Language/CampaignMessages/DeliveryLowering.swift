package import CampaignModel
import JSON
import Scheduling
import Time

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
        case expires
        case priority
        case collapse
    }

    package let template: MessageTemplate
    package let notes: [Note]
    /// Which intent wrote a field, by the field's path in the message; what is not in here is the
    /// author's.
    package let written: [[String]: Intent]
    /// The platforms on which the occurrence's own key is written: something is shown, and nobody
    /// said what it replaces.
    package let keyed: [Platform]

    package init(_ campaign: Campaign) {
        var writer = FieldWriter(content: campaign.content)
        writer.write(campaign.delivery)
        template = MessageTemplate(
            fields: writer.fields,
            appleTimeToLive: writer.appleTimeToLive,
            expiry: campaign.delivery.expires.map { expires in
                MessageExpiry(end: expires.instant, countdowns: writer.countdowns)
            },
            keyed: writer.keyed
        )
        keyed = writer.keyed
        notes = writer.notes
        written = writer.written
    }

    private init(_ lowering: DeliveryLowering, key: DeduplicationKey) {
        template = lowering.template.keyed(key)
        keyed = lowering.keyed
        notes = lowering.notes
        written = lowering.written
    }

    /// The same with the key of an occurrence in it.
    package func keyed(_ key: DeduplicationKey) -> DeliveryLowering {
        DeliveryLowering(self, key: key)
    }
}

private struct FieldWriter {
    let content: MessageContent
    let kinds: MessageKinds
    var fields: JSONObject
    var notes: [DeliveryLowering.Note] = []
    var written: [[String]: DeliveryLowering.Intent] = [:]
    var appleTimeToLive: Int64?
    /// Platforms that get what is left of a fixed end, which only the moment of sending decides.
    var countdowns: [Platform] = []
    /// Platforms that get the occurrence's own key.
    var keyed: [Platform] = []

    init(content: MessageContent) {
        self.content = content
        kinds = MessageKinds(content)
        fields = content.fields
    }

    mutating func write(_ delivery: Delivery) {
        for platform in Platform.allCases where kinds[platform] != .nothing {
            delivery.timeToLive.map { writeTimeToLive($0, on: platform) }
            delivery.expires.map { writeExpiry($0, on: platform) }
            delivery.priority.map { writePriority($0, on: platform) }
            delivery.collapse.map { writeCollapse($0, on: platform) }
        }
        keyed = Platform.allCases.filter { platform in
            kinds[platform].showsSomething
                && MessageContent(fields: fields).value(at: platform.replacementPath) == nil
        }
    }

    /// A duration on Android, a UNIX time on Apple platforms, seconds on the web.
    private mutating func writeTimeToLive(_ life: TimeToLive, on platform: Platform) {
        switch platform {
        case .android: set("\(life.seconds)s", at: platform.lifePath, by: .timeToLive)
        case .web: set("\(life.seconds)", at: platform.lifePath, by: .timeToLive)
        case .apple where life.seconds == 0: set("0", at: platform.lifePath, by: .timeToLive)
        case .apple:
            if isFree(platform.lifePath) {
                appleTimeToLive = life.seconds
                written[platform.lifePath] = .timeToLive
            }
        }
    }

    /// A UNIX time on Apple platforms; the others count from the moment of sending.
    private mutating func writeExpiry(_ expires: ScheduledMoment, on platform: Platform) {
        let path = platform.lifePath
        if platform == .apple {
            set("\(expires.instant.secondsSince1970)", at: path, by: .expires)
        } else if isFree(path) {
            countdowns.append(platform)
            written[path] = .expires
        }
    }

    private mutating func writePriority(_ priority: Delivery.Priority, on platform: Platform) {
        switch platform {
        case .android:
            let value = priority == .high ? "HIGH" : "NORMAL"
            set(value, at: ["android", "priority"], by: .priority)
        case .web: set(priority.rawValue, at: ["webpush", "headers", "Urgency"], by: .priority)
        case .apple:
            let mayBeHigh = kinds[.apple].showsSomething
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
        case .android where kinds[.android].showsSomething:
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
}

extension Platform {
    /// The field that says how long a message lives on the platform.
    package var lifePath: [String] {
        switch self {
        case .android: ["android", "ttl"]
        case .apple: ["apns", "headers", "apns-expiration"]
        case .web: ["webpush", "headers", "TTL"]
        }
    }
}
