import CampaignModel
package import FCMWire
package import Scheduling

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

    init(fields: JSONObject, appleTimeToLive: Int64?) {
        self.fields = fields
        self.appleTimeToLive = appleTimeToLive
    }

    /// The message as it is sent at a moment.
    package func message(sentAt moment: Instant) -> SendRequest {
        guard let appleTimeToLive, appleTimeToLive > 0 else { return SendRequest(message: fields) }
        let expiry = moment.secondsSince1970 + appleTimeToLive
        return SendRequest(message: fields.settingAppleExpiration(to: String(expiry)))
    }

    /// The message as it is shown before its moment is known.
    package var preview: SendRequest {
        guard let appleTimeToLive, appleTimeToLive > 0 else { return SendRequest(message: fields) }
        return SendRequest(
            message: fields.settingAppleExpiration(
                to: "moment of sending + \(appleTimeToLive) s"
            )
        )
    }
}

extension MessageTemplate {
    /// How long, in seconds, the message is worth delivering on at least one platform: the longest
    /// time to live, four weeks where one platform has none.
    package var life: Int64 {
        let content = MessageContent(fields: fields)
        let platforms = Platform.allCases.filter { content.kind(on: $0) != .nothing }
        return platforms.map { life(on: $0, content) }.max() ?? TimeToLive.maximumSeconds
    }

    private func life(on platform: Platform, _ content: MessageContent) -> Int64 {
        let seconds: Int64? =
            switch platform {
            case .android:
                content.value(at: ["android", "ttl"])?.stringValue
                    .flatMap { $0.split { ".s".contains($0) }.first }.flatMap { Int64($0) }
            case .web:
                content.value(at: ["webpush", "headers", "TTL"])?.stringValue.flatMap { Int64($0) }
            case .apple:
                appleTimeToLive
                    ?? (content.value(at: ["apns", "headers", "apns-expiration"]) == "0" ? 0 : nil)
            }
        return seconds ?? TimeToLive.maximumSeconds
    }

    /// The form in which the ledger keeps it.
    package var stored: JSONValue {
        .object([
            "fields": .object(fields),
            "apple_time_to_live": appleTimeToLive.map(JSONValue.integer) ?? .null,
        ])
    }

    package init?(stored: JSONValue) {
        guard let fields = stored["fields"]?.objectValue else { return nil }
        self.init(fields: fields, appleTimeToLive: stored["apple_time_to_live"]?.integerValue)
    }
}

extension JSONObject {
    fileprivate func settingAppleExpiration(to text: String) -> JSONObject {
        setting(.string(text), at: ["apns", "headers", "apns-expiration"])
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
