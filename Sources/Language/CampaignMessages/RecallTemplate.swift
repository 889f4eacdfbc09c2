package import CampaignModel
import JSON
package import Time

/// What a recall can do about a message on each platform.
package struct RecallEffect: Hashable, Sendable {
    /// The platforms on which the message shows a notification under a key in all of its texts.
    package let replaced: [Platform]
    /// The platforms on which the message shows a notification that nothing replaces, in at least one text.
    package let left: [Platform]

    /// - Parameter template: With the key of its occurrence.
    package init(of template: MessageTemplate) {
        let shown = Platform.allCases.filter { platform in
            template.texts.contains {
                MessageContent(fields: $0.fields).kind(on: platform).showsSomething
            }
        }
        let left = shown.filter { platform in
            template.texts.contains { text in
                MessageContent(fields: text.fields).kind(on: platform).showsSomething
                    && !text.replaceable.contains(platform)
            }
        }
        self.left = left
        replaced = shown.filter { !left.contains($0) }
    }

    /// Whether the message shows a notification that a recall can replace.
    package var canReplace: Bool { !replaced.isEmpty }
}

extension MessageTemplate {
    /// The name of the key of data, which tells an app what to remove.
    package static let recallKey = "herald_recall"

    /// Returns the message that takes this one back.
    ///
    /// It has content only for the platforms on which this one shows a notification under a key, and each
    /// platform gets that key. It expires with this one.
    ///
    /// - Parameters:
    ///   - message: What it says.
    ///   - due: The due time of this message, which has the key of its occurrence.
    /// - Returns: A message without content if this one shows no notification.
    package func recalled(by message: RecallMessage, due: Instant) -> MessageTemplate {
        let end = recallEnd(due: due)
        func recall(_ text: MessageTemplate) -> MessageTemplate {
            let fields = text.replaceable.reduce(JSONObject()) { fields, platform in
                var fields = fields
                fields[platform.block] = .object(
                    RecallBlock(text.fields, on: platform, end: end).fields(for: message)
                )
                return fields
            }
            return MessageTemplate(
                fields: fields,
                appleTimeToLive: nil,
                expiry: MessageExpiry(
                    end: end,
                    countdowns: text.replaceable.filter { $0 != .apple }
                )
            )
        }
        let own = recall(self)
        return MessageTemplate(
            fields: own.fields,
            appleTimeToLive: nil,
            expiry: own.expiry,
            others: others.map { OtherMessage($0.key, template: recall($0.template)) }
        )
    }

    /// When the last platform gives up this message, which is never later than its own end.
    package func recallEnd(due: Instant) -> Instant {
        expiry?.end ?? due.advanced(bySeconds: max(life, 10))
    }

    /// The platforms on which this text, without the others, shows a notification that another one replaces.
    fileprivate var replaceable: [Platform] {
        RepeatEffect(of: MessageTemplate(fields: fields, appleTimeToLive: nil)).replaced
    }
}

/// Writes the block of a platform in a recall.
private struct RecallBlock {
    /// The block of the message that is taken back.
    private let block: JSONValue
    private let key: String
    private let platform: Platform
    private let end: Instant

    init(_ message: JSONObject, on platform: Platform, end: Instant) {
        block = message[platform.block] ?? .object(JSONObject())
        key = MessageContent(fields: message).value(at: platform.replacementPath)?.stringValue ?? ""
        self.platform = platform
        self.end = end
    }

    func fields(for message: RecallMessage) -> JSONObject {
        var fields = kept
        if platform == .apple {
            fields = fields.setting(
                .string("\(end.secondsSince1970)"),
                at: ["headers", "apns-expiration"]
            )
        }
        return switch message {
        case .silent: silent(fields)
        case .notification(let title, let body): shown(fields, title: title, body: body)
        }
    }

    /// What decides which app shows the notification, how urgently and with which look.
    private var kept: JSONObject {
        Self.kept[platform, default: []].reduce(JSONObject()) { fields, path in
            let value = path.reduce(block as JSONValue?) { $0?[$1] }
            return value.map { fields.setting($0, at: path) } ?? fields
        }
    }

    private static let kept: [Platform: [[String]]] = [
        .android: [["priority"], ["restricted_package_name"]],
        .apple: [["headers", "apns-priority"], ["headers", "apns-topic"]],
        .web: [["headers", "Topic"], ["headers", "Urgency"]],
    ]

    /// A platform that shows the message in a channel, in a thread or with an icon shows the recall in the
    /// same way.
    private static let look: [Platform: [[String]]] = [
        .android: ["channel_id", "color", "icon", "visibility"].map { ["notification", $0] },
        .apple: [["headers", "apns-push-type"], ["payload", "aps", "thread-id"]],
        .web: [["notification", "icon"]],
    ]

    private func shown(_ fields: JSONObject, title: String?, body: String?) -> JSONObject {
        var fields = Self.look[platform, default: []].reduce(fields) { fields, path in
            let value = path.reduce(block as JSONValue?) { $0?[$1] }
            return value.map { fields.setting($0, at: path) } ?? fields
        }
        fields = fields.setting(.string(key), at: Array(platform.replacementPath.dropFirst()))
        let place = platform == .apple ? ["payload", "aps", "alert"] : ["notification"]
        for (name, text) in [("title", title), ("body", body)] {
            guard let text else { continue }
            fields = fields.setting(.string(text), at: place + [name])
        }
        return fields
    }

    /// Apple accepts background pushes with priority 5 only (Apple documentation, Pushing background updates
    /// to your App).
    private func silent(_ fields: JSONObject) -> JSONObject {
        let name = MessageTemplate.recallKey
        guard platform == .apple else {
            return fields.setting(.string(key), at: ["data", name])
        }
        return fields.setting("5", at: ["headers", "apns-priority"])
            .setting("background", at: ["headers", "apns-push-type"])
            .setting(1, at: ["payload", "aps", "content-available"])
            .setting(.string(key), at: ["payload", name])
    }
}

/// A key under which a platform replaces notifications, as the message has it.
package struct ReplacementKey: Hashable, Sendable {
    package let platform: Platform
    package let text: String

    package init(_ text: String, on platform: Platform) {
        self.text = text
        self.platform = platform
    }
}

extension MessageTemplate {
    /// The keys under which a later message replaces notifications of this one, in any text.
    ///
    /// `self`: with the key of its occurrence.
    package var replacementKeys: Set<ReplacementKey> {
        var keys: Set<ReplacementKey> = []
        for text in texts {
            for platform in text.replaceable {
                let value = MessageContent(fields: text.fields).value(at: platform.replacementPath)
                guard let key = value?.stringValue else { continue }
                keys.insert(ReplacementKey(key, on: platform))
            }
        }
        return keys
    }
}
