package import CampaignModel
package import FCMWire
package import JSON
package import Time

/// A campaign's FCM message, without its target and without values that depend on the send time.
///
/// If the campaign has `locales` or variants, it is the campaign's own text, and `others` has the rest.
package struct MessageTemplate: Hashable, Sendable {
    /// The v1 `Message` without its target.
    package let fields: JSONObject
    /// The number of seconds after the send time for `apns-expiration`.
    ///
    /// nil if the author wrote the header or the lifetime is unlimited. 0 is written unchanged: now
    /// or never.
    package let appleTimeToLive: Int64?

    /// nil if the message has no fixed end.
    package let expiry: MessageExpiry?

    /// The platforms that still need an occurrence's key; empty once it is written.
    package let keyed: [Platform]

    /// The messages of `locales` or of the variants, in the order of the file.
    package let others: [OtherMessage]

    /// The part that is encrypted for each recipient; nil if the message is sent in the clear.
    package let sealed: SealedContent?

    init(
        fields: JSONObject,
        appleTimeToLive: Int64?,
        expiry: MessageExpiry? = nil,
        keyed: [Platform] = [],
        others: [OtherMessage] = [],
        sealed: SealedContent? = nil
    ) {
        self.fields = fields
        self.appleTimeToLive = appleTimeToLive
        self.expiry = expiry
        self.keyed = keyed
        self.others = others
        self.sealed = sealed
    }

    /// Returns the message of a campaign in all of its languages and variants.
    package init(of campaign: Campaign) {
        self.init(of: campaign, lowered: DeliveryLowering(campaign))
    }

    /// `lowering`: that of the campaign's own text.
    package init(of campaign: Campaign, lowered lowering: DeliveryLowering) {
        let own = lowering.template
        self.init(
            fields: own.fields,
            appleTimeToLive: own.appleTimeToLive,
            expiry: own.expiry,
            keyed: own.keyed,
            others: campaign.localizations.map { local in
                let lowering = DeliveryLowering(campaign.saying(local.content))
                return OtherMessage(.locale(local.locale), template: lowering.template)
            }
                + campaign.variants.map { variant in
                    let lowering = DeliveryLowering(campaign.saying(variant.content))
                    return OtherMessage(.variant(variant.id), template: lowering.template)
                },
            sealed: own.sealed
        )
    }

    /// Returns the template with an occurrence's key where the author wrote none.
    package func keyed(_ key: DeduplicationKey) -> MessageTemplate {
        MessageTemplate(
            fields: fields.setting(key.text, on: keyed),
            appleTimeToLive: appleTimeToLive,
            expiry: expiry,
            others: others.map { $0.mapping { $0.keyed(key) } },
            sealed: sealed
        )
    }

    /// Returns the template whose envelopes belong to an occurrence.
    package func bound(to occurrence: OccurrenceID) -> MessageTemplate {
        guard let sealed else { return self }
        return MessageTemplate(
            fields: fields,
            appleTimeToLive: appleTimeToLive,
            expiry: expiry,
            keyed: keyed,
            others: others.map { $0.mapping { $0.bound(to: occurrence) } },
            sealed: sealed.bound(to: occurrence)
        )
    }

    /// The template without an occurrence's key, as the author wrote it.
    package var withoutKey: MessageTemplate {
        MessageTemplate(
            fields: fields,
            appleTimeToLive: appleTimeToLive,
            expiry: expiry,
            others: others.map { $0.mapping(\.withoutKey) },
            sealed: sealed?.unbound
        )
    }

    /// Whether a platform needs an occurrence's key in any text.
    package var needsKey: Bool {
        !keyed.isEmpty || others.contains { $0.template.needsKey }
    }

    /// The campaign's own text, and then the others.
    package var texts: [MessageTemplate] { [self] + others.map(\.template) }

    /// The message that recipients with this text get; nil if there is none.
    package func text(_ key: TextKey) -> MessageTemplate? {
        key == .own ? self : others.first { $0.key == key }?.template
    }

    /// Returns the message for a send time.
    package func message(sentAt moment: Instant) -> SendRequest {
        completed(
            appleExpiration: { String(moment.secondsSince1970 + $0) },
            countdown: { end, platform in
                let left = TimeToLive.left(until: end, at: moment)
                return platform == .android ? "\(left)s" : "\(left)"
            }
        )
    }

    /// The message as shown before its send time is known, without secrets.
    package var preview: SendRequest {
        let shown = completed(
            appleExpiration: { "moment of sending + \($0) s" },
            countdown: { end, _ in "seconds until \(end)" }
        )
        let readable = sealed?.shown(in: shown.message) ?? shown.message
        let message = readable.setting(DeduplicationKey.placeholder, on: keyed)
        let secret = ["apns", "live_activity_token"]
        guard MessageContent(fields: message).value(at: secret) != nil else {
            return SendRequest(message: message)
        }
        return SendRequest(message: message.setting("<redacted>", at: secret))
    }

    private func completed(
        appleExpiration: (Int64) -> String,
        countdown: (Instant, Platform) -> String
    ) -> SendRequest {
        var fields = sealed?.completing(fields) ?? fields
        if let appleTimeToLive, appleTimeToLive > 0 {
            fields = fields.setting(
                .string(appleExpiration(appleTimeToLive)),
                at: Platform.apple.lifePath
            )
        }
        guard let expiry else { return SendRequest(message: fields) }
        for platform in expiry.countdowns {
            let text = countdown(expiry.end, platform)
            fields = fields.setting(.string(text), at: platform.lifePath)
        }
        return SendRequest(message: fields)
    }
}

