import FCMDelivery
import FCMWire

// What FCM refuses although it can be read (Firebase documentation, REST resource
// projects.messages, and FCM error codes). Where FCM's own words are not known, they say what the
// reference says.

extension PushMessage {
    /// Reads a message whose shape is known to be right, and checks the values in it.
    init(_ message: JSONObject) throws(GoogleError) {
        self.init()
        notification = message["notification"]?.objectValue ?? [:]
        data = try message.dataEntries(at: "message") ?? [:]
        try message["fcm_options"].checkLabel(at: "message")
        if let block = message["android"]?.objectValue { android = try AndroidBlock(block) }
        if let block = message["android_v2"]?.objectValue {
            android = try AndroidBlock(version2: block)
        }
        if let block = message["apns"]?.objectValue {
            apns = try ApnsBlock(block)
            try checkApnsPriority(isLiveActivity: block["live_activity_token"] != nil)
        }
        if let block = message["webpush"]?.objectValue { webpush = try WebpushBlock(block) }
    }
}

extension AndroidBlock {
    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        try self.init(common: block, at: "message.android")
        priority = block["priority"]?.stringValue
        notification = block["notification"]?.objectValue ?? [:]
        try notification.checkAndroidNotification(at: "message.android.notification")
    }

    /// The kind of message implies its priority (Firebase documentation, Migrate to
    /// AndroidConfigV2).
    fileprivate init(version2 block: JSONObject) throws(GoogleError) {
        let path = "message.android_v2"
        try self.init(common: block, at: path)
        if let remote = block["remote_notification"]?.objectValue {
            kind = .remoteNotification
            priority = "HIGH"
            notification = remote["notification"]?.objectValue ?? [:]
            try notification.checkAndroidNotification(
                at: path + ".remote_notification.notification"
            )
        } else if block["background_sync"] != nil {
            kind = .backgroundSync
            priority = "NORMAL"
        } else {
            throw .invalid(
                path,
                "Exactly one of remote_notification or background_sync must be set."
            )
        }
    }

    private init(common block: JSONObject, at path: String) throws(GoogleError) {
        self.init()
        collapseKey = block["collapse_key"]?.stringValue
        packageName = block["restricted_package_name"]?.stringValue
        data = try block.dataEntries(at: path)
        timeToLive = block["ttl"]?.stringValue.flatMap { DurationText($0) }
        if let timeToLive, !(0...MessageLife.longestSeconds).contains(timeToLive.wholeSeconds) {
            throw .invalid(
                path + ".ttl",
                "Invalid time to live: it must be between 0s and \(MessageLife.longestSeconds)s."
            )
        }
        try block["fcm_options"].checkLabel(at: path)
    }
}

extension JSONObject {
    fileprivate func checkAndroidNotification(at path: String) throws(GoogleError) {
        if let color = self["color"]?.stringValue, !color.isColor {
            throw .invalid(path + ".color", "Invalid color: it must be in #rrggbb format.")
        }
        for name in ["title", "body"] {
            guard let arguments = self[name + "_loc_args"]?.arrayValue, !arguments.isEmpty,
                self[name + "_loc_key"]?.stringValue?.isEmpty ?? true
            else { continue }
            throw .invalid(
                "\(path).\(name)_loc_args",
                "\(name)_loc_args cannot be set without \(name)_loc_key."
            )
        }
        for timing in self["vibrate_timings"]?.arrayValue ?? [] where timing.isNegativeDuration {
            throw .invalid(path + ".vibrate_timings", "A vibrate timing cannot be negative.")
        }
        if let lights = self["light_settings"]?.objectValue {
            try lights.checkLights(at: path + ".light_settings")
        }
    }

    private func checkLights(at path: String) throws(GoogleError) {
        guard let color = self["color"]?.objectValue else {
            throw .invalid(path + ".color", "The color of light settings is required.")
        }
        for member in color.members where !(0...1).contains(member.value.doubleValue ?? -1) {
            throw .invalid(
                "\(path).color.\(member.key)",
                "A part of a color must be between 0 and 1."
            )
        }
        for name in ["light_on_duration", "light_off_duration"] {
            guard let duration = self[name] else {
                throw .invalid("\(path).\(name)", "\(name) is required.")
            }
            guard !duration.isNegativeDuration else {
                throw .invalid("\(path).\(name)", "\(name) cannot be negative.")
            }
        }
    }
}

extension ApnsBlock {
    /// APNs documentation, Sending notification requests to APNs.
    private static let pushTypes: Set<String> = [
        "alert", "background", "complication", "controls", "fileprovider", "liveactivity",
        "location", "mdm", "pushtotalk", "voip", "widgets",
    ]

    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        self.init()
        headers = block.headerFields
        payload = block["payload"]?.objectValue ?? [:]
        try check("apns-collapse-id", says: "is longer than 64 bytes") { $0.utf8.count <= 64 }
        try check("apns-expiration", says: "is not a UNIX time in seconds") {
            (Int64($0) ?? -1) >= 0
        }
        try check("apns-priority", says: "must be 10, 5 or 1") { ["10", "5", "1"].contains($0) }
        try check("apns-push-type", says: "is not a push type of APNs", Self.pushTypes.contains)
        try check("apns-id", says: "is not a UUID", \.isUUID)
        if let aps = payload["aps"], aps.objectValue == nil {
            throw .invalid("message.apns.payload.aps", "aps must be an object.")
        }
        try block["fcm_options"].checkLabel(at: "message.apns")
    }

    private func check(
        _ name: String,
        says problem: String,
        _ isRight: (String) -> Bool
    ) throws(GoogleError) {
        guard let value = headers[name], !isRight(value) else { return }
        throw .invalid("message.apns.headers", "\(name) \(problem).")
    }
}

