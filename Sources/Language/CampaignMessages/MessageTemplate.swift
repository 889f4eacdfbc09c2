package import CampaignModel
package import FCMWire
package import JSON
package import Time

/// A campaign's message as FCM gets it, but for its target and for what only the moment of
/// sending decides.
package struct MessageTemplate: Hashable, Sendable {
    /// The v1 `Message` without its target.
    package let fields: JSONObject
    /// `apns-expiration` is this many seconds after the moment of sending; nil where the author
    /// wrote it or nothing limits the message's life.
    ///
    /// 0 is written as it stands: now or never.
    package let appleTimeToLive: Int64?

    /// Nil where nothing ends at a fixed moment.
    package let expiry: MessageExpiry?

    /// The platforms that still wait for the key of an occurrence; empty once it is written.
    package let keyed: [Platform]

    init(
        fields: JSONObject,
        appleTimeToLive: Int64?,
        expiry: MessageExpiry? = nil,
        keyed: [Platform] = []
    ) {
        self.fields = fields
        self.appleTimeToLive = appleTimeToLive
        self.expiry = expiry
        self.keyed = keyed
    }

    /// With the key of an occurrence where none was written by the author.
    package func keyed(_ key: DeduplicationKey) -> MessageTemplate {
        MessageTemplate(
            fields: fields.setting(key.text, on: keyed),
            appleTimeToLive: appleTimeToLive,
            expiry: expiry
        )
    }

    /// Without any mention of a key: what the author decides.
    package var withoutKey: MessageTemplate {
        MessageTemplate(fields: fields, appleTimeToLive: appleTimeToLive, expiry: expiry)
    }

    /// The message as it is sent at a moment.
    package func message(sentAt moment: Instant) -> SendRequest {
        completed(
            appleExpiration: { String(moment.secondsSince1970 + $0) },
            countdown: { end, platform in
                let left = TimeToLive.left(until: end, at: moment)
                return platform == .android ? "\(left)s" : "\(left)"
            }
        )
    }

    /// The message as it is shown before its moment is known; a secret in it is not.
    package var preview: SendRequest {
        let shown = completed(
            appleExpiration: { "moment of sending + \($0) s" },
            countdown: { end, _ in "seconds until \(end)" }
        )
        let message = shown.message.setting(DeduplicationKey.placeholder, on: keyed)
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
        var fields = fields
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

/// A fixed end of a message's life.
package struct MessageExpiry: Hashable, Sendable {
    package let end: Instant
    /// The platforms that are told how many seconds are left at the moment of sending.
    package let countdowns: [Platform]
}

extension TimeToLive {
    /// Whole seconds, within what FCM takes.
    fileprivate static func left(until end: Instant, at moment: Instant) -> Int64 {
        min(max(0, end.seconds(since: moment)), maximumSeconds)
    }
}

extension MessageTemplate {
    /// The fixed end of the message's life on a platform; nil where it has none, or the author
    /// wrote another into the platform's own field.
    package func end(on platform: Platform) -> Instant? {
        guard let expiry else { return nil }
        let written = MessageContent(fields: fields).value(at: platform.lifePath)
        let isApples = platform == .apple && written == .string("\(expiry.end.secondsSince1970)")
        return isApples || expiry.countdowns.contains(platform) ? expiry.end : nil
    }

    /// Whether a message that was due at a moment is worth nothing any more.
    package func isOver(at now: Instant, due: Instant) -> Bool { now >= end(due: due) }

    /// The first moment at which a message that was due at another is worth nothing any more.
    ///
    /// One that is now or never is tried for ten seconds. Where its life has a length, its last
    /// second counts.
    package func end(due: Instant) -> Instant {
        expiry?.end ?? due.advanced(bySeconds: max(life, 10) + 1)
    }

    /// How long, in seconds, the message is worth delivering on at least one platform: the longest
    /// time to live, four weeks where one platform has none.
    package var life: Int64 {
        let content = MessageContent(fields: fields)
        let platforms = Platform.allCases.filter { content.kind(on: $0) != .nothing }
        return platforms.map { life(on: $0, content) }.max() ?? TimeToLive.maximumSeconds
    }

    private func life(on platform: Platform, _ content: MessageContent) -> Int64 {
        if platform == .apple, let appleTimeToLive { return appleTimeToLive }
        guard case .seconds(let seconds)? = content.statedLife(on: platform) else {
            return TimeToLive.maximumSeconds
        }
        return seconds
    }

    /// The form in which the ledger keeps it.
    package var stored: JSONValue {
        var stored: JSONObject = [
            "fields": .object(fields),
            "apple_time_to_live": appleTimeToLive.map(JSONValue.integer) ?? .null,
        ]
        if let expiry { stored["expiry"] = expiry.stored }
        return .object(stored)
    }

    package init?(stored: JSONValue) {
        guard let fields = stored["fields"]?.objectValue else { return nil }
        var expiry: MessageExpiry?
        if let stored = stored["expiry"] {
            guard let read = MessageExpiry(stored: stored) else { return nil }
            expiry = read
        }
        self.init(
            fields: fields,
            appleTimeToLive: stored["apple_time_to_live"]?.integerValue,
            expiry: expiry
        )
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
    /// This message with a key in the fields by which platforms replace what they show.
    fileprivate func setting(_ key: String, on platforms: [Platform]) -> JSONObject {
        platforms.reduce(self) { $0.setting(.string(key), at: $1.replacementPath) }
    }

    /// This object with a value at a path; objects on the way are made where they are missing.
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