/// A campaign's message of a key of `locales`, or of a variant.
package struct OtherMessage: Hashable, Sendable {
    package let key: TextKey
    package let template: MessageTemplate

    package init(_ key: TextKey, template: MessageTemplate) {
        self.key = key
        self.template = template
    }

    fileprivate func mapping(_ change: (MessageTemplate) -> MessageTemplate) -> OtherMessage {
        OtherMessage(key, template: change(template))
    }
}

/// A fixed end of a message's lifetime.
package struct MessageExpiry: Hashable, Sendable {
    package let end: Instant
    /// The platforms that receive the number of remaining seconds at the send time.
    package let countdowns: [Platform]
}

extension TimeToLive {
    /// Returns whole seconds, clamped to FCM's range.
    fileprivate static func left(until end: Instant, at moment: Instant) -> Int64 {
        min(max(0, end.seconds(since: moment)), maximumSeconds)
    }
}

extension MessageTemplate {
    /// Returns the fixed end of the message's lifetime on a platform.
    ///
    /// nil if it has none, or if the author wrote another value into the platform's own field.
    package func end(on platform: Platform) -> Instant? {
        guard let expiry else { return nil }
        let written = MessageContent(fields: fields).value(at: platform.lifePath)
        let isApples = platform == .apple && written == .string("\(expiry.end.secondsSince1970)")
        return isApples || expiry.countdowns.contains(platform) ? expiry.end : nil
    }

    /// Whether the lifetime of a message with the given due time has ended.
    package func isOver(at now: Instant, due: Instant) -> Bool { now >= end(due: due) }

    /// Returns the first instant after the lifetime of a message with the given due time.
    ///
    /// A message with a lifetime of 0 is tried for ten seconds. If the lifetime is a duration, its
    /// last second is included.
    package func end(due: Instant) -> Instant {
        expiry?.end ?? due.advanced(bySeconds: max(life, 10) + 1)
    }

    /// The message's longest time to live on any platform and in any text, in seconds.
    ///
    /// It is four weeks if a platform specifies none.
    package var life: Int64 {
        others.reduce(ownLife) { max($0, $1.template.life) }
    }

    private var ownLife: Int64 {
        let content = MessageContent(fields: fields)
        let platforms = Platform.allCases.filter { content.kind(on: $0) != .nothing }
        return platforms.map { life(on: $0, of: content) }.max() ?? TimeToLive.maximumSeconds
    }

