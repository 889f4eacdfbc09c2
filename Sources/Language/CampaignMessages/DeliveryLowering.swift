package import CampaignModel
import JSON
import Scheduling
import Time

/// Converts a campaign's `delivery` to each platform's own fields.
///
/// Each platform interprets the values differently (Firebase documentation, About FCM messages).
package struct DeliveryLowering: Sendable {
    /// A remark about the conversion for reviewers.
    package enum Note: Hashable, Sendable {
        /// The author wrote the platform's field, so `delivery` does not apply there.
        case authorWins(field: String)
        /// A message without alert, badge or sound may use only priority 5 on Apple platforms.
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
    /// The `delivery` key that wrote a field, by the field's path in the message.
    ///
    /// Fields that are not listed are the author's.
    package let written: [[String]: Intent]
    /// The platforms that receive the occurrence's own key.
    ///
    /// They show a notification, and the author did not specify what it replaces.
    package let keyed: [Platform]
    /// The sizes of the encrypted part; nil if the message is sent in the clear.
    let sealedSize: SealedSize?

    package init(_ campaign: Campaign) {
        var writer = FieldWriter(content: campaign.readableContent)
        writer.write(campaign.delivery)
        template = MessageTemplate(
            fields: writer.fields,
            appleTimeToLive: writer.appleTimeToLive,
            expiry: campaign.delivery.expires.map { expires in
                MessageExpiry(end: expires.instant, countdowns: writer.countdowns)
            },
            keyed: writer.keyed,
            sealed: campaign.sealedContent
        )
        sealedSize = SealedSize(of: campaign)
        keyed = writer.keyed
        notes = writer.notes
        written = writer.written
    }

    private init(_ lowering: DeliveryLowering, key: DeduplicationKey) {
        template = lowering.template.keyed(key)
        sealedSize = lowering.sealedSize
        keyed = lowering.keyed
        notes = lowering.notes
        written = lowering.written
    }

    /// Returns the conversion with an occurrence's key.
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
    /// Platforms that receive the remaining seconds until a fixed end, computed at the send time.
    var countdowns: [Platform] = []
    /// Platforms that receive the occurrence's own key.
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

    /// Writes a duration on Android, a UNIX time on Apple platforms, and seconds on the web.
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

    /// Writes a UNIX time on Apple platforms.
    ///
    /// Other platforms receive the seconds that remain at the send time.
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
            let mayBeHigh = kinds[.apple].mayBeUrgentOnApple
            let path = ["apns", "headers", "apns-priority"]
            let value = priority == .high && mayBeHigh ? "10" : "5"
            if set(value, at: path, by: .priority), priority == .high, !mayBeHigh {
                notes.append(.dataPriorityOnApple)
            }
        }
    }

    /// FCM ignores `collapse_key` on notifications; their tag replaces the shown notification.
    ///
    /// On the web, `Topic` replaces a message that waits, and the tag a shown notification.
    private mutating func writeCollapse(_ key: CollapseKey, on platform: Platform) {
        switch platform {
        case .android where kinds[.android].showsSomething:
            set(key.text, at: ["android", "notification", "tag"], by: .collapse)
        case .android: set(key.text, at: ["android", "collapse_key"], by: .collapse)
        case .apple: set(key.text, at: ["apns", "headers", "apns-collapse-id"], by: .collapse)
        case .web:
            set(key.text, at: ["webpush", "headers", "Topic"], by: .collapse)
            if kinds[.web].showsSomething {
                set(key.text, at: platform.replacementPath, by: .collapse)
            }
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
    /// The field for a message's lifetime on the platform.
    package var lifePath: [String] {
        switch self {
        case .android: ["android", "ttl"]
        case .apple: ["apns", "headers", "apns-expiration"]
        case .web: ["webpush", "headers", "TTL"]
        }
    }
}