extension PushMessage {
    /// A background push takes priority 5 or 1, a Live Activity 10 or 5.
    fileprivate func checkApnsPriority(isLiveActivity: Bool) throws(GoogleError) {
        guard let apns, let priority = apns.headers["apns-priority"] else { return }
        let type = apns.headers["apns-push-type"]
        if priority == "10", type == "background" || (type == nil && isForBackground(apns)) {
            throw .invalid(
                "message.apns.headers",
                "apns-priority 10 cannot be used for a background push."
            )
        }
        if priority == "1", isLiveActivity || type == "liveactivity" {
            throw .invalid(
                "message.apns.headers",
                "apns-priority of a Live Activity must be 10 or 5."
            )
        }
    }

    /// Whether there is nothing that an Apple device would show, play or count.
    private func isForBackground(_ apns: ApnsBlock) -> Bool {
        let aps = apns.payload["aps"]?.objectValue ?? [:]
        return notification.isEmpty && aps["alert"] == nil && aps["sound"] == nil
            && aps["badge"] == nil && aps["event"] == nil
            && (!data.isEmpty || !apns.payload.isEmpty)
    }
}

extension WebpushBlock {
    /// RFC 8030, section 5.3.
    private static let urgencies: Set<String> = ["very-low", "low", "normal", "high"]

    fileprivate init(_ block: JSONObject) throws(GoogleError) {
        self.init()
        headers = block.headerFields
        data = try block.dataEntries(at: "message.webpush")
        notification = block["notification"]?.objectValue ?? [:]
        link = block["fcm_options"]?["link"]?.stringValue
        try checkTimeToLive()
        if let urgency = headers["urgency"], !Self.urgencies.contains(urgency) {
            throw .invalid(
                "message.webpush.headers.Urgency",
                "Urgency must be very-low, low, normal or high."
            )
        }
        if let topic = headers["topic"], !topic.isWebTopic {
            throw .invalid(
                "message.webpush.headers.Topic",
                "Topic must be 1 to 32 characters of the URL-safe base64 alphabet."
            )
        }
        if let link, !link.hasPrefix("https://") || link.utf8.count == "https://".utf8.count {
            throw .invalid("message.webpush.fcm_options.link", "The link must be an HTTPS URL.")
        }
        try block["fcm_options"].checkLabel(at: "message.webpush")
    }

    private func checkTimeToLive() throws(GoogleError) {
        guard let text = headers["ttl"] else { return }
        let field = "message.webpush.headers.TTL"
        guard text.utf8.allSatisfy(\.isDigit), let seconds = Int64(text) else {
            throw .invalid(field, "TTL must be a non-negative integer.")
        }
        guard seconds <= MessageLife.longestSeconds else {
            throw .invalid(field, "TTL must not be above \(MessageLife.longestSeconds).")
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

extension JSONValue? {
    /// An `fcm_options`: its label is 1 to 50 of letters, digits and `-_.~%`; an empty one is
    /// none.
    fileprivate func checkLabel(at path: String) throws(GoogleError) {
        guard let label = self?["analytics_label"]?.stringValue, !label.isEmpty else { return }
        guard label.utf8.count <= 50, TopicName(label) != nil else {
            throw .invalid(
                path + ".fcm_options.analytics_label",
                "Invalid analytics label: it must match \"^[a-zA-Z0-9-_.~%]{1,50}$\"."
            )
        }
    }
}

extension JSONValue {
    fileprivate var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    fileprivate var isNegativeDuration: Bool { stringValue?.utf8.first == UInt8(ascii: "-") }
}

extension String {
    /// Firebase documentation, REST resource projects.messages: `from`, `message_type`, and what
    /// starts with `google.` or `gcm.notification.`.
    fileprivate var isReservedForFCM: Bool {
        self == "from" || self == "message_type" || hasPrefix("google.")
            || hasPrefix("gcm.notification.")
    }

    /// `#rrggbb`.
    fileprivate var isColor: Bool {
        utf8.count == 7 && utf8.first == UInt8(ascii: "#")
            && utf8.dropFirst().allSatisfy(\.isHexadecimal)
    }

    /// RFC 8030, section 5.4.
    fileprivate var isWebTopic: Bool {
        (1...32).contains(utf8.count)
            && utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x5F }
    }

    /// RFC 9562, section 4, in letters of either case.
    fileprivate var isUUID: Bool {
        utf8.count == 36
            && utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place)
                    ? byte == UInt8(ascii: "-") : byte.isHexadecimal
            }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

    fileprivate var isHexadecimal: Bool {
        isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }

    fileprivate var isLetterOrDigit: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
