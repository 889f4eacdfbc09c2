package import JSON

// The checks of well-formed messages that FCM refuses (Firebase documentation, REST resource
// projects.messages, and FCM error codes). If FCM's own wording is unknown, the texts follow the
// reference.

extension PushMessage {
    /// Reads a message whose shape is valid, and checks its values.
    package init(_ message: JSONObject) throws(FieldViolation) {
        self.init()
        notification = message["notification"]?.objectValue ?? [:]
        data = try message.dataEntries(at: "message") ?? DataEntries()
        label = try message["fcm_options"].label(at: "message")
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

extension JSONObject {
    /// The `headers` of a platform's block.
    var headerFields: HeaderFields {
        self["headers"]?.objectValue.map { HeaderFields($0.members) } ?? HeaderFields()
    }

    /// Returns the `data` of a message or of a platform's block, or nil if there is none.
    func dataEntries(at path: String) throws(FieldViolation) -> DataEntries? {
        guard let members = self["data"]?.objectValue?.members else { return nil }
        for (index, member) in members.enumerated() where member.key.isReservedForFCM {
            throw .invalid(
                "\(path).data[\(index)].key",
                because: "Invalid data payload key: \(member.key)"
            )
        }
        return DataEntries(members)
    }
}

extension JSONValue? {
    /// Returns the label of an `fcm_options`: 1 to 50 letters, digits and `-_.~%`; an empty label
    /// counts as none.
    func label(at path: String) throws(FieldViolation) -> String? {
        guard let label = self?["analytics_label"]?.stringValue, !label.isEmpty else { return nil }
        guard label.utf8.count <= 50, TopicName(label) != nil else {
            throw .invalid(
                path + ".fcm_options.analytics_label",
                because: "Invalid analytics label: it must match \"^[a-zA-Z0-9-_.~%]{1,50}$\"."
            )
        }
        return label
    }
}

extension String {
    /// Whether FCM reserves the key: `from`, `message_type`, and keys that start with `google.` or
    /// `gcm.notification.` (Firebase documentation, REST resource projects.messages).
    fileprivate var isReservedForFCM: Bool {
        switch utf8.first {
        case UInt8(ascii: "f"): self == "from"
        case UInt8(ascii: "m"): self == "message_type"
        case UInt8(ascii: "g"): hasPrefix("google.") || hasPrefix("gcm.notification.")
        default: false
        }
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }

    var isHexadecimal: Bool {
        isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }

    var isLetterOrDigit: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
