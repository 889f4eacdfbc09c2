import JSON

extension ApnsBlock {
    /// The known push types (APNs documentation, Sending notification requests to APNs).
    private static let pushTypes: Set<String> = [
        "alert", "background", "complication", "controls", "fileprovider", "liveactivity",
        "location", "mdm", "pushtotalk", "voip", "widgets",
    ]

    init(_ block: JSONObject) throws(FieldViolation) {
        self.init()
        headers = block.headerFields
        if let payload = block["payload"]?.objectValue {
            try payload.checkAppleKeys()
            self.payload = payload
        }
        try check("apns-collapse-id", says: "is longer than 64 bytes") { $0.utf8.count <= 64 }
        try check("apns-expiration", says: "is not a UNIX time in seconds") {
            (Int64($0) ?? -1) >= 0
        }
        try check("apns-priority", says: "must be 10, 5 or 1") { ["10", "5", "1"].contains($0) }
        try check(
            "apns-push-type",
            says: "is not a push type of APNs",
            isRight: Self.pushTypes.contains
        )
        try check("apns-id", says: "is not a UUID", isRight: \.isUUID)
        label = try block["fcm_options"].label(at: "message.apns")
        image = block["fcm_options"]?["image"]?.stringValue
    }

    private func check(
        _ name: String,
        says problem: String,
        isRight: (String) -> Bool
    ) throws(FieldViolation) {
        guard let value = headers[name], !isRight(value) else { return }
        throw .invalid("message.apns.headers", because: "\(name) \(problem).")
    }
}

extension PushMessage {
    /// Checks the priority: a background push accepts 5 or 1, and a Live Activity 10 or 5.
    func checkApnsPriority(isLiveActivity: Bool) throws(FieldViolation) {
        guard let apns, let priority = apns.headers["apns-priority"] else { return }
        let type = apns.headers["apns-push-type"]
        let isSilent = type == nil && !isLiveActivity && isForBackground(apns)
        if priority == "10", type == "background" || isSilent {
            throw .invalid(
                "message.apns.headers",
                because: "apns-priority 10 cannot be used for a background push."
            )
        }
        if priority == "1", isLiveActivity || type == "liveactivity" {
            throw .invalid(
                "message.apns.headers",
                because: "apns-priority of a Live Activity must be 10 or 5."
            )
        }
    }

    /// Returns whether an Apple device would show, play and count nothing.
    private func isForBackground(_ apns: ApnsBlock) -> Bool {
        let aps = apns.payload["aps"]?.objectValue ?? [:]
        return notification.isEmpty && aps["alert"] == nil && aps["sound"] == nil
            && aps["badge"] == nil && aps["event"] == nil
            && (!data.isEmpty || !apns.payload.isEmpty)
    }
}

extension String {
    /// Whether the text is a UUID (RFC 9562, section 4), in upper or lower case.
    fileprivate var isUUID: Bool {
        utf8.count == 36
            && utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place)
                    ? byte == UInt8(ascii: "-") : byte.isHexadecimal
            }
    }
}