    private func life(on platform: Platform, of content: MessageContent) -> Int64 {
        if platform == .apple, let appleTimeToLive { return appleTimeToLive }
        guard case .seconds(let seconds)? = content.statedLife(on: platform) else {
            return TimeToLive.maximumSeconds
        }
        return seconds
    }

    /// The form that the ledger stores.
    package var stored: JSONValue {
        var stored: JSONObject = [
            "fields": .object(fields),
            "apple_time_to_live": appleTimeToLive.map(JSONValue.integer) ?? .null,
        ]
        if let expiry { stored["expiry"] = expiry.stored }
        if let sealed { stored["encrypted"] = sealed.stored }
        for (name, messages) in others.storedGroups {
            let members = messages.map {
                JSONObject.Member(key: $0.key.stored, value: $0.template.stored)
            }
            stored[name] = .object(JSONObject(members))
        }
        return .object(stored)
    }

    package init?(stored: JSONValue) {
        guard let fields = stored["fields"]?.objectValue else { return nil }
        var expiry: MessageExpiry?
        if let stored = stored["expiry"] {
            guard let read = MessageExpiry(stored: stored) else { return nil }
            expiry = read
        }
        var sealed: SealedContent?
        if let stored = stored["encrypted"] {
            guard let read = SealedContent(stored: stored) else { return nil }
            sealed = read
        }
        var others: [OtherMessage] = []
        for name in [OtherMessage.locales, OtherMessage.variants] {
            for member in stored[name]?.objectValue?.members ?? [] {
                let key =
                    name == OtherMessage.locales
                    ? Locale(member.key).map(TextKey.locale)
                    : Identifier<Variant>(member.key).map(TextKey.variant)
                guard let key, let template = MessageTemplate(stored: member.value) else {
                    return nil
                }
                others.append(OtherMessage(key, template: template))
            }
        }
        self.init(
            fields: fields,
            appleTimeToLive: stored["apple_time_to_live"]?.integerValue,
            expiry: expiry,
            others: others,
            sealed: sealed
        )
    }
}

extension OtherMessage {
    fileprivate static let locales = "locales"
    fileprivate static let variants = "variants"
}

extension [OtherMessage] {
    /// The messages by the key under which they are stored; empty groups are omitted.
    package var storedGroups: [(name: String, messages: [OtherMessage])] {
        let locales = filter { $0.key.locale != nil }
        let variants = filter { $0.key.locale == nil }
        return [(OtherMessage.locales, locales), (OtherMessage.variants, variants)]
            .filter { !$0.1.isEmpty }
    }
}

extension MessageExpiry {
    fileprivate var stored: JSONValue {
        .object([
            "end": .integer(end.secondsSince1970),
            "countdowns": .array(countdowns.map { .string($0.rawValue) }),
        ])
    }

    fileprivate init?(stored: JSONValue) {
        guard let end = stored["end"]?.integerValue,
            let names = stored["countdowns"]?.arrayValue
        else { return nil }
        let platforms = names.compactMap { $0.stringValue.flatMap(Platform.init(rawValue:)) }
        guard platforms.count == names.count else { return nil }
        self.init(end: Instant(secondsSince1970: end), countdowns: platforms)
    }
}

extension JSONObject {
    /// Returns the message with a key in the fields by which platforms replace notifications.
    fileprivate func setting(_ key: String, on platforms: [Platform]) -> JSONObject {
        platforms.reduce(self) { $0.setting(.string(key), at: $1.replacementPath) }
    }

    /// Returns the object with a value at a path; missing objects on the path are created.
    func setting(_ value: JSONValue, at path: [String]) -> JSONObject {
        guard let key = path.first else { return self }
        var copy = self
        if path.count == 1 {
            copy[key] = value
        } else {
            let inner = self[key]?.objectValue ?? JSONObject()
            copy[key] = .object(inner.setting(value, at: Array(path.dropFirst())))
        }
        return copy
    }
}
