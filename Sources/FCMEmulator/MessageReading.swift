import FCMDelivery
import FCMWire

extension PushMessage {
    /// Reads a message whose shape is known to be right, and checks the values in it.
    init(_ message: JSONObject) throws(GoogleError) {
        self.init()
        notification = message["notification"]?.objectValue ?? [:]
        data = try message.dataEntries(at: "message") ?? [:]
        if let block = message["android"]?.objectValue { android = try AndroidBlock(block) }
        if let block = message["apns"]?.objectValue { apns = try ApnsBlock(block) }
        if let block = message["webpush"]?.objectValue { webpush = try WebpushBlock(block) }
    }
}

extension AndroidBlock {
    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        self.init()
        collapseKey = block["collapse_key"]?.stringValue
        priority = block["priority"]?.stringValue
        data = try block.dataEntries(at: "message.android")
        notification = block["notification"]?.objectValue ?? [:]
        timeToLive = block["ttl"]?.stringValue.flatMap { DurationText($0) }
        if let timeToLive, !(0...MessageLife.longestSeconds).contains(timeToLive.wholeSeconds) {
            throw .invalid(
                "message.android.ttl",
                "Invalid time to live: it must be between 0s and \(MessageLife.longestSeconds)s."
            )
        }
    }
}

extension ApnsBlock {
    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        self.init()
        headers = block.headerFields
        payload = block["payload"]?.objectValue ?? [:]
        if let key = headers["apns-collapse-id"], key.utf8.count > 64 {
            throw .invalid(
                "message.apns.headers",
                "apns-collapse-id is longer than 64 bytes."
            )
        }
        if let moment = headers["apns-expiration"], (Int64(moment) ?? -1) < 0 {
            throw .invalid(
                "message.apns.headers",
                "apns-expiration is not a UNIX time in seconds."
            )
        }
    }
}

extension WebpushBlock {
    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        self.init()
        headers = block.headerFields
        data = try block.dataEntries(at: "message.webpush")
        notification = block["notification"]?.objectValue ?? [:]
        link = block["fcm_options"]?["link"]?.stringValue
        let allowed = 0...MessageLife.longestSeconds
        if let seconds = headers["ttl"], !allowed.contains(Int64(seconds) ?? -1) {
            throw .invalid(
                "message.webpush.headers",
                "TTL is not a number of seconds between 0 and \(MessageLife.longestSeconds)."
            )
        }
    }
}

extension JSONObject {
    /// Header fields by their names in lower case.
    fileprivate var headerFields: [String: String] {
        let members = self["headers"]?.objectValue?.members ?? []
        return Dictionary(members.map { ($0.key.lowercased(), $0.value.stringValue ?? "") }) { $1 }
    }

    /// The `data` of a message or of a platform's block; nil where there is none.
    fileprivate func dataEntries(at path: String) throws(GoogleError) -> [String: String]? {
        guard let members = self["data"]?.objectValue?.members else { return nil }
        for (index, member) in members.enumerated() where member.key.isReservedForFCM {
            throw .invalid(
                "\(path).data[\(index)].key",
                "Invalid data payload key: \(member.key)"
            )
        }
        return Dictionary(members.map { ($0.key, $0.value.stringValue ?? "") }) { $1 }
    }
}

extension String {
    /// Firebase documentation, REST resource projects.messages: `from`, `message_type`, and what
    /// starts with `google.` or `gcm.notification.`.
    fileprivate var isReservedForFCM: Bool {
        self == "from" || self == "message_type" || hasPrefix("google.")
            || hasPrefix("gcm.notification.")
    }
}
