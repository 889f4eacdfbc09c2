import CampaignMessages
import CampaignModel
import Envelopes
import FCMWire
import JSON
import Planning

extension MessageDescription {
    /// Describes a message in all of its languages and variants.
    ///
    /// `texts`: the number of registrations for each text. `isToSubscribers`: whether
    /// subscribers of a topic receive the message. `sentBefore`: the revision that was sent before.
    ///
    /// FCM collapses such messages if they have no content (Firebase documentation, About FCM
    /// messages).
    init(
        _ template: MessageTemplate,
        key: DeduplicationKey?,
        texts: [PlannedText],
        isToSubscribers: Bool,
        sentBefore: SentRevision?
    ) {
        func platforms(of text: MessageTemplate) -> [PlatformDescription] {
            let message = text.preview.message
            return Platform.allCases.map { platform in
                PlatformDescription(
                    EffectiveMessage(of: message, on: platform),
                    sealed: text.sealed,
                    delivery: DeliveryWording(text, on: platform, key: key),
                    isToSubscribers: isToSubscribers
                )
            }
        }
        func count(of key: TextKey) -> Int? { texts.first { $0.key == key }?.count }
        let content = MessageContent(fields: template.preview.message)
        self.platforms = platforms(of: template)
        others = template.others.map { text in
            OtherDescription(
                name: text.key.label,
                count: count(of: text.key),
                platforms: platforms(of: text.template)
            )
        }
        ownCount = count(of: .own)
        isOwnSent = !template.others.contains { $0.key.isVariant }
        let isKeyed = Platform.allCases.contains {
            content.value(at: $0.replacementPath)?.stringValue == key?.text
        }
        replacement = key.flatMap { key in
            isKeyed ? ReplacementDescription(key, effect: RepeatEffect(of: template)) : nil
        }
        renewal = sentBefore.map { RenewalWording(of: template, after: $0).sentence }
    }
}

/// Says what happens to the notification of an earlier revision.
private struct RenewalWording {
    let sentence: String

    init(of template: MessageTemplate, after earlier: SentRevision) {
        let effect = earlier.message.map { RepeatEffect(of: template, after: $0) }
        let shown = "the notification of revision \(earlier.revision)"
        sentence =
            "This send is a deliberate repeat, because `revision` was raised"
            + (effect.map { Self.wording($0, of: template, shown: shown) } ?? "") + "."
    }

    private static func wording(
        _ effect: RepeatEffect,
        of template: MessageTemplate,
        shown: String
    ) -> String {
        let kinds = MessageKinds(MessageContent(fields: template.fields))
        let doubled = effect.doubled.filter { kinds[$0].showsSomething }
        switch (effect.replaced.isEmpty, doubled.isEmpty) {
        case (true, true): return ""
        case (true, false): return ": a device that still shows \(shown) then shows both"
        case (false, true): return ": the new notification replaces \(shown)"
        case (false, false):
            return ": the new notification replaces \(shown) on \(effect.replaced.names); a device "
                + "of another platform shows both"
        }
    }
}

extension ReplacementDescription {
    fileprivate init?(_ key: DeduplicationKey, effect: RepeatEffect) {
        guard !effect.replaced.isEmpty else { return nil }
        self.key = key.text
        place = effect.replacesEverywhere ? "" : " on \(effect.replaced.names) only"
    }
}

extension PlatformDescription {
    fileprivate init(
        _ message: EffectiveMessage,
        sealed: SealedContent?,
        delivery: DeliveryWording,
        isToSubscribers: Bool
    ) {
        let isNothing = message.kind == .nothing
        let told = delivery.told.union(Self.shown)
        platform = message.platform
        kind = message.kind.wording
        getsSomething = !isNothing
        showsSomething = message.kind.showsSomething
        title = message.text(at: ["notification", "title"])
        body = message.text(at: ["notification", "body"])
        image = message.text(at: ["notification", "image"])
        fields =
            isNothing
            ? []
            : (message.fields.filter { !told.contains($0.path) }.map { ($0.path, $0.value) }
                + (sealed?.fields ?? []))
                .map { Field(path: $0.0.joined(separator: "."), value: $0.1.wording) }
        life = isNothing ? "" : delivery.life
        priority = isNothing ? "" : delivery.priority
        let isLast = message.kind == .ping && isToSubscribers && !delivery.isAtOnce
        replaces = isLast ? "an offline device gets only the newest" : delivery.replaces
    }

    private static let shown: Set<[String]> = [
        ["notification", "title"], ["notification", "body"], ["notification", "image"],
        // The encrypted content is shown instead.
        ["data", EnvelopeFields.envelope], ["data", EnvelopeFields.context],
    ]
}

extension EffectiveMessage {
    fileprivate func text(at path: [String]) -> String? {
        fields.first { $0.path == path }?.value.stringValue
    }
}

extension MessageKind {
    fileprivate var wording: String {
        switch self {
        case .notification: "notification"
        case .data: "data"
        case .notificationAndData: "notification and data"
        case .liveActivity: "live activity"
        case .ping: "ping"
        case .nothing: "nothing"
        }
    }
}

extension JSONValue {
    /// A string unchanged, any other value as JSON.
    var wording: String { stringValue ?? compactText }
}
