package import CampaignModel
import JSON

/// Decides on which platforms a repeat of a message replaces the first one.
///
/// A platform counts if the message has content for it. The repeat replaces the first message on
/// a platform if the message is displayed there under a de-duplication key: the occurrence's key or
/// one that the author wrote. On the other platforms the app receives the message twice.
///
/// Herald has no information about a registration's platform. Without the author's consent it
/// repeats a single send only if the repeat replaces the first message everywhere. Everything that
/// repeats a send or describes a repeat uses this type.
package struct RepeatEffect: Hashable, Sendable {
    /// The platforms on which a repeat replaces the first message.
    package let replaced: [Platform]
    /// The platforms on which the app receives the message twice.
    package let doubled: [Platform]

    /// If the message has several languages, a platform counts as replaced only if it is in all of
    /// them.
    ///
    /// - Parameter template: With or without the key of its occurrence.
    package init(of template: MessageTemplate) {
        let effects = template.texts.map(RepeatEffect.init(ofText:))
        let doubled = Platform.allCases.filter { platform in
            effects.contains { $0.doubled.contains(platform) }
        }
        self.doubled = doubled
        replaced = Platform.allCases.filter { platform in
            !doubled.contains(platform) && effects.contains { $0.replaced.contains(platform) }
        }
    }

    /// Decides on which platforms a message replaces the notification of an earlier one, because
    /// both have the same key in all languages.
    ///
    /// A platform counts if both messages have content for it.
    ///
    /// - Parameters:
    ///   - template: With the key of its occurrence.
    ///   - earlier: The message that was sent before, with the key of that occurrence.
    package init(of template: MessageTemplate, after earlier: MessageTemplate) {
        let texts = template.texts.map { MessageContent(fields: $0.fields) }
        let before = earlier.texts.map { MessageContent(fields: $0.fields) }
        let effect = RepeatEffect(of: template)
        let reached = Platform.allCases.filter { platform in
            (effect.replaced + effect.doubled).contains(platform)
                && before.contains { $0.kind(on: platform) != .nothing }
        }
        let replaced = reached.filter { platform in
            let shown = before.filter { $0.kind(on: platform).showsSomething }
            let keys = Set((texts + shown).map { $0.value(at: platform.replacementPath) })
            return effect.replaced.contains(platform) && !shown.isEmpty && keys.count == 1
        }
        self.replaced = replaced
        doubled = reached.filter { !replaced.contains($0) }
    }

    private init(ofText template: MessageTemplate) {
        let content = MessageContent(fields: template.fields)
        let kinds = MessageKinds(content)
        let reached = Platform.allCases.filter { kinds[$0] != .nothing }
        func isReplaced(on platform: Platform) -> Bool {
            let hasKey = template.keyed.contains(platform) || content.hasKey(on: platform)
            return hasKey && kinds[platform].showsSomething && content.isReplaceable(on: platform)
        }
        replaced = reached.filter(isReplaced)
        doubled = reached.filter { !isReplaced(on: $0) }
    }

    /// Whether a repeat replaces the first message on every platform that it has content for.
    package var replacesEverywhere: Bool { doubled.isEmpty }

    /// The rule that `replacesEverywhere` tests, as the end of a sentence about a message.
    package static let rule =
        "is displayed under a de-duplication key on every platform that it has content for"
}

extension MessageContent {
    /// An empty key replaces nothing (WHATWG, Notifications API, tag).
    fileprivate func hasKey(on platform: Platform) -> Bool {
        value(at: platform.replacementPath)?.stringValue?.isEmpty == false
    }

    /// Whether the platform can replace what it displays of the message.
    ///
    /// Apple platforms replace alerts alone: a sound or badge without an alert and a push of another
    /// type happen twice (Apple documentation, Sending notification requests to APNs).
    fileprivate func isReplaceable(on platform: Platform) -> Bool {
        guard platform == .apple else { return true }
        let type = value(at: ["apns", "headers", "apns-push-type"])?.stringValue ?? "alert"
        return type == "alert" && hasAlert
    }

    private var hasAlert: Bool {
        let alerts = [["notification"], ["apns", "payload", "aps", "alert"]]
        return alerts.contains { value(at: $0).isSomething }
    }
}
